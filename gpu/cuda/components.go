//go:build cuda

package cuda

import (
	"cmp"
	"context"

	"rtcluster/gpu/internal/driver"
)

// Components unites members on the card, and copies the first row of each set.
func (x *index) Components(ctx context.Context, eps float64, member []bool, dst []int32) error {
	if err := x.checkMembers(ctx, eps, member, dst); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	return x.join(ctx, nil, eps, func(j *joining) error {
		return j.alloc(int64(4*j.rows.places()), func(label *driver.Buffer) error {
			f, err := j.newForest(label)
			if err != nil {
				return err
			}
			return cmp.Or(f.components(member, dst), f.free())
		})
	})
}

func (f *forest) components(member []bool, dst []int32) error {
	err := f.alloc(int64(len(member)), func(flags *driver.Buffer) error {
		if err := driver.Upload(f.s, flags, 0, member); err != nil {
			return err
		}
		f.param.Member = flags.Addr()
		return f.each("forest", "forest_member")
	})
	if err != nil {
		return err
	}
	if err := f.unite(); err != nil {
		return err
	}
	end := f.stage("copy out")
	defer end()
	named := f.param
	named.Best, named.Out = 0, f.parent.Addr() // the sets have names by then
	err = cmp.Or(
		f.each("label", "label_first"),
		f.each("label", "label_name"),
		f.eachOf("label", "label_row", &named))
	if err != nil {
		return err
	}
	return f.fetch(f.parent, len(dst), func(from int, part []int32) { copy(dst[from:], part) })
}
