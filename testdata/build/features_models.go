package main

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/phy"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/sourcemdl"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// modelsMap has the models of sourceModels. As static props: a table, and one in its second skin. As entities: a table in
// its second skin with the lamp on it; a gate, which is shut, and one that its DefaultAnim opens. A probe is in the middle.
func modelsMap() *vbsp.Map {
	m := sourceRoom("models")
	m.StaticProps = &vbsp.StaticProps{Version: 6, Size: 64, Models: []string{"models/ours/table.mdl"}, Leaves: []uint16{1, 1},
		Props: []vbsp.StaticProp{
			{Origin: p3{-96, 0, 0}, NumLeaves: 1, Solid: 6, ForcedFade: 1},
			{Origin: p3{-96, 96, 0}, Angles: p3{0, 45, 0}, FirstLeaf: 1, NumLeaves: 1, Solid: 6, Skin: 1, ForcedFade: 1},
		}}
	m.Entities = append(m.Entities,
		vbsp.Entity{{"origin", "96 0 0"}, {"angles", "0 90 0"}, {"model", "models/ours/table.mdl"}, {"skin", "1"}, {"SetBodyGroup", "1"},
			{"classname", "prop_dynamic"}},
		vbsp.Entity{{"origin", "-32 192 0"}, {"angles", "0 -90 0"}, {"model", "models/ours/gate.mdl"}, {"classname", "prop_dynamic"}},
		vbsp.Entity{{"origin", "96 192 0"}, {"angles", "0 -90 0"}, {"model", "models/ours/gate.mdl"}, {"DefaultAnim", "Open"},
			{"classname", "prop_dynamic"}})
	m.Probes = []vbsp.Probe{sixColours(p3{0, 0, 64})}
	m.LightAll(half)
	return m
}

// sourceModels returns the models of modelsMap with their materials.
func sourceModels() map[string]func() []byte {
	files := map[string]func() []byte{}
	for name, build := range map[string]func() *sourcemdl.Model{"table": table, "gate": gate} {
		for _, ext := range []string{".mdl", ".vvd", ".dx90.vtx"} {
			files["source/models/ours/"+name+ext] = func() []byte { return build().Files()[ext] }
		}
	}
	files["source/models/ours/gate.phy"] = func() []byte {
		return phy.File(phy.Solid{Bone: "post", Mins: p3{-2, -2, 0}, Maxs: p3{2, 2, 64}},
			phy.Solid{Bone: "leaf", Mins: p3{-1, 2, 0}, Maxs: p3{1, 42, 48}})
	}
	for name, texture := range map[string]string{"table": "wood", "table_metal": "metal", "lamp": "lamp"} {
		files["source/materials/models/ours/"+name+".vmt"] = func() []byte {
			return []byte("\"VertexLitGeneric\"\n{\n\t\"$basetexture\" \"ours/" + texture + "\"\n}\n")
		}
	}
	return files
}

