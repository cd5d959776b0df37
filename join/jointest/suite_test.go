package jointest_test

import (
	"testing"

	"rtcluster/join/jointest"
)

func TestBrute(t *testing.T) {
	jointest.TestEngine(t, jointest.Brute())
}

func FuzzBrute(f *testing.F) {
	jointest.FuzzEngine(f, jointest.Brute())
}
