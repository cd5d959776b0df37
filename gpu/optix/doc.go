// Package optix has the CUDA engine look for leaves by OptiX, in builds with tag cuda.
//
// The engine is that of package cuda in all but its search, and in the counts of rows of
// at most three coordinates, which the programs of OptiX refine themselves: see
// gpu/cuda/rays.go for what rays do, gpu/cuda/reach.go for how far boxes reach, and
// gpu/kernels/rays.cu for the programs. This package has what speaks to OptiX: its library
// (library.go), and scenes and launches (tracer.go).
//
// # OptiX without its SDK
//
// libnvoptix.so.1 comes with the driver, and is opened when an engine is asked for. What
// a call takes is declared in abi.h: that part of ABI 87, of OptiX 8.0, which drivers from
// 535 on know. abi_test.go compares sizes and places, and fake_test.go what calls hand over.
//
// # What is kept
//
// A card's programs are compiled and linked once for an engine. OptiX keeps what it has
// compiled from run to run, in a folder of the user's cache (cache.go). A scene stays with
// its index, and is refitted where only ε has changed.
//
// # Where it was run
//
// Nowhere yet: this package compiles, and its tests that take no card pass, among them
// one of gpu/kernels that runs the programs on the host (programs_test.go). A card without
// RT cores, such as an H200, runs the same programs, and traverses scenes in software.
package optix
