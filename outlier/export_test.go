package outlier

// Places is for tests.
var Places = places