// table is 48 units wide, deep and 32 high, and does not move. Skin 1 is of metal; body 1 has a lamp on it. From the
// second level of detail on it has no stretchers between its legs.
func table() *sourcemdl.Model {
	wood, lamp := &solid{}, &solid{}
	wood.box(p3{-24, -24, 28}, p3{24, 24, 32})
	for _, x := range []float32{-22, 18} {
		for _, y := range []float32{-22, 18} {
			wood.box(p3{x, y, 0}, p3{x + 4, y + 4, 28})
		}
	}
	far := wood.triangles()
	wood.box(p3{-21, -18, 8}, p3{-19, 18, 10})
	wood.box(p3{19, -18, 8}, p3{21, 18, 10})
	lamp.box(p3{-4, -4, 32}, p3{4, 4, 44})
	return &sourcemdl.Model{
		Checksum: 0x7ab1e, Flags: sourcemdl.StaticProp, Center: p3{0, 0, 16}, Mins: p3{-24, -24, 0}, Maxs: p3{24, 24, 44}, Levels: 2,
		Fixups:   true,
		Bones:    []sourcemdl.Bone{{Name: "static_prop", Parent: -1}},
		Textures: []string{"table", "lamp", "Table_Metal.vmt"}, Folders: []string{`models\ours\`, ""},
		Skins:      [][]int16{{0, 1}, {2, 1}},
		Animations: []sourcemdl.Animation{{Data: sourcemdl.NoRecords()}},
		Sequences:  []sourcemdl.Sequence{{Label: "idle"}},
		Parts: []sourcemdl.Part{
			{Base: 1, Variants: []sourcemdl.Variant{{Meshes: []sourcemdl.Mesh{wood.mesh(0, wood.triangles(), far)}}}},
			{Base: 1, Variants: []sourcemdl.Variant{{}, {Meshes: []sourcemdl.Mesh{lamp.mesh(1, lamp.triangles(), lamp.triangles())}}}},
		},
	}
}

// gate returns a post of 64 units with a leaf to the left (+Y) that hangs on a bone of its own: shut by its first sequence,
// opened to the front (+X) by its second.
func gate() *sourcemdl.Model {
	post, leaf := &solid{}, &solid{bone: 1}
	post.box(p3{-2, -2, 0}, p3{2, 2, 64})
	leaf.box(p3{-1, 2, 8}, p3{1, 42, 56})
	const step = math.Pi / 200
	return &sourcemdl.Model{
		Checksum: 0x9a7e, Center: p3{0, 16, 32}, Mins: p3{-2, -2, 0}, Maxs: p3{42, 42, 64},
		Bones: []sourcemdl.Bone{
			{Name: "post", Parent: -1},
			{Name: "leaf", Position: p3{0, 0, 8}, AngleStep: p3{step, step, step}},
		},
		Textures: []string{"table", "table_metal"}, Folders: []string{"models/ours/"}, Skins: [][]int16{{0, 1}},
		Animations: []sourcemdl.Animation{{Data: sourcemdl.NoRecords()},
			{Data: sourcemdl.Records(sourcemdl.Record{Bone: 1, Flags: sourcemdl.MovedTurn, Tracks: [][3]int16{{0, 0, -100}}})}},
		Sequences: []sourcemdl.Sequence{{Label: "shut"}, {Label: "open", Animation: 1}},
		Parts: []sourcemdl.Part{{Base: 1,
			Variants: []sourcemdl.Variant{{Meshes: []sourcemdl.Mesh{post.mesh(0, post.triangles()), leaf.mesh(1, leaf.triangles())}}}}},
	}
}

// solid is boxes of one material that hang on one bone.
type solid struct {
	bone     uint8
	vertices []sourcemdl.Vertex
	indices  []uint16
}

// box adds the six sides of a box; a texture is 32 units.
func (s *solid) box(mins, maxs p3) {
	for axis := range 3 {
		for side, at := range [2]float32{mins[axis], maxs[axis]} {
			u, v := (axis+1)%3, (axis+2)%3 // seen from the greater side, V is left of U
			var normal p3
			normal[axis] = float32(2*side - 1)
			first := uint16(len(s.vertices))
			for _, c := range [4][2]bool{{false, false}, {true, false}, {true, true}, {false, true}} {
				p := mins
				p[axis] = at
				if c[0] {
					p[u] = maxs[u]
				}
				if c[1] {
					p[v] = maxs[v]
				}
				s.vertices = append(s.vertices, sourcemdl.Vertex{
					Weights: p3{1}, Bones: [3]uint8{s.bone}, Count: 1, Position: p, Normal: normal,
					UV: p2{(p[u] - mins[u]) / 32, (maxs[v] - p[v]) / 32},
				})
			}
			corners := [6]uint16{0, 2, 1, 0, 3, 2} // clockwise from the greater side
			if side == 0 {
				corners = [6]uint16{0, 1, 2, 0, 2, 3}
			}
			for _, c := range corners {
				s.indices = append(s.indices, first+c)
			}
		}
	}
}

// triangles returns the triangles up to now, as a strip group of the vertices up to now.
func (s *solid) triangles() sourcemdl.Group {
	g := sourcemdl.Group{Strips: []sourcemdl.Strip{{Indices: s.indices}}}
	for i := range s.vertices {
		g.Vertices = append(g.Vertices, uint16(i))
	}
	return g
}

// mesh returns the boxes with a strip group for each level of detail.
func (s *solid) mesh(skin int32, levels ...sourcemdl.Group) sourcemdl.Mesh {
	m := sourcemdl.Mesh{Skin: skin, Vertices: s.vertices}
	for _, g := range levels {
		m.Levels = append(m.Levels, []sourcemdl.Group{g})
	}
	return m
}
