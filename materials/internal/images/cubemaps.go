package images

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cube holds a cubemap's files.
type cube struct {
	file  string    // the file that it was made from; "" if there is none
	faces []Sidecar // in the order of the file; nil if it is broken
	made  Made
}

// Cubes holds the files of a map's cubemaps.
type Cubes struct {
	Faces  [][6]string // by World.Cubemaps: the names of the files, in the order of a sky's sides; or ""
	Files  []Sidecar
	Read   []string
	Issues []world.Issue
}

// Sidecar is a file that accompanies the output.
type Sidecar struct {
	Name string
	Data []byte
}

// Cubemaps writes the faces of the map's cubemaps to files: as OpenEXR with their full range of light, or as plain images.
// Cubemaps at the same position share their files.
func (mk *Maker) Cubemaps(ctx context.Context, w *world.World) (out Cubes, err error) {
	if !mk.o.Cubemaps || len(w.Cubemaps) == 0 {
		return out, nil
	}
	var names []string
	index := map[string]int{} // from file to its index in names
	for i := range w.Cubemaps {
		name := w.Cubemaps[i].Files
		if _, ok := index[name]; !ok {
			index[name] = len(names)
			names = append(names, name)
		}
	}
	ends := cubeEnds(w.Baked.HDR)
	list, err := par.Map(ctx, len(names), func(i int) (cube, error) { return mk.cube(ctx, names[i], ends) })
	if err != nil {
		return out, err
	}
	taken := map[string]bool{}
	for i := range list {
		c := &list[i]
		out.Issues = append(out.Issues, c.made.Issues...)
		for _, f := range c.faces {
			if !taken[f.Name] {
				taken[f.Name] = true
				out.Files = append(out.Files, f)
			}
		}
		if len(c.faces) > 0 {
			out.Read = append(out.Read, c.file)
		}
	}
	out.Faces = make([][6]string, len(w.Cubemaps))
	missing := 0
	for i := range w.Cubemaps {
		c := &list[index[w.Cubemaps[i].Files]]
		if c.file == "" {
			missing++
		}
		for k, f := range c.faces {
			out.Faces[i][boxSide[k]] = f.Name
		}
	}
	if missing > 0 {
		out.Issues = append(out.Issues, world.Issue{Code: "cubemap-missing", Where: path.Dir(w.Cubemaps[0].Files), Count: missing,
			Detail: fmt.Sprintf("there are no pictures of %d of the map's %d cubemaps", missing, len(w.Cubemaps))})
	}
	return out, nil
}

// cubeEnds returns the possible endings of the names of a cubemap's files; the first that exists is used.
func cubeEnds(hdr bool) (ends []string) {
	kinds := []string{"", ".hdr"}
	if hdr {
		kinds[0], kinds[1] = kinds[1], kinds[0]
	}
	for _, kind := range kinds {
		for _, end := range lookup.TextureEnds {
			ends = append(ends, kind+end)
		}
	}
	return ends
}

// cube makes the faces of a cubemap from the first of its files that exists and is intact.
func (mk *Maker) cube(ctx context.Context, name string, ends []string) (c cube, err error) {
	for _, end := range ends {
		data, err := mk.files.Text(name + end)
		if err != nil {
			continue
		}
		c.file = name + end
		if c.faces, err = mk.faces(ctx, "cubemaps/"+path.Base(name), data); err == nil {
			break
		}
		if err := c.made.broken(c.file, err); err != nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// boxSide gives, for each face of a cubemap (see vtf.FaceNames), the side of Sky.Box with the same direction.
var boxSide = [6]int{0, 2, 1, 3, 4, 5}

// faces makes files of a cubemap's six faces. Their bytes stay reserved.
func (mk *Maker) faces(ctx context.Context, name string, data []byte) (out []Sidecar, err error) {
	f, err := vtf.Open(data)
	if err != nil {
		return nil, err
	}
	held := int64(0)
	defer func() {
		if err != nil {
			mk.budget.Release(held)
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
		halfs, err := HalfsOf(f, at, vtf.Floats, mk.budget)
		if errors.Is(err, errors.ErrUnsupported) {
			halfs, err = HalfsOf(f, at, vtf.Integers, mk.budget)
		}
		s := Sidecar{Name: name + "_" + vtf.FaceNames[k]}
		switch {
		case err == nil:
			width, height := f.Size(mip)
			s.Name += ".exr"
			s.Data, err = picture.EncodeEXR(ctx, halfs, width, height)
			mk.budget.Release(int64(len(halfs)))
		case errors.Is(err, errors.ErrUnsupported):
			im, fault := f.Image(at, mk.budget)
			if fault != nil {
				return nil, fault
			}
			s.Name += picture.PNG.Extension()
			s.Data, err = picture.EncodePNG(im, false, mk.o.Output.Encoding.Effort)
			mk.budget.Release(int64(len(im.Pix)))
		}
		if err == nil {
			err = reserve(mk.budget, &held, len(s.Data))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
