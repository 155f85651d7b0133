package write

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// objFiles returns name.obj with its material library and images. OBJ has one set of texture coordinates and no
// light. So if the scene has lightmaps, name.lightmap.obj has the same geometry with the coordinates of the lightmap,
// and its library shows the atlas pages. There is an object for each entity and a group for each of its materials.
// Entities without geometry, lights and cameras are left out.
func objFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	w := &objWriter{scene: s, companions: c, names: names.NewFileNames(), paths: map[int]string{}}
	lit := false
	for i := range s.Materials {
		lit = lit || s.Materials[i].Lightmap != scene.None
	}
	with := addSidecars(c, s).all
	textures := w.mtl(false)
	if lit {
		library := c.add(partFile, InMemory(lightLibraryName(c.name), w.mtl(true)))
		light := c.add(partFile, scene.OutFile{Name: c.name + ".lightmap.obj",
			Write: func(to io.Writer) error { return w.obj(to, nil, library, true) }})
		with = append(with, library, light)
	}
	library := c.add(partFile, InMemory(libraryName(c.name), textures))
	return append(c.files, scene.OutFile{Name: c.name + ".obj",
		Write: func(to io.Writer) error { return w.obj(to, with, library, false) }}), nil
}

// libraryName returns the name of the material library. Readers take the rest of the line after mtllib as one name, with its blanks.
func libraryName(name string) string { return names.Stem(name) + ".mtl" }

func lightLibraryName(name string) string { return names.Stem(name) + ".lightmap.mtl" }

type objWriter struct {
	scene      *scene.Scene
	companions *companions
	names      *names.FileNames
	paths      map[int]string // file paths by image, of those in use
}

// image returns the path of an image's file, and adds the file on its first use.
func (w *objWriter) image(i int) string {
	if p, ok := w.paths[i]; ok {
		return p
	}
	im := &w.scene.Images[i]
	w.paths[i] = w.companions.add(imageFile, InMemory(w.names.Image(im, w.companions.imageDir), im.Data))
	return w.paths[i]
}

// mtl returns the material library: with the textures or, if light is set, with the lightmap pages.
func (w *objWriter) mtl(light bool) []byte {
	b := fmt.Appendf(nil, "# %s\n", w.scene.Generator)
	for i := range w.scene.Materials {
		m := &w.scene.Materials[i]
		c := m.BaseColor
		if light {
			c = [4]float32{1, 1, 1, 1}
		}
		b = fmt.Appendf(b, "\nnewmtl %s\nKd %.6g %.6g %.6g\n", objName(m.Name), c[0], c[1], c[2])
		b = appendReflection(b, m, light)
		if c[3] < 1 {
			b = fmt.Appendf(b, "d %.6g\n", c[3])
		}
		if light {
			if m.Lightmap != scene.None {
				b = fmt.Appendf(b, "map_Kd -clamp on %s\n", w.image(m.Lightmap))
			}
			continue
		}
		if m.Base.Image >= 0 {
			clamp := ""
			if m.Base.Clamp {
				clamp = "-clamp on "
			}
			if k := m.Base.Span; k > 1 {
				clamp += fmt.Sprintf("-s %.6g %.6g 1 ", 1/float64(k), 1/float64(k))
			}
			p := w.image(m.Base.Image)
			b = fmt.Appendf(b, "map_Kd %s%s\n", clamp, p)
			if m.Alpha != 0 && w.scene.Images[m.Base.Image].Alpha { // otherwise the texture would override "d"
				b = fmt.Appendf(b, "map_d %s%s\n", clamp, p)
			}
		}
		if m.Normal.Image >= 0 {
			p := w.image(m.Normal.Image)
			b = fmt.Appendf(b, "map_Bump %s\nnorm %s\n", p, p) // Blender reads the first; the second is the PBR extension
		}
		if e := m.Emission.Color; e != [3]float32{} {
			strength := max(m.Emission.Strength, 1)
			b = fmt.Appendf(b, "Ke %.6g %.6g %.6g\n", e[0]*strength, e[1]*strength, e[2]*strength)
			if m.Emission.Slot.Image >= 0 {
				b = fmt.Appendf(b, "map_Ke %s\n", w.image(m.Emission.Slot.Image))
			}
		}
	}
	return b
}

