//go:build cuda

package cuda

// Order is order, for tests.
var Order = order
