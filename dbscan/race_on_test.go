//go:build race

package dbscan_test

// raceDetector says that the tests run ten times slower than they should.
const raceDetector = true
