package paper

// GridPairs counts the pairs of rows that are in the same cell or in adjacent ones.
var GridPairs = gridPairs
