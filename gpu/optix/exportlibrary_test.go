//go:build cuda

package optix

import (
	"fmt"
	"unsafe"
)

// Try makes each call of OptiX once, and a few twice, with addresses that nothing is at.
func Try(ptx, folder string) error {
	if err := open(); err != nil {
		return err
	}
	l, err := link(ptx, folder)
	if err != nil {
		return err
	}
	for i := range len(l.records) / record {
		fmt.Printf("record %d %x\n", i, l.records[i*record])
	}
	sizes, err := l.sizes(0x1000, 7)
	if err != nil {
		return err
	}
	fmt.Printf("got %+v\n", sizes)
	stream := unsafe.Add(nil, 0x600) // a handle
	for _, refit := range []bool{false, true} {
		scene, err := l.build(stream, refit, 0x1000, 7, room{0x2000, 200}, room{0x3000, 1000})
		if err != nil {
			return err
		}
		fmt.Printf("scene %#x\n", scene)
	}
	for _, rows := range []bool{false, true} {
		if err := l.launch(stream, room{0x4000, 472}, 0x5000, rows, 9); err != nil {
			return err
		}
	}
	return nil
}
