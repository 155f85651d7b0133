package source

import (
	"context"
)

// What stops light, MASK_OPAQUE, and what makes no leafs of its own. Source SDK 2013, public/bspflags.h.
const (
	contentsOpaque = contentsSolid | 0x80 | 0x4000
	contentsDetail = 0x8000000
)

// shades lists the brushes in each leaf of the world that stop light and are no leafs: those of detail.
func (d *decoder) shades(ctx context.Context) error {
	if d.w.Leafs == nil {
		return nil
	}
	at := map[int]int{} // index into the world's brushes by that in the file
	if err := d.Borrow(int64(len(d.w.Brushes)) * 40); err != nil {
		return err
	}
	for i := range d.w.Brushes {
		if b := &d.w.Brushes[i]; b.Model == 0 && b.Contents&contentsDetail != 0 && b.Contents&contentsOpaque != 0 {
			at[b.Record] = i
		}
	}
	data := &d.lists.leafBrushes
	if err := d.Reserve(int64(len(d.leafs))*24 + int64(data.Count())*16); err != nil {
		return err
	}
	list := make([][]int, len(d.leafs))
	left := data.Count() // each is of one leaf
	for i := range d.leafs {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		l := &d.leafs[i]
		if l.firstBrush > data.Count()-l.brushes || l.brushes > left {
			continue // an issue already
		}
		left -= l.brushes
		for k := range l.brushes {
			if b, ok := at[data.At(l.firstBrush+k)]; ok {
				list[i] = append(list[i], b)
			}
		}
	}
	d.w.Leafs.Brushes = list
	return nil
}
