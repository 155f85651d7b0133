// Package quake3 reads the maps of Quake III and its kin: IBSP 46 and 47, RBSP and FBSP.
//
// A map is a directory of 17 or 18 lumps. Surfaces are polygons and meshes (vertices with draw indices), Bezier
// patches (a grid of control points) and flares; their vertices carry texture and lightmap coordinates, so no planes
// or edges are needed to draw them. Light is in square pages of 8-bit RGB, inside the file or beside it, stored darker
// than it is shown by an overbright shift.
//
// Raven's and QFusion's wide records have room for four lightmaps and colours per vertex, each with a light style.
// The narrow records are lifted to them, so that all code after the records knows one layout.
package quake3

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// unit makes a player of 56 units 1.75 metres tall.
const unit = 1.0 / 32

// decoder is the map while it is lifted.
type decoder struct {
	o         Options
	v         variant
	f         *le.File
	w         *world.World
	curve     *curve
	shaders   []shaderRecord
	surfaces  []surface
	vertices  vertices
	indices   indices
	lights    *lightmaps
	materials map[materialKey]int
	arena     []world.Vertex // what is left of the vertices allocated for all surfaces
	used      []bool         // surfaces that a model has taken
}

// materialKey is what makes a material: a name that is lit in two ways is two.
type materialKey struct {
	shader   int32
	lighting world.Lighting
}

// Decode reads a map. It fails where the directory or an essential lump (shaders, models, vertices, indices,
// surfaces) is broken; a broken surface, entity, fog or light is an issue, and the rest is kept.
func Decode(ctx context.Context, f *le.File, o Options) (*world.World, error) {
	d := &decoder{o: o, f: f, curve: newCurve(o.Overbright, o.Albedo), materials: map[materialKey]int{}}
	all, err := d.directory()
	if err != nil {
		return nil, err
	}
	for _, step := range []func([]le.Lump) error{d.readRecords, d.entities, d.fogs} {
		if err := step(all); err != nil {
			return nil, err
		}
	}
	if d.lights, err = d.readLightmaps(ctx, all[lumpLightmaps]); err != nil {
		return nil, err
	}
	if err := d.models(ctx, all[lumpModels]); err != nil {
		return nil, err
	}
	d.w.Charts = d.lights.charts
	d.grid(all)
	if len(d.w.Materials) == 0 && len(d.w.Billboards) == 0 {
		return nil, &le.FormatError{Code: "empty", Index: -1, Offset: -1, Detail: "the map has no surface that can be read"}
	}
	return d.w, nil
}

// issue records something that was survived.
func (d *decoder) issue(code, where, format string, args ...any) {
	d.w.Issues = append(d.w.Issues, world.Issue{Code: code, Where: where, Detail: fmt.Sprintf(format, args...)})
}

// directory reads the header and all lumps that are used.
func (d *decoder) directory() ([]le.Lump, error) {
	head, err := d.f.Head(8 + 8*len(lumps))
	if err != nil {
		return nil, err
	}
	c := le.NewCursor("header", head)
	ident, version := string(c.Bytes(4)), c.Uint32()
	for _, v := range variants {
		if v.ident == ident && v.version == version {
			d.v = v
		}
	}
	if d.v.lumps == 0 {
		return nil, fmt.Errorf("%s version %d: %w", ident, version, errors.ErrUnsupported)
	}
	d.w = &world.World{
		Name: d.o.Name, Unit: unit,
		Format: world.Format{Family: "Quake III", Ident: ident, Version: int(version), Game: d.v.game,
			Why: fmt.Sprintf("the file starts with %s and version %d", ident, version)},
	}
	all := make([]le.Lump, len(lumps))
	for i := range d.v.lumps {
		offset, length := int64(c.Int32()), int64(c.Int32())
		if err := c.Err(); err != nil {
			return nil, err
		}
		name := fmt.Sprintf("lump %d (%s)", i, lumps[i].name)
		info := world.Lump{Index: i, Name: lumps[i].name, Offset: offset, Size: length}
		if size := d.v.recordSize(i); size > 0 {
			info.Records = int(length) / size
		}
		d.w.Lumps = append(d.w.Lumps, info)
		all[i] = le.Lump{Name: name}
		if length == 0 || i == lumpVisibility || i == lumpNodes || i == lumpLeafs || i == lumpLeafSurfaces || i == lumpLeafBrushes {
			continue // not drawn
		}
		if all[i], err = d.f.Lump(name, offset, length); err != nil {
			if i == lumpLightGrid || i == lumpLightArray || i == lumpFogs {
				d.issue("lump-bounds", name, "%v", err)
				all[i] = le.Lump{Name: name}
				continue
			}
			return nil, err
		}
	}
	return all, nil
}

