package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Info describes a map file.
type Info struct {
	File      string           `json:"file"`
	Name      string           `json:"name"`
	Size      int64            `json:"size"`
	Format    world.Format     `json:"format"`
	Lumps     []bsp.Lump       `json:"lumps"`
	Counts    map[string]int   `json:"counts"`   // surfaces by shape and by light, vertices, charts, models …
	Light     map[string]any   `json:"light"`    // styles, deluxe, grid, hdr; bump: charts with light from three directions
	Entities  map[string]int   `json:"entities"` // by class
	Materials report.Materials `json:"materials"`
	Mounts    []string         `json:"mounts"`
	Issues    []world.Issue    `json:"issues"`
	Refused   string           `json:"refused,omitempty"` // why the map can't be converted; what could not be read is empty
}

// Inspect reads a map and searches for its materials' files, without converting anything. in is as convert.Job.In,
// paths as the pipeline's game.paths. A map that is recognised but can't be converted is described as far as it was
// read, with Refused.
func Inspect(ctx context.Context, in string, paths []string, stdin io.Reader) (i *Info, err error) {
	err = par.Guard(func() (err error) { i, err = inspect(ctx, in, paths, stdin); return err })()
	return i, err
}

func inspect(ctx context.Context, in string, paths []string, stdin io.Reader) (*Info, error) {
	ctx, b := limit.Begin(ctx)
	src, err := input.OpenGame(ctx, in, stdin, pipeline.GameOptions{Paths: paths, Steam: true})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	p := pipeline.Default()
	p.Lightmap.Bump = lightmap.BumpPages // so that the light from three directions is counted
	scripts := input.ScriptsOf(src.View)
	w, err := input.Decode(ctx, p, src.MapFile, scripts)
	if w != nil && (errors.Is(err, limit.ErrCorrupt) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, limit.ErrLimit)) {
		return refused(in, &src.MapFile, w, err), nil
	}
	if err != nil {
		return nil, err
	}
	r := tally.New("", b.Limits.MaxWarnings)
	r.Mounts = src.View.Paths()
	carried, err := input.Mount(ctx, &src.MapFile, w)
	if err != nil {
		return nil, err
	}
	defer carried.Close()
	r.Mounts = slices.Concat(carried.First, r.Mounts, carried.Last)
	r.Add(carried.Issues)
	i := &Info{
		File: in, Name: src.Name, Size: src.Size, Format: w.Format, Lumps: w.Lumps, Mounts: r.Mounts,
		Counts: map[string]int{"faces": w.Faces, "models": len(w.Models), "materials": len(w.Materials), "charts": len(w.Baked.Charts),
			"billboards": len(w.Billboards), "fogs": len(w.Volumes.Fogs), "entities": len(w.Entities), "props": len(w.Props)},
		Light: map[string]any{}, Entities: map[string]int{}, Issues: append(append([]world.Issue{}, w.Issues...), r.Issues...),
	}
	for _, c := range []struct {
		what string
		n    int
	}{
		{"decals", len(w.Decals)}, {"lights", len(w.Lights)}, {"probes", len(w.Ambient.Probes)}, {"cubemaps", len(w.Cubemaps)},
		{"brushes", len(w.Volumes.Brushes)}, {"waters", len(w.Volumes.Waters)},
	} {
		if c.n > 0 { // a family without such things has no count
			i.Counts[c.what] = c.n
		}
	}
	for _, p := range w.Props {
		i.Counts[p.Kind.String()+" props"]++
	}
	i.surfaces(w.World)
	i.light(w.World)
	for k := range w.Entities {
		i.Entities[w.Entities[k].Class()]++
	}
	r.Mounted(carried.Opened)
	missing, err := materials.Find(ctx, src.Files, scripts(), w.World)
	if err != nil {
		return nil, err
	}
	i.Materials = tally.CountMaterials(w.World, missing)
	return i, nil
}

// surfaces counts the surfaces of all models by shape and by light.
func (i *Info) surfaces(w *world.World) {
	for _, m := range w.Models {
		for _, s := range m.Surfaces {
			switch shape := s.Shape.(type) {
			case *world.Polygon:
				i.Counts["polygons"]++
				i.Counts["vertices"] += len(shape.Corners)
			case *world.Triangles:
				i.Counts["meshes"]++
				i.Counts["vertices"] += len(shape.Vertices)
			case *world.Patch:
				i.Counts["patches"]++
				i.Counts["vertices"] += len(shape.Control)
			case *world.Displacement:
				i.Counts["displacements"]++
				i.Counts["vertices"] += len(shape.Offsets)
			case *world.Overlay:
				i.Counts["overlays"]++
				continue // it takes its light from the surface under it
			}
			i.Counts["lit by "+w.Materials[s.Material].Lighting.String()]++
		}
	}
}

// light describes the map's light.
func (i *Info) light(w *world.World) {
	styles, deluxe, bump := map[uint8]bool{}, false, 0
	for _, c := range w.Baked.Charts {
		tilted := 0
		for _, l := range c.Layers {
			styles[l.Style] = true
			deluxe = deluxe || l.Basis == world.Direction
			if l.Basis == world.Bump1 {
				tilted = 1
			}
		}
		bump += tilted
	}
	i.Light["styles"], i.Light["deluxe"] = len(styles), deluxe
	if bump > 0 {
		i.Light["bump"] = bump
	}
	if w.Baked.HDR {
		i.Light["hdr"] = true
	}
	if g := w.Ambient.Grid; g != nil {
		i.Light["grid"] = fmt.Sprintf("%d x %d x %d", g.Size[0], g.Size[1], g.Size[2])
	}
}

// refused describes a map that can't be converted as far as it was read. why is the reason.
func refused(in string, src *input.MapFile, w *bsp.Map, why error) *Info {
	i := &Info{File: in, Name: src.Name, Size: src.Size, Format: w.Format, Lumps: w.Lumps, Refused: limit.Plain(why.Error()),
		Counts: map[string]int{"entities": len(w.Entities)}, Light: map[string]any{}, Entities: map[string]int{}, Mounts: []string{},
		Issues: []world.Issue{}}
	for k := range w.Entities {
		i.Entities[w.Entities[k].Class()]++
	}
	return i
}

// WriteJSON writes the info as indented JSON.
func (i *Info) WriteJSON(w io.Writer) error {
	return safejson.Write(w, i)
}
