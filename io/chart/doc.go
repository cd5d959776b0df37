// Package chart draws tables of rows as pictures, SVG or PNG: clusters over two
// coordinates ([Scatter]) or on the sky ([Sky]), sorted distances ([Curve]), scores
// ([Histogram]) and sizes of clusters ([Sizes]); and measured values as lines ([Lines]).
//
// Rows are handed over one by one and not kept, so that memory does not grow with their
// number: those of a cluster are dots as long as they are few ([MostDots]), and beyond
// that a raster which is the darker the more rows are in a place. Clusters lie above
// noise, which is grey, and small clusters above large ones.
//
// Who draws reads the rows twice: first for what the whole picture depends on, the
// [Range] of the values and the [Tally] of the clusters, and then to draw them:
//
//	s := chart.NewScatter(x, y, tally)
//	for each row { s.Add(xs[i], ys[i], labels[i]) }
//	content, err := s.Picture("title").Encode(chart.PNG)
//
// The colours are those of Okabe and Ito, which people tell apart whatever their
// colour vision, and clusters that share one differ in the shape of their dots. Legends
// stand beside the data. The same rows in the same order give the same bytes.
package chart