// readRecords reads the lumps that surfaces are made of.
func (d *decoder) readRecords(all []le.Lump) (err error) {
	if d.shaders, err = le.Records[shaderRecord](all[lumpShaders]); err != nil {
		return err
	}
	if d.surfaces, err = readSurfaces(all[lumpSurfaces], d.v.wide); err != nil {
		return err
	}
	d.used = make([]bool, len(d.surfaces))
	d.vertices = vertices{data: all[lumpVertices].Data, stride: d.v.recordSize(lumpVertices), slots: 1}
	if d.v.wide {
		d.vertices.slots = 4
	}
	if _, err = all[lumpVertices].Count(d.vertices.stride); err != nil {
		return err
	}
	if _, err = all[lumpIndices].Count(4); err != nil {
		return err
	}
	d.indices = all[lumpIndices].Data
	if len(d.surfaces) == 0 {
		return all[lumpSurfaces].Fault("empty", -1, "the map has no surfaces")
	}
	return nil
}

// entities lifts the entity text.
func (d *decoder) entities(all []le.Lump) error {
	l := all[lumpEntities]
	blocks, faults, err := entlump.Parse(l.Data, d.f.Budget().Limits)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	for _, f := range faults {
		d.issue("entity-text", fmt.Sprintf("entity %d", f.Entity), "%s", f.Detail)
	}
	models := len(all[lumpModels].Data) / d.v.recordSize(lumpModels)
	d.w.Entities = make([]world.Entity, len(blocks))
	for i, b := range blocks {
		e := world.Entity{Pairs: make([]world.Pair, len(b)), Model: world.NoModel}
		for k, p := range b {
			e.Pairs[k] = world.Pair{Key: text(p[0]), Value: text(p[1])}
		}
		if i == 0 && models > 0 {
			e.Model = 0 // worldspawn
		} else if name, ok := strings.CutPrefix(e.Value("model"), "*"); ok {
			n, ok := parseIndex(name)
			if ok && n > 0 && n < models {
				e.Model = n
			} else {
				d.issue("entity-model", fmt.Sprintf("entity %d (%s)", i, e.Class()), "there is no brush model %.40q", "*"+name)
			}
		}
		d.w.Entities[i] = e
		d.prop(i)
	}
	if len(blocks) == 0 || !strings.EqualFold(d.w.Entities[0].Class(), "worldspawn") {
		d.issue("entity-worldspawn", "entity 0", "the first entity is not worldspawn")
	}
	return nil
}