// appendReflection appends a material's reflection: Ks and Ns for Phong's model; for newer programs Pr and Pm,
// roughness and metalness. OBJ has no mask for reflection, so a material that reflects only in places gets none.
func appendReflection(b []byte, m *scene.Material, light bool) []byte {
	r := m.Reflection
	if r == nil || r.Image >= 0 || light || m.Unlit || m.Material.Draw.Unlit {
		return append(b, "Ks 0 0 0\nillum 1\n"...)
	}
	b = append(b, "Ks"...)
	for _, c := range r.Color {
		b = fmt.Appendf(b, " %.6g", min(0.04*float64(c), 1)*float64(r.Specular))
	}
	alpha := max(float64(r.Roughness)*float64(r.Roughness), 0.01)
	return fmt.Appendf(b, "\nNs %.6g\nPr %.6g\nPm %.6g\nillum 2\n", min(2/(alpha*alpha)-2, 1000), r.Roughness, r.Metal)
}

// objName returns a name without spaces, because a space ends a name in OBJ.
func objName(s string) string { return strings.Join(strings.Fields(s), "_") }

// obj writes the geometry in world coordinates: the primitives of all nodes with a mesh. with lists the companions
// that OBJ can't refer to; comments name them.
func (w *objWriter) obj(to io.Writer, with []string, library string, light bool) error {
	b := fmt.Appendf(nil, "# %s\n", w.scene.Generator)
	if hash := w.scene.MapSHA256; hash != "" && len(with) > 0 {
		b = append(b, objMap+hash+"\n"...)
	}
	for _, name := range with {
		b = fmt.Appendf(b, "# with %s\n", name)
	}
	b = fmt.Appendf(b, "mtllib %s\n", library)
	flush := func(most int) error {
		if len(b) <= most {
			return nil
		}
		_, err := to.Write(b)
		b = b[:0]
		return err
	}
	base := uint64(1)
	places := scene.Places(w.scene)
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == scene.None || n.Body != scene.NoBody || n.Parent == scene.None && i > 0 { // coarser levels of detail are roots
			continue
		}
		b = fmt.Appendf(b, "o %s\n", objName(n.Name))
		at := places[i]
		mirrored := at.Mirrors()
		for k := range w.scene.Meshes[n.Mesh].Primitives {
			p := &w.scene.Meshes[n.Mesh].Primitives[k]
			material := objName(w.scene.Materials[p.Material].Name)
			b = fmt.Appendf(b, "g %s_%s\nusemtl %s\n", objName(n.Name), material, material)
			for v := range p.Positions {
				uv, from := [2]float32{}, p.UV
				if light {
					from = p.UV2
				}
				if len(from) > 0 {
					uv = from[v]
				}
				b = numbers(append(b, 'v'), at.Point(space.Vector64(p.Positions[v])))
				b = numbers(append(b, "vn"...), at.Normal(space.Vector64(p.Normals[v])))
				b = append(b, "vt"...)
				b = append(number(number(b, float64(uv[0])), 1-float64(uv[1])), '\n') // V grows upwards in OBJ
				if err := flush(1 << 15); err != nil {
					return err
				}
			}
			for t := 0; t+2 < len(p.Indices); t += 3 {
				b = append(b, 'f')
				f := [3]uint32(p.Indices[t : t+3])
				if mirrored {
					f[1], f[2] = f[2], f[1]
				}
				for _, x := range f {
					for sep := range 3 {
						b = append(b, " //"[sep])
						b = strconv.AppendUint(b, base+uint64(x), 10)
					}
				}
				b = append(b, '\n')
				if err := flush(1 << 15); err != nil {
					return err
				}
			}
			base += uint64(len(p.Positions))
		}
	}
	return flush(0)
}

// numbers appends a vector and ends the line.
func numbers(b []byte, v [3]float64) []byte {
	for _, x := range v {
		b = number(b, x)
	}
	return append(b, '\n')
}

// number appends a space and a number with at most six decimals.
func number(b []byte, x float64) []byte {
	b = append(b, ' ')
	start := len(b)
	b = strconv.AppendFloat(b, x, 'f', 6, 64)
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
