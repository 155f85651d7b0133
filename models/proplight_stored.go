package models

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/vhv"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lightFiles reads the light that a map stores for its static props.
type lightFiles struct {
	library   *library
	materials []world.Material
	hdr       bool       // prefer the files of HDR light
	sun       [3]float32 // the sun's light on a surface that faces it
}

// read reads the light that the map stores for a static prop, if any: per texel, else per vertex. It returns an error
// only if a limit is exceeded or the context ends.
func (g *lightFiles) read(j *litProp) error {
	if j.beyond || j.placed.prop.Kind != world.StaticProp || j.placed.variant.hardware == nil {
		return g.library.ctx.Err()
	}
	names := []string{fmt.Sprintf("sp_%d.vhv", j.placed.prop.Record), fmt.Sprintf("sp_hdr_%d.vhv", j.placed.prop.Record)}
	if g.hdr {
		names[0], names[1] = names[1], names[0]
	}
	err := g.use(j, fmt.Sprintf("texelslighting_%d.ppl", j.placed.prop.Record), g.texels)
	for _, name := range names {
		if err == nil && !j.lit() {
			err = g.use(j, name, g.vertexLight)
		}
	}
	return err
}

// use reads a prop's light from a file, if it exists. read returns an error if the file can't be used.
func (g *lightFiles) use(j *litProp, name string, read func(*litProp, []byte) error) error {
	data, err := g.library.file(name)
	if err == nil {
		size := 4 * int64(len(data)) // including the decoder's tables
		if err = g.library.budget.Reserve(size); err == nil {
			defer g.library.budget.Release(size)
			if err = read(j, data); err != nil && j.fault == "" {
				j.fault = fmt.Sprintf("%s: %v", name, err)
			}
		}
	}
	if limit.Fatal(err) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return g.library.ctx.Err()
}

// vertexLight reads a prop's colours from a .vhv file. The file is used only if it matches the model completely.
func (g *lightFiles) vertexLight(j *litProp, data []byte) error {
	h := j.placed.variant.hardware
	file, err := vhv.Decode(data)
	if err != nil {
		return err
	}
	if file.Checksum != h.checksum {
		return fmt.Errorf("it is for a model with the checksum %08x, but the model has %08x", file.Checksum, h.checksum)
	}
	colors := j.newColors(g.materials)
	for i, to := range colors {
		for _, group := range h.groups[i] {
			if to == nil {
				break
			}
			if group.Mesh >= len(file.Meshes) {
				return fmt.Errorf("it has %d meshes, the model has a mesh %d", len(file.Meshes), group.Mesh)
			}
			m := &file.Meshes[group.Mesh]
			if m.LOD != h.lod || m.Count != group.Vertices || m.Count > len(to) {
				return fmt.Errorf("mesh %d has %d vertices at detail %d, the model's has %d at %d", group.Mesh, m.Count, m.LOD,
					group.Vertices, h.lod)
			}
			m.Light(to[:m.Count], g.sun)
			to = to[m.Count:]
		}
		if len(to) > 0 {
			return fmt.Errorf("surface %d has %d vertices that are in no mesh", i, len(to))
		}
	}
	j.colors = colors
	return nil
}

// texels reads a prop's charts from a .ppl file. A surface whose vertices are in several strip groups gets the image
// of the first.
func (g *lightFiles) texels(j *litProp, data []byte) error {
	h := j.placed.variant.hardware
	file, err := vhv.DecodeTexels(data)
	if err != nil {
		return err
	}
	if file.Checksum != h.checksum {
		return fmt.Errorf("it is for a model with the checksum %08x, but the model has %08x", file.Checksum, h.checksum)
	}
	pictures := make([]*vhv.Picture, len(h.groups))
	luxels := int64(0)
	for i, groups := range h.groups {
		if len(groups) == 0 || j.placed.variant.litVertices(g.materials, i) == 0 {
			continue
		}
		at := groups[0].Mesh
		if at >= len(file.Pictures) || file.Pictures[at].LOD != h.lod {
			return fmt.Errorf("it has no picture of mesh %d at detail %d", at, h.lod)
		}
		if p := &file.Pictures[at]; p.Width > 0 && p.Height > 0 {
			pictures[i] = p
			luxels += int64(p.Width) * int64(p.Height)
		}
	}
	if luxels == 0 {
		return nil
	}
	if err := g.library.budget.Reserve(luxels * colorSize); err != nil {
		return err
	}
	j.charts = make([]*world.Chart, len(pictures))
	for i, p := range pictures {
		if p != nil {
			j.charts[i] = &world.Chart{Width: p.Width, Height: p.Height, Layers: []world.Layer{{Luxels: p.Light()}}}
		}
	}
	return nil
}
