// Package jointest holds what the tests of engines share: [Brute], the slow
// engine that is obviously right, and [TestEngine], the suite that compares
// another engine with it and with the laws of package join.
//
// A test of an engine is three lines, and three more to fuzz it:
//
//	func TestEngine(t *testing.T) {
//		jointest.TestEngine(t, cpu.New(cpu.Options{Threads: 2}))
//	}
//
//	func FuzzEngine(f *testing.F) {
//		jointest.FuzzEngine(f, cpu.New(cpu.Options{Threads: 2}))
//	}
//
// The suite is tested with wrong engines, one for each kind of fault, that it
// must reject.
package jointest
