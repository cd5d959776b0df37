package measure

// What the tests reach.
var (
	StatusMiB = statusMiB
	Processor = processor
)
