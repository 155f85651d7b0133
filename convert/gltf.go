package convert

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
	"github.com/qmuntal/gltf/modeler"
)

// gltfWriter builds the document of a scene.
type gltfWriter struct {
	scene    *Scene
	doc      *gltf.Document
	samplers map[bool]int // by clamping
	textures map[texture]int
	files    []OutFile // images beside a .gltf
}

// texture is an image with a sampler.
type texture struct {
	image int
	clamp bool
}

// OutFile is a file of an output, named relative to its main file.
type OutFile struct {
	Name string
	Data []byte
}

// WriteGLB writes the scene as one binary file.
func WriteGLB(w io.Writer, s *Scene) error {
	doc, _ := buildGLTF(s, nil)
	return gltf.NewEncoder(w).Encode(doc)
}

// GLTF returns the scene as a .gltf file named name.gltf, its .bin and its images in the folder imageDir; the .gltf
// comes last.
func GLTF(s *Scene, name, imageDir string) ([]OutFile, error) {
	names := &fileNames{map[string]bool{}}
	doc, files := buildGLTF(s, func(im *Image) string {
		return strings.Trim(imageDir+"/"+names.path(im.Name), "/") + extension(im.MIME)
	})
	bin := doc.Buffers[0]
	files = append(files, OutFile{name + ".bin", bin.Data})
	bin.URI, bin.Data = escapeURI(name+".bin"), nil
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return nil, err
	}
	return append(files, OutFile{name + ".gltf", []byte(b.String())}), nil
}

// extension is that of an image's file.
func extension(mime string) string {
	switch mime {
	case "image/jpeg":
		return ".jpg"
	case "image/webp":
		return ".webp"
	}
	return ".png"
}

// buildGLTF makes the document. Where file is given, images are files of the names it returns, else they are in the buffer.
func buildGLTF(s *Scene, file func(*Image) string) (*gltf.Document, []OutFile) {
	w := &gltfWriter{scene: s, doc: gltf.NewDocument(), samplers: map[bool]int{}, textures: map[texture]int{}}
	w.doc.Asset.Generator = s.Generator
	w.doc.Scenes[0].Name = s.Name
	w.doc.Scenes[0].Nodes = []int{0}
	if len(s.Extras) > 0 {
		w.doc.Scenes[0].Extras = s.Extras
	}
	w.doc.Buffers = []*gltf.Buffer{{Data: make([]byte, 0, bufferSize(s, file == nil))}}
	for i := range s.Images {
		w.image(&s.Images[i], file)
	}
	for i := range s.Materials {
		w.material(&s.Materials[i])
	}
	for i := range s.Meshes {
		w.mesh(&s.Meshes[i])
	}
	for i := range s.Cameras {
		w.camera(&s.Cameras[i])
	}
	w.lights()
	for i := range s.Nodes {
		w.node(i)
	}
	if s.Grid != nil {
		w.grid(s.Grid)
	}
	w.doc.Buffers[0].ByteLength = len(w.doc.Buffers[0].Data)
	return w.doc, w.files
}

// bufferSize is what all the scene's data take, with room for padding.
func bufferSize(s *Scene, images bool) int {
	n := 64
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			n += 24*len(p.Positions) + 8*(len(p.UV)+len(p.UV2)+len(p.Colors)) + 4*len(p.Indices) + 24
		}
	}
	if images {
		for _, im := range s.Images {
			n += len(im.Data) + 4
		}
	}
	if s.Grid != nil {
		n += 36*len(s.Grid.Ambient) + 12
	}
	return n
}

func (w *gltfWriter) image(im *Image, file func(*Image) string) {
	out := &gltf.Image{Name: im.Name}
	if file != nil {
		name := file(im)
		out.URI = escapeURI(name)
		w.files = append(w.files, OutFile{name, im.Data})
	} else {
		b := w.doc.Buffers[0]
		for len(b.Data)%4 != 0 {
			b.Data = append(b.Data, 0)
		}
		out.BufferView = gltf.Index(len(w.doc.BufferViews))
		out.MimeType = im.MIME
		w.doc.BufferViews = append(w.doc.BufferViews, &gltf.BufferView{ByteOffset: len(b.Data), ByteLength: len(im.Data)})
		b.Data = append(b.Data, im.Data...)
	}
	if im.Element != "texture" {
		out.Extras = map[string]any{"bsp2gltf": im.Element}
	}
	w.doc.Images = append(w.doc.Images, out)
}

