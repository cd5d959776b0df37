// Package synth makes synthetic point sets and two star catalogs with known
// groups, for tests, benchmarks and people who try things out.
//
// The same arguments give the same numbers: the generator is a PCG with the
// given seed, and products are rounded before they are added, so that no
// compiler fuses them. Only sines, cosines and logarithms may differ in the
// last bit between processor families.
//
//	uniform      independent columns, uniform in [0, 1)
//	exponential  independent columns, exponential with mean 1/40
//	blobs        8 round Gaussian groups and 10 % uniform background
//	moons        two interleaved half circles in the first two columns
//	latent       Gaussian groups in up to 6 hidden dimensions, embedded in
//	             all columns with a little noise, each column scaled to [0, 1]
//	lattice      the integer lattice: distances tie, and equal ε exactly
//	duplicates   about √n distinct rows, the first of them in half of all rows
//	equal        one row n times
package synth
