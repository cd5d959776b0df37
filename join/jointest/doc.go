// Package jointest holds what the tests of engines share: [Brute], the slow
// engine that is obviously right, and [TestEngine], the suite that compares
// another engine with it and with the laws of package join.
//
// A test of an engine is three lines:
//
//	func TestEngine(t *testing.T) {
//		jointest.TestEngine(t, cpu.New(cpu.Options{Threads: 2}))
//	}
package jointest