// escapeURI makes a relative URI of a path.
func escapeURI(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c == '/' || c == '-' || c == '.' || c == '_' || c == '~' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// texture returns the index of an image's texture. What is clamped has no mipmaps: a lightmap's gutter is made for
// linear filtering alone.
func (w *gltfWriter) texture(image int, clamp bool) int {
	key := texture{image, clamp}
	if i, ok := w.textures[key]; ok {
		return i
	}
	if _, ok := w.samplers[clamp]; !ok {
		w.samplers[clamp] = len(w.doc.Samplers)
		s := &gltf.Sampler{MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear}
		if clamp {
			s.MinFilter, s.WrapS, s.WrapT = gltf.MinLinear, gltf.WrapClampToEdge, gltf.WrapClampToEdge
		}
		w.doc.Samplers = append(w.doc.Samplers, s)
	}
	i := len(w.doc.Textures)
	w.textures[key] = i
	t := &gltf.Texture{Sampler: gltf.Index(w.samplers[clamp])}
	if w.scene.Images[image].MIME == "image/webp" {
		t.Extensions = gltf.Extensions{"EXT_texture_webp": map[string]any{"source": image}}
		w.use("EXT_texture_webp", true)
	} else {
		t.Source = gltf.Index(image)
	}
	w.doc.Textures = append(w.doc.Textures, t)
	return i
}

// use notes an extension.
func (w *gltfWriter) use(name string, required bool) {
	if !slices.Contains(w.doc.ExtensionsUsed, name) {
		w.doc.ExtensionsUsed = append(w.doc.ExtensionsUsed, name)
	}
	if required && !slices.Contains(w.doc.ExtensionsRequired, name) {
		w.doc.ExtensionsRequired = append(w.doc.ExtensionsRequired, name)
	}
}

func (w *gltfWriter) material(m *Material) {
	out := &gltf.Material{
		Name: m.Name, DoubleSided: m.DoubleSided, Extensions: gltf.Extensions{},
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(1)},
	}
	pbr := out.PBRMetallicRoughness
	if c := m.BaseColor; c != [4]float32{1, 1, 1, 1} {
		pbr.BaseColorFactor = &[4]float64{unitRange(c[0]), unitRange(c[1]), unitRange(c[2]), unitRange(c[3])}
	}
	if m.Base.Image >= 0 {
		pbr.BaseColorTexture = &gltf.TextureInfo{Index: w.texture(m.Base.Image, m.Base.Clamp || w.scene.Images[m.Base.Image].Clamp)}
	}
	switch m.Alpha {
	case materials.Mask:
		out.AlphaMode = gltf.AlphaMask
		out.AlphaCutoff = gltf.Float(float64(m.Cutoff))
	case materials.Blend:
		out.AlphaMode = gltf.AlphaBlend
	}
	unlit := m.Unlit || m.Material.Unlit
	if e := m.Emission; e != [3]float32{} && !unlit {
		out.EmissiveFactor = [3]float64{unitRange(e[0]), unitRange(e[1]), unitRange(e[2])}
		if m.Emissive.Image >= 0 {
			out.EmissiveTexture = &gltf.TextureInfo{Index: w.texture(m.Emissive.Image, m.Emissive.Clamp)}
			w.transform(out.EmissiveTexture, m.Emissive.UV)
		}
		if m.Strength > 1 {
			out.Extensions["KHR_materials_emissive_strength"] = map[string]any{"emissiveStrength": m.Strength}
			w.use("KHR_materials_emissive_strength", false)
		}
	}
	if m.Lightmap != None {
		out.Extensions["MOZ_lightmap"] = map[string]any{"index": w.texture(m.Lightmap, true), "texCoord": 1, "intensity": m.Intensity}
		w.use("MOZ_lightmap", false)
	}
	if unlit {
		out.Extensions["KHR_materials_unlit"] = map[string]any{}
		w.use("KHR_materials_unlit", false)
	}
	if len(out.Extensions) == 0 {
		out.Extensions = nil
	}
	if len(m.Extras) > 0 {
		out.Extras = m.Extras
	}
	w.doc.Materials = append(w.doc.Materials, out)
}

// transform adds KHR_texture_transform where a slot scales or moves the base texture's coordinates.
func (w *gltfWriter) transform(t *gltf.TextureInfo, uv [6]float64) {
	if uv == identity || uv == [6]float64{} {
		return
	}
	t.Extensions = gltf.Extensions{"KHR_texture_transform": map[string]any{
		"scale": [2]float64{uv[0], uv[4]}, "offset": [2]float64{uv[2], uv[5]},
	}}
	w.use("KHR_texture_transform", false)
}