// prop records the model file that an entity shows: misc_model and its kin, and the model2 of a mover.
func (d *decoder) prop(i int) {
	e := &d.w.Entities[i]
	for _, key := range []string{"model", "model2"} {
		name := strings.ToLower(strings.ReplaceAll(e.Value(key), `\`, "/"))
		if name == "" || strings.HasPrefix(name, "*") || path.Ext(name) == "" || strings.EqualFold(e.Class(), "misc_model") {
			continue // the compiler has made surfaces of every misc_model
		}
		p := world.Prop{Model: name, Index: world.NoModel, Entity: i, Angles: e.Angles(), Scale: [3]float32{1, 1, 1}}
		p.Origin, _ = e.Vector("origin")
		if s, ok := e.Float("modelscale"); ok && s != 0 {
			p.Scale = [3]float32{float32(s), float32(s), float32(s)}
		}
		if v, ok := e.Vector("modelscale_vec"); ok {
			p.Scale = v
		}
		d.w.Props = append(d.w.Props, p)
	}
}

// text makes a string of the file valid UTF-8: what is not is read as Latin-1, as the tools of the time wrote it.
func text(s string) string {
	if valid := strings.ToValidUTF8(s, ""); len(valid) == len(s) {
		return s
	}
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

// parseIndex reads a small decimal number.
func parseIndex(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// fogs lifts the fog volumes: boxes around the brush that makes them.
func (d *decoder) fogs(all []le.Lump) error {
	fogs, err := le.Records[fogRecord](all[lumpFogs])
	if err != nil {
		d.issue("fog", all[lumpFogs].Name, "%v", err)
		return nil
	}
	brushes, err := le.Records[brushRecord](all[lumpBrushes])
	if err != nil {
		d.issue("brush", all[lumpBrushes].Name, "%v", err)
	}
	side := d.v.recordSize(lumpBrushSides)
	for i, f := range fogs {
		fog := world.Fog{Global: f.Brush < 0, Material: d.nameMaterial(le.String(f.Name[:]))}
		if !fog.Global && !d.brushBox(&fog, brushes, f.Brush, all[lumpBrushSides].Data, side, all[lumpPlanes].Data) {
			d.issue("fog", fmt.Sprintf("fog %d", i), "brush %d does not bound it", f.Brush)
		}
		d.w.Fogs = append(d.w.Fogs, fog)
	}
	return nil
}

// brushBox finds the box of a brush from its first six sides, which are -X +X -Y +Y -Z +Z.
func (d *decoder) brushBox(fog *world.Fog, brushes []brushRecord, brush int32, sides []byte, size int, planes []byte) bool {
	if int(brush) >= len(brushes) || brushes[brush].Sides < 6 || brushes[brush].FirstSide < 0 {
		return false
	}
	for i := range 6 {
		at := (int64(brushes[brush].FirstSide) + int64(i)) * int64(size)
		if at+4 > int64(len(sides)) {
			return false
		}
		plane := int64(le.Int32(sides[at:])) * 16
		if plane < 0 || plane+16 > int64(len(planes)) {
			return false
		}
		dist := le.Float32(planes[plane+12:])
		if i%2 == 0 {
			fog.Mins[i/2] = -dist
		} else {
			fog.Maxs[i/2] = dist
		}
	}
	return finite(fog.Mins[:]) && finite(fog.Maxs[:])
}

// nameMaterial returns the material of a name that no surface has: a fog's.
func (d *decoder) nameMaterial(name string) int {
	name = materialName(name)
	for i, m := range d.w.Materials {
		if m.Name == name {
			return i
		}
	}
	d.w.Materials = append(d.w.Materials, world.Material{Name: name, Lighting: world.Fullbright})
	return len(d.w.Materials) - 1
}

// materialName is a name as scripts and files are looked up by: lower case, forward slashes, no extension.
func materialName(s string) string {
	s = strings.ToLower(strings.ReplaceAll(text(s), `\`, "/"))
	if i := strings.LastIndexByte(s, '.'); i > strings.LastIndexByte(s, '/') {
		s = s[:i]
	}
	return s
}

// models lifts the models with their surfaces.
func (d *decoder) models(ctx context.Context, l le.Lump) error {
	records, err := le.Records[modelRecord](l)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return l.Fault("empty", -1, "the map has no models")
	}
	total := int64(0)
	for _, s := range d.surfaces {
		total += max(0, int64(s.Vertices))
	}
	if total > int64(4*len(d.vertices.data)/d.vertices.stride+4) {
		total = 0 // surfaces that share vertices: allocate as they come, counted by the budget
	}
	if err := d.f.Budget().Reserve(total * 56); err != nil {
		return err
	}
	d.arena = make([]world.Vertex, total)
	for i, r := range records {
		m := world.Model{Name: fmt.Sprintf("*%d", i), Mins: r.Mins, Maxs: r.Maxs}
		first, n := int64(r.FirstSurface), int64(r.Surfaces)
		if first < 0 || n < 0 || first+n > int64(len(d.surfaces)) {
			d.issue("model-range", "model "+m.Name, "surfaces %d to %d are outside the %d of the map", first, first+n-1, len(d.surfaces))
			n = max(0, min(n, int64(len(d.surfaces))-first))
			if first < 0 {
				first, n = 0, 0
			}
		}
		if i == 0 {
			m.Surfaces = make([]world.Surface, 0, n)
		}
		for s := first; s < first+n; s++ {
			if d.used[s] {
				continue // a surface is drawn once
			}
			d.used[s] = true
			if s%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := d.surface(&m, i, int(s)); err != nil {
				return err
			}
		}
		d.w.Models = append(d.w.Models, m)
	}
	d.w.Faces = len(d.surfaces)
	for s, used := range d.used {
		if !used {
			d.issue("face-unused", fmt.Sprintf("face %d", s), "no model has it")
		}
	}
	return nil
}

// dropped is a surface that is left out, and why.
type dropped struct{ code, detail string }

func drop(code, format string, args ...any) *dropped {
	return &dropped{code, fmt.Sprintf(format, args...)}
}

// surface lifts surface index into model m. Only a limit is an error.
func (d *decoder) surface(m *world.Model, model, index int) error {
	s := d.surfaces[index]
	if s.Shape == shapeFoliage {
		s.Vertices = max(0, s.PatchWidth)
	}
	if int(s.Shader) >= len(d.shaders) || s.Shader < 0 {
		d.issue("face-material", fmt.Sprintf("face %d", index), "shader %d is outside the %d of the map", s.Shader, len(d.shaders))
		return nil
	}
	if s.Shape == shapeFlare {
		d.flare(s, model, index)
		return nil
	}
	light := d.lights.of(d, s, index)
	out := world.Surface{Material: d.material(s.Shader, light.kind), Chart: light.chart, Fog: -1, Record: index}
	out.Flags = d.w.Materials[out.Material].Flags
	if s.Fog >= 0 && int(s.Fog) < len(d.w.Fogs) {
		out.Fog = int(s.Fog)
	}
	vertices, bad, err := d.corners(s, light)
	if err != nil {
		return fmt.Errorf("face %d: %w", index, err)
	}
	if bad == nil {
		switch s.Shape {
		case shapePolygon, shapeMesh:
			out.Shape, bad = d.triangles(s, vertices)
		case shapePatch:
			out.Shape, bad = patch(s, vertices)
		case shapeFoliage:
			out.Shape, bad, err = d.foliage(s, vertices)
			if err != nil {
				return fmt.Errorf("face %d: %w", index, err)
			}
		default:
			bad = drop("face-shape", "shape %d is unknown", s.Shape)
		}
	}
	if bad != nil {
		d.issue(bad.code, fmt.Sprintf("face %d", index), "%s", bad.detail)
		return nil
	}
	m.Surfaces = append(m.Surfaces, out)
	return nil
}

// material returns the index of a shader that is lit in a way.
func (d *decoder) material(shader int32, kind world.Lighting) int {
	key := materialKey{shader, kind}
	i, ok := d.materials[key]
	if !ok {
		r := d.shaders[shader]
		i = len(d.w.Materials)
		d.w.Materials = append(d.w.Materials, world.Material{
			Name: materialName(le.String(r.Name[:])), Lighting: kind, Flags: d.v.flags.lift(r.Surface, r.Contents),
			Contents: r.Contents, Surface: r.Surface,
		})
		d.materials[key] = i
	}
	return i
}

// corners lifts the vertices of a surface.
func (d *decoder) corners(s surface, light lighting) ([]world.Vertex, *dropped, error) {
	count := len(d.vertices.data) / d.vertices.stride
	first, n := int64(s.FirstVertex), int64(s.Vertices)
	if first < 0 || n < 0 || first+n > int64(count) {
		return nil, drop("face-vertices", "vertices %d to %d are outside the %d of the map", first, first+n-1, count), nil
	}
	if n > int64(len(d.arena)) {
		if err := d.f.Budget().Reserve(n * 56); err != nil {
			return nil, nil, err
		}
		d.arena = make([]world.Vertex, n)
	}
	out := d.arena[:n:n]
	d.arena = d.arena[n:]
	for i := range out {
		v := &out[i]
		var lm [2]float32
		var colors [4][4]uint8
		v.Position, v.Normal, v.UV, lm, colors = d.vertices.at(int(first) + i)
		if !finite(v.Position[:]) || !finite(v.UV[:]) {
			return nil, drop("face-number", "vertex %d has a coordinate that is not a number", first+int64(i)), nil
		}
		if !finite(v.Normal[:]) {
			v.Normal = [3]float32{}
		}
		if light.chart != world.NoChart && finite(lm[:]) {
			v.Luxel = [2]float32{lm[0]*light.size[0] - light.origin[0], lm[1]*light.size[1] - light.origin[1]}
		}
		v.Color = d.curve.color(colors[light.slot])
	}
	return out, nil, nil
}

// triangles lifts a polygon or a mesh. Quake III's triangles are clockwise seen from the front, the world's are not.
func (d *decoder) triangles(s surface, vertices []world.Vertex) (world.Shape, *dropped) {
	first, n := int64(s.FirstIndex), int64(s.Indices)
	if first < 0 || n < 0 || first+n > int64(d.indices.len()) {
		return nil, drop("face-indices", "indices %d to %d are outside the %d of the map", first, first+n-1, d.indices.len())
	}
	if n < 3 {
		return nil, drop("face-empty", "it has %d indices", n)
	}
	out := make([]uint32, 0, n-n%3)
	for i := int(first); i+2 < int(first+n); i += 3 {
		a, b, c := d.indices.at(i), d.indices.at(i+2), d.indices.at(i+1)
		if most := uint32(len(vertices)); a >= most || b >= most || c >= most {
			return nil, drop("face-indices", "index %d is outside its %d vertices", max(a, b, c), most)
		}
		out = append(out, a, b, c)
	}
	return &world.Triangles{Vertices: vertices, Indices: out}, nil
}

// patch lifts a grid of control points.
func patch(s surface, vertices []world.Vertex) (world.Shape, *dropped) {
	w, h := int64(s.PatchWidth), int64(s.PatchHeight)
	if w < 3 || h < 3 || w%2 == 0 || h%2 == 0 || w > 1<<15 || h > 1<<15 || w*h > int64(len(vertices)) {
		return nil, drop("face-patch", "a patch of %d x %d with %d control points", w, h, len(vertices))
	}
	return &world.Patch{Width: int(w), Height: int(h), Control: vertices[:w*h]}, nil
}

// foliage repeats a mesh at the points that follow its vertices (Enemy Territory, tr_bsp.c, ParseFoliage: the patch's
// width is the number of vertices of the mesh, its height the number of points).
func (d *decoder) foliage(s surface, mesh []world.Vertex) (world.Shape, *dropped, error) {
	shape, bad := d.triangles(s, mesh)
	if bad != nil {
		return nil, bad, nil
	}
	points := s
	points.FirstVertex, points.Vertices = s.FirstVertex+s.Vertices, s.PatchHeight
	at, bad, err := d.corners(points, lighting{chart: world.NoChart})
	if bad != nil || err != nil {
		return nil, bad, err
	}
	one := shape.(*world.Triangles)
	n := int64(len(at)) * int64(len(mesh))
	if err := d.f.Budget().Vertices(n); err != nil {
		return nil, nil, err
	}
	if err := d.f.Budget().Reserve(n*56 + int64(len(at))*int64(len(one.Indices))*4); err != nil {
		return nil, nil, err
	}
	all := &world.Triangles{Vertices: make([]world.Vertex, 0, n), Indices: make([]uint32, 0, len(at)*len(one.Indices))}
	for _, p := range at {
		base := uint32(len(all.Vertices))
		for _, v := range one.Vertices {
			for k := range v.Position {
				v.Position[k] += p.Position[k]
			}
			v.Color = p.Color
			all.Vertices = append(all.Vertices, v)
		}
		for _, x := range one.Indices {
			all.Indices = append(all.Indices, base+x)
		}
	}
	return all, nil, nil
}

// flare lifts a billboard: its place, colour and direction are in the lightmap's fields.
func (d *decoder) flare(s surface, model, index int) {
	if !finite(s.Origin[:]) {
		d.issue("face-number", fmt.Sprintf("face %d", index), "a flare without a place")
		return
	}
	b := world.Billboard{Position: s.Origin, Normal: s.Vectors[2], Material: d.material(s.Shader, world.Fullbright), Model: model, Record: index}
	for k, c := range s.Vectors[0] {
		b.Color[k] = d.curve.linear(min(max(c, 0), 1))
	}
	if !finite(b.Normal[:]) {
		b.Normal = [3]float32{}
	}
	if !finite(b.Color[:]) {
		b.Color = [3]float32{1, 1, 1}
	}
	d.w.Billboards = append(d.w.Billboards, b)
}

func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
