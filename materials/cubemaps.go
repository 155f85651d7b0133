package materials

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube is a cubemap's files.
type cube struct {
	file  string    // that it was made of; "" where there is none
	faces []Sidecar // in the order of the file; nil where it is broken
	made  made
}

// cubemaps makes the faces of the map's pictures of its surroundings as files: with all of their light as OpenEXR, or as
// they are. Several cubemaps at one place have the same.
func (ld *loader) cubemaps(ctx context.Context, w *world.World) error {
	if ld.o.Cubemaps != "faces" || len(w.Cubemaps) == 0 {
		return nil
	}
	kinds := []string{"", ".hdr"}
	if w.HDR {
		kinds[0], kinds[1] = kinds[1], kinds[0]
	}
	var ends []string
	for _, kind := range kinds {
		for _, end := range textureEnds {
			ends = append(ends, kind+end)
		}
	}
	var names []string
	index := map[string]int{} // into names
	for i := range w.Cubemaps {
		name := w.Cubemaps[i].Files
		if _, ok := index[name]; !ok {
			index[name] = len(names)
			names = append(names, name)
		}
	}
	list, err := par.Map(ctx, len(names), func(i int) (cube, error) { return ld.cube(ctx, names[i], ends) })
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for i := range list {
		c := &list[i]
		for _, is := range c.made.issues {
			ld.issue(is)
		}
		for _, f := range c.faces {
			if !taken[f.Name] {
				taken[f.Name] = true
				ld.set.Sidecars = append(ld.set.Sidecars, f)
			}
		}
		if len(c.faces) > 0 {
			ld.set.Files = append(ld.set.Files, c.file)
		}
	}
	ld.set.Cubemaps = make([][6]string, len(w.Cubemaps))
	missing := 0
	for i := range w.Cubemaps {
		c := &list[index[w.Cubemaps[i].Files]]
		if c.file == "" {
			missing++
		}
		for k, f := range c.faces {
			ld.set.Cubemaps[i][boxSide[k]] = f.Name
		}
	}
	if missing > 0 {
		ld.issue(world.Issue{Code: "cubemap-missing", Where: path.Dir(w.Cubemaps[0].Files), Count: missing,
			Detail: fmt.Sprintf("there are no pictures of %d of the map's %d cubemaps", missing, len(w.Cubemaps))})
	}
	return nil
}

// cube makes the faces of a cubemap from the first of its files that is there and whole.
func (ld *loader) cube(ctx context.Context, name string, ends []string) (c cube, err error) {
	for _, end := range ends {
		data, err := ld.text(name + end)
		if err != nil {
			continue
		}
		c.file = name + end
		if c.faces, err = ld.faces(ctx, "cubemaps/"+path.Base(name), data); err == nil {
			break
		}
		if err := c.made.broken(c.file, err); err != nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// boxSide is the side of Sky.Box that looks where a face of a cubemap does, whose names are vtf.FaceNames.
var boxSide = [6]int{0, 2, 1, 3, 4, 5}

// faces makes files of a cubemap's six faces, whose bytes are reserved.
func (ld *loader) faces(ctx context.Context, name string, data []byte) (out []Sidecar, err error) {
	f, err := vtf.Open(data)
	if err != nil {
		return nil, err
	}
	held := int64(0)
	defer func() {
		if err != nil {
			ld.budget.Release(held)
		}
	}()
	if f.Faces < 6 {
		return nil, fmt.Errorf("it has no six faces: %w", errors.ErrUnsupported)
	}
	for k := range 6 {
		mip, err := f.Fit(0, k, 0)
		if err != nil {
			return nil, err
		}
		at := vtf.At{Face: k, Mip: mip}
		halfs, err := halfsOf(f, at, vtf.Floats, ld.budget)
		if errors.Is(err, errors.ErrUnsupported) {
			halfs, err = halfsOf(f, at, vtf.Integers, ld.budget)
		}
		s := Sidecar{Name: name + "_" + vtf.FaceNames[k]}
		switch {
		case err == nil:
			width, height := f.Size(mip)
			s.Name += ".exr"
			s.Data, err = picture.EncodeEXR(ctx, halfs, width, height)
			ld.budget.Release(int64(len(halfs)))
		case errors.Is(err, errors.ErrUnsupported):
			im, fault := f.Image(at, ld.budget)
			if fault != nil {
				return nil, fault
			}
			s.Name += ".png"
			s.Data, err = picture.EncodePNG(im, false, ld.effort)
			ld.budget.Release(int64(len(im.Pix)))
		}
		if err == nil {
			err = reserve(ld.budget, &held, len(s.Data))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
