package sourcemdl

import "slices"

const vertexSize = 48

// each calls f for all meshes.
func (m *Model) each(f func(*Mesh)) {
	for i := range m.Parts {
		for k := range m.Parts[i].Variants {
			meshes := m.Parts[i].Variants[k].Meshes
			for j := range meshes {
				f(&meshes[j])
			}
		}
	}
}

// vertices writes the file of vertices.
func (m *Model) vertices() []byte {
	// The coarsest level that has a vertex.
	var all []Vertex
	var level []int32
	m.each(func(mesh *Mesh) {
		for i := range mesh.Vertices {
			coarsest := 0
			for l, groups := range mesh.Levels {
				for _, g := range groups {
					if slices.Contains(g.Vertices, uint16(i)) {
						coarsest = l
					}
				}
			}
			level = append(level, int32(coarsest))
		}
		all = append(all, mesh.Vertices...)
	})
	levels := max(1, m.Levels)
	var counts [8]int32
	for _, l := range level {
		for k := range l + 1 {
			counts[k]++
		}
	}
	order := make([]int, len(all)) // of the file: the vertices, coarsest first
	for i := range order {
		order[i] = i
	}
	var fixups [][3]int32
	if m.Fixups {
		slices.SortStableFunc(order, func(a, b int) int { return int(level[b] - level[a]) })
		for i := range all {
			at := int32(slices.Index(order, i))
			if n := len(fixups); n > 0 && fixups[n-1][0] == level[i] && fixups[n-1][1]+fixups[n-1][2] == at {
				fixups[n-1][2]++
			} else {
				fixups = append(fixups, [3]int32{level[i], at, 1})
			}
		}
	} else {
		for k := range counts {
			counts[k] = int32(len(all))
		}
	}
	f := &file{}
	start := 64 + 12*len(fixups)
	f.put([]byte("IDSV"), int32(4), m.Checksum, int32(levels), counts, int32(len(fixups)), int32(64), int32(start),
		int32(start+vertexSize*len(all)))
	f.put(fixups)
	for _, i := range order {
		f.put(all[i])
	}
	for range all {
		f.put([4]float32{1, 0, 0, 1})
	}
	return f.Bytes()
}

// triangles writes the file of triangles. It has all records of a kind one after the other.
func (m *Model) triangles() []byte {
	groupSize, stripSize := 25, 27
	if m.Wide {
		groupSize, stripSize = 33, 35
	}
	levels := max(1, m.Levels)
	// The addresses of the records to be.
	var variants, meshes, groups, strips, vertices, indices int
	for _, p := range m.Parts {
		variants += len(p.Variants)
	}
	m.each(func(mesh *Mesh) {
		meshes++
		for _, l := range mesh.Levels {
			groups += len(l)
			for _, g := range l {
				strips, vertices = strips+len(g.Strips), vertices+len(g.Vertices)
				for _, s := range g.Strips {
					indices += len(s.Indices)
				}
			}
		}
	})
	partAt := 36 + 8*levels
	for _, list := range m.Replaced {
		partAt += 6 * len(list)
	}
	variantAt := partAt + 8*len(m.Parts)
	levelAt := variantAt + 8*variants
	meshAt := levelAt + 12*levels*variants
	groupAt := meshAt + 9*meshes*levels
	stripAt := groupAt + groupSize*groups
	vertexAt := stripAt + stripSize*strips
	indexAt := vertexAt + 9*vertices
	f := &file{}
	f.put(int32(7), int32(24), uint16(53), uint16(9), int32(3), m.Checksum, int32(levels), int32(36), int32(len(m.Parts)), int32(partAt))
	f.put(make([]byte, indexAt+2*indices-f.Len()))
	m.replacements(f, levels)
	for _, p := range m.Parts {
		f.set(partAt, len(p.Variants))
		f.set(partAt+4, variantAt-partAt)
		partAt += 8
		for _, v := range p.Variants {
			f.set(variantAt, levels)
			f.set(variantAt+4, levelAt-variantAt)
			variantAt += 8
			for l := range levels {
				f.set(levelAt, len(v.Meshes))
				f.set(levelAt+4, meshAt-levelAt)
				distance := float32(10 * l)
				if m.Flags&ShadowLOD != 0 && l == levels-1 {
					distance = -1
				}
				f.float(levelAt+8, distance)
				levelAt += 12
				for k := range v.Meshes {
					var list []Group
					if l < len(v.Meshes[k].Levels) {
						list = v.Meshes[k].Levels[l]
					}
					f.set(meshAt, len(list))
					f.set(meshAt+4, groupAt-meshAt)
					meshAt += 9
					for _, g := range list {
						f.group(g, groupAt, stripAt, vertexAt, indexAt, stripSize)
						groupAt, stripAt, vertexAt = groupAt+groupSize, stripAt+stripSize*len(g.Strips), vertexAt+9*len(g.Vertices)
						for _, s := range g.Strips {
							indexAt += 2 * len(s.Indices)
						}
					}
				}
			}
		}
	}
	return f.finish()
}

// replacements writes, for each level, the textures that have other names in it.
func (m *Model) replacements(f *file, levels int) {
	at := 36 + 8*levels
	for l := range levels {
		f.set(36+8*l, len(m.Replaced[l]))
		f.set(36+8*l+4, at-(36+8*l))
		for _, o := range m.Replaced[l] {
			f.set16(at, int(o.Texture))
			f.say(at+2, at, o.Name)
			at += 6
		}
	}
}

// group writes a strip group and what is in it.
func (f *file) group(g Group, at, stripAt, vertexAt, indexAt, stripSize int) {
	n := 0
	f.set(at, len(g.Vertices))
	f.set(at+4, vertexAt-at)
	f.set(at+12, indexAt-at)
	f.set(at+16, len(g.Strips))
	f.set(at+20, stripAt-at)
	f.Bytes()[at+24] = 2
	for _, s := range g.Strips {
		f.set(stripAt, len(s.Indices))
		f.set(stripAt+4, n)
		f.set(stripAt+8, len(g.Vertices))
		f.Bytes()[stripAt+18] = 1
		if s.Joined {
			f.Bytes()[stripAt+18] = 2
		}
		for _, i := range s.Indices {
			f.set16(indexAt+2*n, int(i))
			n++
		}
		stripAt += stripSize
	}
	f.set(at+8, n)
	for _, v := range g.Vertices {
		f.set16(vertexAt+4, int(v))
		vertexAt += 9
	}
}
