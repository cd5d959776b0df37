// Package groups tells where groups of rows are, how far they spread and what they
// reach: what a table of clusters has beside their sizes.
//
// A [Summary] is of coordinates, each for itself, which may wrap at the ends of a
// periodic box. A [Sky] is of positions on the sphere. Rows are added one by one, and
// none is kept: memory is 64 bytes for each group and coordinate, twice that for one
// that wraps, and about 400 for a group on the sky. The same rows in the same order
// give the same bits.
//
//	s := groups.NewSummary(clusters, dim, nil)
//	for row, label := range labels {
//		if label >= 0 {
//			s.Add(int(label), data[row*dim:(row+1)*dim])
//		}
//	}
//	s.At(0, 0) // mean, deviation and range of group 0 along coordinate 0
//
// Sums are of differences to a group's first row, in twice the digits of float64
// and apart from their exponent. So neither a large offset nor numbers near the
// ends of the range of float64 cost digits: the mean and the deviation of n rows are
// off by a few units of their last digit, and at most n²·2⁻¹⁰⁰ of the deviation.
package groups