func unitRange(v float32) float64 { return float64(min(max(v, 0), 1)) }

func (w *gltfWriter) mesh(m *Mesh) {
	out := &gltf.Mesh{Name: m.Name}
	for i := range m.Primitives {
		p := &m.Primitives[i]
		attributes := gltf.PrimitiveAttributes{
			gltf.POSITION: modeler.WritePosition(w.doc, p.Positions),
			gltf.NORMAL:   modeler.WriteNormal(w.doc, p.Normals),
		}
		if p.UV != nil {
			attributes[gltf.TEXCOORD_0] = modeler.WriteTextureCoord(w.doc, p.UV)
		}
		if p.UV2 != nil {
			attributes[gltf.TEXCOORD_1] = modeler.WriteTextureCoord(w.doc, p.UV2)
		}
		if p.Colors != nil {
			attributes[gltf.COLOR_0] = modeler.WriteColor(w.doc, p.Colors)
		}
		prim := &gltf.Primitive{Attributes: attributes, Material: gltf.Index(p.Material)}
		if len(p.Positions) <= 65534 { // 65535 would mean "restart"
			small := make([]uint16, len(p.Indices))
			for k, x := range p.Indices {
				small[k] = uint16(x)
			}
			prim.Indices = gltf.Index(modeler.WriteIndices(w.doc, small))
		} else {
			prim.Indices = gltf.Index(modeler.WriteIndices(w.doc, p.Indices))
		}
		out.Primitives = append(out.Primitives, prim)
	}
	w.doc.Meshes = append(w.doc.Meshes, out)
}

func (w *gltfWriter) camera(c *Camera) {
	w.doc.Cameras = append(w.doc.Cameras, &gltf.Camera{Name: c.Name, Perspective: &gltf.Perspective{
		Yfov: c.YFov, AspectRatio: gltf.Float(c.Aspect), Znear: c.ZNear, Zfar: gltf.Float(c.ZFar),
	}})
}

func (w *gltfWriter) lights() {
	if len(w.scene.Lights) == 0 {
		return
	}
	lights := lightspunctual.Lights{}
	for _, l := range w.scene.Lights {
		color := l.Color
		out := &lightspunctual.Light{Name: l.Name, Type: lightspunctual.TypePoint, Color: &color, Intensity: gltf.Float(l.Intensity), Range: gltf.Float(l.Range)}
		if l.Spot {
			outer := l.Outer
			out.Type = lightspunctual.TypeSpot
			out.Spot = &lightspunctual.Spot{InnerConeAngle: l.Inner, OuterConeAngle: &outer}
		}
		lights = append(lights, out)
	}
	if w.doc.Extensions == nil {
		w.doc.Extensions = gltf.Extensions{}
	}
	w.doc.Extensions[lightspunctual.ExtensionName] = lights
	w.use(lightspunctual.ExtensionName, false)
}

func (w *gltfWriter) node(i int) {
	n := &w.scene.Nodes[i]
	out := &gltf.Node{Name: n.Name, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale}
	if n.Mesh != None {
		out.Mesh = gltf.Index(n.Mesh)
	}
	if n.Camera != None {
		out.Camera = gltf.Index(n.Camera)
	}
	if n.Light != None {
		out.Extensions = gltf.Extensions{lightspunctual.ExtensionName: lightspunctual.LightIndex(n.Light)}
	}
	if len(n.Extras) > 0 {
		out.Extras = n.Extras
	}
	w.doc.Nodes = append(w.doc.Nodes, out)
	if n.Parent != None {
		parent := w.doc.Nodes[n.Parent]
		parent.Children = append(parent.Children, i)
	}
}

// grid writes the light grid as accessors that the scene's extras name.
func (w *gltfWriter) grid(g *Grid) {
	x := map[string]any{}
	for k, v := range w.scene.Extras {
		x[k] = v
	}
	x["bsp2gltf_light_grid"] = map[string]any{
		"origin": g.Origin, "cell": g.Cell, "size": g.Size,
		"ambient":  modeler.WriteAccessor(w.doc, gltf.TargetNone, g.Ambient),
		"directed": modeler.WriteAccessor(w.doc, gltf.TargetNone, g.Directed),
		"toward":   modeler.WriteAccessor(w.doc, gltf.TargetNone, g.Toward),
	}
	w.doc.Scenes[0].Extras = x
}
