package driver

// WithPools is a card that has memory pools.
func WithPools(i Info) Info {
	i.pools = true
	return i
}

// StartError is what is said where the driver does not start.
func StartError(code int, text, library string) error { return startError(code, text, library) }
