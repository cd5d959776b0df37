// Package driver is the thin layer between the GPU engines and the CUDA driver:
// gorgonia.org/cu, and wrappers of our own for what that lacks (pinned memory,
// stream-ordered allocation, attributes of functions, logs of the compiler,
// launches with a block of parameters).
//
// # Discipline
//
// A [Device] uses the primary context of its card. Each call that needs it locks
// its goroutine to the thread for as long as the call takes and makes the context
// current there, so that any goroutine may call, several at once. Work is queued
// on a [Stream], one for each join. What is written as asynchronous in CUDA is
// waited for where memory of the Go heap is involved.
//
// Every return code is checked and becomes an [*Error] that names the call.
// [ErrMemory] and [ErrLost] tell the two kinds that callers treat differently.
//
// Memory on the device is counted: [Device.Memory] says what is free, and
// allocations beyond the budget fail like those beyond the card, with numbers.
//
// [Options.Synchronous] waits after every launch, so that a fault of a kernel is
// reported by the launch that made it.
//
// All but the errors needs build tag cuda, and a binary linked with the libcuda.a of
// gpu/_toolchain: it starts without a driver, which [Open] looks for.
package driver
