package optix

// CacheFolder is the folder for what is compiled.
func CacheFolder(userCache func() (string, error)) string { return cacheFolder(userCache) }

// StartError is what is said where the library does not serve.
func StartError(code int, library string) error { return startError(code, library) }
