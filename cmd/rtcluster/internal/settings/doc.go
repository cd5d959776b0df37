// Package settings gives the flags of a command their values from outside the
// command line. A setting has the name of its flag. In order, the first that has
// one decides:
//
//	flag         --memory-limit 4GiB
//	environment  RTCLUSTER_MEMORY_LIMIT=4GiB
//	file         [dbscan] memory-limit = "4GiB"     of one command
//	             memory-limit = "4GiB"              of every command that has the flag
//	surroundings what a batch system says, see [Source.Ambient]
//	default
//
// A value goes through the flag's own Set, so that it is read, and refused, as on
// the command line, and the flag then counts as given; surroundings do not. An
// empty variable is as good as none.
package settings
