package convert

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// OBJ returns the scene as name.obj with name.mtl and its images in the folder imageDir. OBJ has one set of texture
// coordinates and no light: where the scene has lightmaps, name.lightmap.obj is the same geometry with the lightmap's
// coordinates and name.lightmap.mtl shows the pages. There is a group for each entity and material; entities that
// are only places, lights and cameras have no counterpart and stay out. name.obj comes last.
func OBJ(s *Scene, name, imageDir string) []OutFile {
	w := &objWriter{scene: s, name: name, dir: imageDir, names: &fileNames{map[string]bool{}}, paths: map[int]string{}}
	var out []OutFile
	lit := false
	for _, m := range s.Materials {
		lit = lit || m.Lightmap != None
	}
	mtl := w.mtl(false)
	obj := w.obj(name+".mtl", false)
	if lit {
		out = append(out, OutFile{name + ".lightmap.mtl", w.mtl(true)}, OutFile{name + ".lightmap.obj", w.obj(name+".lightmap.mtl", true)})
	}
	return append(append(w.files, out...), OutFile{name + ".mtl", mtl}, OutFile{name + ".obj", obj})
}

type objWriter struct {
	scene *Scene
	name  string
	dir   string
	names *fileNames
	paths map[int]string // of the images that a material uses
	files []OutFile
}

// image returns the path of an image's file and adds the file when it is first used.
func (w *objWriter) image(i int) string {
	if p, ok := w.paths[i]; ok {
		return p
	}
	im := &w.scene.Images[i]
	p := strings.Trim(w.dir+"/"+w.names.path(im.Name), "/") + extension(im.MIME)
	w.paths[i] = p
	w.files = append(w.files, OutFile{p, im.Data})
	return p
}

// mtl is the material library: the textures, or the lightmap pages.
func (w *objWriter) mtl(light bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n", w.scene.Generator)
	for i := range w.scene.Materials {
		m := &w.scene.Materials[i]
		fmt.Fprintf(&b, "\nnewmtl %s\n", objName(m.Name))
		c := m.BaseColor
		if light {
			c = [4]float32{1, 1, 1, 1}
		}
		fmt.Fprintf(&b, "Kd %.6g %.6g %.6g\nKs 0 0 0\nillum 1\n", c[0], c[1], c[2])
		if c[3] < 1 {
			fmt.Fprintf(&b, "d %.6g\n", c[3])
		}
		if light {
			if m.Lightmap != None {
				fmt.Fprintf(&b, "map_Kd -clamp on %s\n", w.image(m.Lightmap))
			}
			continue
		}
		if m.Base.Image >= 0 {
			clamp := ""
			if m.Base.Clamp {
				clamp = "-clamp on "
			}
			p := w.image(m.Base.Image)
			fmt.Fprintf(&b, "map_Kd %s%s\n", clamp, p)
			if m.Alpha != 0 {
				fmt.Fprintf(&b, "map_d %s\n", p)
			}
		}
		if e := m.Emission; e != [3]float32{} {
			fmt.Fprintf(&b, "Ke %.6g %.6g %.6g\n", e[0], e[1], e[2])
			if m.Emissive.Image >= 0 {
				fmt.Fprintf(&b, "map_Ke %s\n", w.image(m.Emissive.Image))
			}
		}
	}
	return b.Bytes()
}

// objName is a name without blanks, which end a name in OBJ.
func objName(s string) string { return strings.Join(strings.Fields(s), "_") }

// obj is the geometry: every primitive of every node that has a mesh, in the scene's place.
func (w *objWriter) obj(library string, light bool) []byte {
	b := make([]byte, 0, w.size())
	b = fmt.Appendf(b, "# %s\nmtllib %s\n", w.scene.Generator, library)
	base := uint64(1)
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == None {
			continue
		}
		at := w.place(i)
		for k := range w.scene.Meshes[n.Mesh].Primitives {
			p := &w.scene.Meshes[n.Mesh].Primitives[k]
			material := objName(w.scene.Materials[p.Material].Name)
			b = fmt.Appendf(b, "o %s\ng %s_%s\nusemtl %s\n", objName(n.Name), objName(n.Name), material, material)
			for v, pos := range p.Positions {
				uv := p.UV[v]
				if light {
					uv = [2]float32{}
					if p.UV2 != nil {
						uv = p.UV2[v]
					}
				}
				b = append(b, 'v')
				for c := range pos {
					b = number(b, pos[c]+at[c])
				}
				b = append(b, "\nvn"...)
				for _, x := range p.Normals[v] {
					b = number(b, x)
				}
				b = append(b, "\nvt"...)
				b = number(number(b, uv[0]), 1-uv[1])
				b = append(b, '\n')
			}
			for t := 0; t+2 < len(p.Indices); t += 3 {
				b = append(b, 'f')
				for _, x := range p.Indices[t : t+3] {
					for sep := range 3 {
						b = append(b, " //"[sep])
						b = strconv.AppendUint(b, base+uint64(x), 10)
					}
				}
				b = append(b, '\n')
			}
			base += uint64(len(p.Positions))
		}
	}
	return b
}

// size is about what the text takes.
func (w *objWriter) size() (n int) {
	for _, m := range w.scene.Meshes {
		for _, p := range m.Primitives {
			n += 80*len(p.Positions) + 8*len(p.Indices)
		}
	}
	return n
}

// place is where a node's mesh is: brush models are moved, never turned.
func (w *objWriter) place(i int) (at [3]float32) {
	for ; i != None; i = w.scene.Nodes[i].Parent {
		for c, x := range w.scene.Nodes[i].Translation {
			at[c] += float32(x)
		}
	}
	return at
}

// number appends a blank and a number of at most six decimals.
func number(b []byte, x float32) []byte {
	b = append(b, ' ')
	start := len(b)
	b = strconv.AppendFloat(b, float64(x), 'f', 6, 32)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	if string(b[start:]) == "-0" {
		b = append(b[:start], '0')
	}
	return b
}
