//go:build cuda

package driver_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"rtcluster/gpu/internal/driver"
)

// open takes card 0, or skips the test where there is none.
func open(t *testing.T, opt driver.Options) (*driver.Device, *driver.Stream) {
	t.Helper()
	d, err := driver.Open(0, opt)
	if errors.Is(err, driver.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Stream()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	})
	return d, s
}

// doubled is a module of one kernel: element i of a buffer of 32-bit numbers is
// doubled, i < n.
const doubled = `.version 7.0
.target sm_75
.address_size 64
.visible .entry doubled(.param .align 8 .b8 p[16])
{
	.reg .pred %q; .reg .b32 %r<6>; .reg .b64 %d<5>;
	ld.param.u64 %d1, [p]; ld.param.u64 %d2, [p+8];
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	cvt.u64.u32 %d3, %r4;
	setp.ge.u64 %q, %d3, %d2;
	@%q ret;
	shl.b64 %d3, %d3, 2; add.u64 %d4, %d1, %d3;
	ld.global.u32 %r5, [%d4]; add.u32 %r5, %r5, %r5; st.global.u32 [%d4], %r5;
	ret;
}`

type doubling struct {
	at uint64
	n  int64
}

// TestLaunch runs a kernel from several goroutines at once, on pinned and on plain
// memory, and with and without waiting.
func TestLaunch(t *testing.T) {
	for _, synchronous := range []bool{false, true} {
		d, _ := open(t, driver.Options{Synchronous: synchronous})
		m, err := d.Load(doubled)
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("doubled", 0)
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for n := range 9 {
			wait.Go(func() {
				if err := double(d, k, 1000*n+1); err != nil {
					t.Errorf("synchronous %t, %d numbers: %v", synchronous, 1000*n+1, err)
				}
			})
		}
		wait.Wait()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func double(d *driver.Device, k *driver.Kernel, n int) error {
	s, err := d.Stream()
	if err != nil {
		return err
	}
	b, err := s.Alloc(int64(4 * n))
	if err != nil {
		return err
	}
	in, err := driver.Pin[int32](d, n)
	if err != nil {
		return err
	}
	want, got := make([]int32, n), make([]int32, n)
	for i := range n {
		in.Data[i], want[i] = int32(i), int32(2*i)
	}
	err = errors.Join(driver.Upload(s, b, 0, in.Data),
		driver.Launch(s, k, (n+255)/256, 256, &doubling{b.Addr(), int64(n)}),
		driver.Download(s, got, b, 0))
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return errors.New("the numbers are not doubled")
	}
	return errors.Join(in.Close(), s.Free(b), s.Close())
}

func TestRefusals(t *testing.T) {
	d, s := open(t, driver.Options{Budget: 1 << 20})
	if _, err := driver.Open(1<<20, driver.Options{}); !errors.Is(err, driver.ErrMissing) {
		t.Errorf("a card that is not there: got %v, want ErrMissing", err)
	}
	if _, err := d.Load("no code"); err == nil {
		t.Error("a module that is no PTX: no error")
	}
	b, err := s.Alloc(1 << 19)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := d.Memory(); err != nil || free != 1<<19 {
		t.Errorf("%d bytes are free and error %v, want half of the budget", free, err)
	}
	_, err = s.Alloc(1<<19 + 1)
	if !errors.Is(err, driver.ErrMemory) || !strings.Contains(err.Error(), "524288 bytes") {
		t.Errorf("beyond the budget: got %v, want ErrMemory with numbers", err)
	}
	if err := driver.Upload(s, b, 1, make([]byte, 1<<19)); err == nil {
		t.Error("beyond the buffer: no error")
	}
	if err := s.Free(b); err != nil {
		t.Error(err)
	}
	all, other := open(t, driver.Options{})
	_, err = other.Alloc(1 << 50)
	if !errors.Is(err, driver.ErrMemory) || !strings.Contains(err.Error(), all.Info().Name) {
		t.Errorf("beyond the card: got %v, want ErrMemory with numbers", err)
	}
}

// astray writes 8 bytes to an address.
const astray = `.version 7.0
.target sm_75
.address_size 64
.visible .entry astray(.param .align 8 .b8 p[8])
{
	.reg .b64 %d<2>;
	ld.param.u64 %d1, [p];
	st.global.u64 [%d1], %d1;
	ret;
}`

// TestFault runs a kernel that goes astray, in a process of its own: it ends the
// use of the card. With synchronous launches the error names the kernel.
func TestFault(t *testing.T) {
	open(t, driver.Options{})
	for _, test := range []struct{ mode, want string }{
		{"later", "cuda: waiting for the card: "},
		{"at once", "kernel astray: cuda: waiting for the card: "},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFaultChild$", "-test.v")
		cmd.Env = append(os.Environ(), "DRIVER_TEST_FAULT="+test.mode)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "fault: "+test.want) || !strings.Contains(string(out), "lost: true") {
			t.Errorf("%s: got error %v and output\n%s\nwant a line with %q", test.mode, err, out, test.want)
		}
	}
}

// TestFaultChild is the other process.
func TestFaultChild(t *testing.T) {
	mode := os.Getenv("DRIVER_TEST_FAULT")
	if mode == "" {
		t.Skip("TestFault runs it")
	}
	d, err := driver.Open(0, driver.Options{Synchronous: mode == "at once"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.Stream()
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Load(astray)
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("astray", 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	bad := b.Addr() + 1 // 8 bytes go to multiples of 8
	if err = driver.Launch(s, k, 1, 1, &bad); err == nil {
		err = s.Wait()
	}
	t.Logf("fault: %v", err)
	_, after := s.Alloc(1)
	t.Logf("lost: %t", errors.Is(err, driver.ErrLost) && after != nil)
}
