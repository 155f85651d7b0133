package write

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/qmuntal/gltf"

	gltfbinary "github.com/qmuntal/gltf/binary"
	"github.com/qmuntal/gltf/ext/lightspunctual"
	"github.com/qmuntal/gltf/ext/unlit"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// gltfWriter builds the document of a scene. The buffer is never in memory as a whole: it is a list of pieces that
// are encoded while they are written.
type gltfWriter struct {
	scene    *scene.Scene
	beside   sidecarNames
	doc      *gltf.Document
	names    *names.Namer                                 // of images
	written  map[accessorKey]int                          // accessors by the data that primitives share
	moved    map[*scene.Target][]gltf.PrimitiveAttributes // morph targets of a primitive by its first one
	pieces   []piece
	size     int // bytes of the buffer so far
	groups   []*packedGroup
	unpacked int // uncompressed size of the compressed views
	keys     int // the newest view of animation keys; 0 means none, as a mesh's view is always before it
}

func glbFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	beside := addSidecars(c, s)
	return append(c.files, scene.OutFile{Name: c.name + ".glb", Write: func(w io.Writer) error { return writeGLB(w, s, beside) }}), nil
}

// WriteGLB writes the scene as one binary file, without sidecars. It fails if the file would exceed 4 GiB, because
// its header states the size in 32 bits.
func WriteGLB(w io.Writer, s *scene.Scene) error { return writeGLB(w, s, sidecarNames{}) }

// Document returns the scene as a document whose buffer holds the vertices and images.
func Document(s *scene.Scene) (*gltf.Document, error) {
	g := newGLTF(s, sidecarNames{}, nil)
	if g.size > 0 {
		var data bytes.Buffer
		data.Grow(g.size)
		if err := g.buffer(&data); err != nil {
			return nil, err
		}
		g.doc.Buffers[0].Data = data.Bytes()
	}
	return g.doc, nil
}

// writeGLB writes the scene as one file.
//
// Why not the library's encoder: v0.29.0 needs the whole buffer in memory. Writing alone then takes as much more
// memory as the file has bytes (52 MB instead of 39), and a conversion's peak is up to 1.20 times as high, in the
// same time. See docs/internals/codecs.md.
func writeGLB(w io.Writer, s *scene.Scene, beside sidecarNames) error {
	g := newGLTF(s, beside, nil)
	text, err := encodeJSON(g.doc)
	if err != nil {
		return fmt.Errorf("glb: %w", err)
	}
	for text.size%4 != 0 {
		text.add(' ')
	}
	bin := (g.size + 3) &^ 3
	total := 12 + 8 + text.size
	if bin > 0 {
		total += 8 + bin
	}
	if total > math.MaxUint32 {
		return fmt.Errorf("glb: %d bytes are more than the format can hold; .gltf can: %w", total, limit.ErrLimit)
	}
	le := binary.LittleEndian
	start := le.AppendUint32(le.AppendUint32([]byte("glTF"), 2), uint32(total))
	start = append(le.AppendUint32(start, uint32(text.size)), "JSON"...)
	count := &outfile.Counter{W: w}
	for _, b := range append([][]byte{start}, text.list...) {
		if _, err := count.Write(b); err != nil {
			return err
		}
	}
	if bin > 0 {
		if _, err := count.Write(append(le.AppendUint32(nil, uint32(bin)), "BIN\x00"...)); err != nil {
			return err
		}
		if err := g.buffer(count); err != nil {
			return err
		}
		if _, err := count.Write(make([]byte, bin-g.size)); err != nil {
			return err
		}
	}
	// The sizes of pieces are checked in buffer, and encoding/json never writes invalid JSON. So nothing is left that
	// a check of the written file could find.
	if count.N != int64(total) {
		return fmt.Errorf("glb: %d bytes were written where the header says %d: %w", count.N, total, limit.ErrInternal)
	}
	return nil
}

func gltfFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	names := names.NewFileNames()
	g := newGLTF(s, addSidecars(c, s), func(im *scene.Image) string {
		return c.add(imageFile, InMemory(names.Image(im, c.imageDir), im.Data))
	})
	if g.size > 0 {
		g.doc.Buffers[0].URI = escapeURI(c.add(partFile, scene.OutFile{Name: c.name + ".bin", Write: g.buffer}))
	}
	return append(c.files, scene.OutFile{Name: c.name + ".gltf", Write: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(g.doc)
	}}), nil
}

// piece is a part of the buffer. It starts at a multiple of four bytes.
type piece struct {
	size  int
	write func(io.Writer) error
}

// newGLTF builds the document. file returns the name of an image's file; if it is nil, images go into the buffer.
func newGLTF(s *scene.Scene, beside sidecarNames, file func(*scene.Image) string) *gltfWriter {
	if beside.beside == nil {
		s = withProperties(s)
	}
	w := &gltfWriter{scene: s, beside: beside, doc: gltf.NewDocument(), names: names.NewNamer(), written: map[accessorKey]int{},
		moved: map[*scene.Target][]gltf.PrimitiveAttributes{}}
	w.doc.Asset.Generator = s.Generator
	w.doc.Scenes[0].Name = s.Name
	w.doc.Scenes[0].Nodes = []int{0}
	if len(s.Extras) > 0 {
		w.doc.Scenes[0].Extras = s.Extras
	}
	for i := range s.Images {
		w.image(i, file)
	}
	materials := newMaterialWriter(s, w.doc)
	for i := range s.Materials {
		materials.add(&s.Materials[i])
	}
	for i := range s.Meshes {
		w.mesh(&s.Meshes[i])
	}
	for i := range s.Cameras {
		addCamera(w, &s.Cameras[i])
	}
	w.lights()
	for i := range s.Nodes {
		w.node(i)
	}
	for i := range s.Skins {
		w.skin(&s.Skins[i])
	}
	if s.Plain {
		w.plain()
	} else {
		if s.Grid != nil {
			addGrid(w, s.Grid)
		}
		addBeside(w)
	}
	if len(s.Probes) > 0 && beside.beside == nil {
		addProbes(w, s.Probes)
	}
	for i := range s.Animations {
		w.animation(&s.Animations[i])
	}
	w.compress()
	if w.size > 0 {
		w.doc.Buffers = []*gltf.Buffer{{ByteLength: w.size}}
	}
	if w.unpacked > 0 {
		w.doc.Buffers = append(w.doc.Buffers, fallbackBuffer(w.unpacked))
	}
	shorten(w.doc)
	return w
}

// plain removes all extras, including those of extensions.
func (w *gltfWriter) plain() {
	for _, s := range w.doc.Scenes {
		s.Extras = nil
	}
	for _, n := range w.doc.Nodes {
		n.Extras = nil
	}
	for _, m := range w.doc.Materials {
		m.Extras = nil
		for _, x := range m.Extensions {
			switch x := x.(type) {
			case map[string]any:
				delete(x, "extras")
			case unlit.Unlit:
				delete(x, "extras")
			}
		}
	}
	for _, im := range w.doc.Images {
		im.Extras = nil
	}
	for _, m := range w.doc.Meshes {
		m.Extras = nil
	}
	for _, a := range w.doc.Animations {
		a.Extras = nil
	}
}

// view adds a piece to the buffer and returns the index of its buffer view.
func (w *gltfWriter) view(target gltf.Target, size int, write func(io.Writer) error) int {
	at := (w.size + 3) &^ 3
	w.pieces = append(w.pieces, piece{size, write})
	w.doc.BufferViews = append(w.doc.BufferViews, &gltf.BufferView{ByteOffset: at, ByteLength: size, Target: target})
	w.size = at + size
	return len(w.doc.BufferViews) - 1
}

// buffer writes the buffer. It fails if a piece writes another number of bytes than its view states.
func (w *gltfWriter) buffer(to io.Writer) error {
	for i, p := range w.pieces {
		count := &outfile.Counter{W: to}
		if err := p.write(count); err != nil {
			return err
		}
		if count.N != int64(p.size) {
			return fmt.Errorf("buffer view %d: %d bytes were written in place of %d: %w", i, count.N, p.size, limit.ErrInternal)
		}
		if i < len(w.pieces)-1 {
			if _, err := to.Write(make([]byte, -p.size&3)); err != nil {
				return err
			}
		}
	}
	return nil
}

// accessor adds data to the buffer and returns the index of its accessor.
func accessor[T any](w *gltfWriter, target gltf.Target, data []T) int {
	component, kind, n := gltfbinary.Type(data)
	size := gltf.SizeOfElement(component, kind)
	return w.accessor(component, kind, n, w.view(target, n*size, func(to io.Writer) error {
		return encode(to, size, data, func(d []T) any { return d })
	}))
}

// fraction is accessor for normalised integers, whose greatest value means 1. Elements of three bytes are not padded:
// glTF requires that only of vertex attributes.
func fraction[T any](w *gltfWriter, data []T) int {
	at := accessor(w, gltf.TargetNone, data)
	w.doc.Accessors[at].Normalized = true
	return at
}

func (w *gltfWriter) accessor(component gltf.ComponentType, kind gltf.AccessorType, n, view int) int {
	w.doc.Accessors = append(w.doc.Accessors, &gltf.Accessor{
		BufferView: gltf.Index(view), ComponentType: component, Type: kind, Count: n,
	})
	return len(w.doc.Accessors) - 1
}

// portions reuses the buffers of encode, which is called for thousands of small pieces.
var portions = sync.Pool{New: func() any { return new([1 << 16]byte) }}

// encode writes data in portions. size is the bytes of an element; of converts a portion to the slice to write.
func encode[T any](w io.Writer, size int, data []T, of func([]T) any) error {
	portion := portions.Get().(*[1 << 16]byte)
	defer portions.Put(portion)
	for d := range slices.Chunk(data, len(portion)/size) {
		b := portion[:len(d)*size]
		if err := gltfbinary.Write(b, 0, of(d)); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (w *gltfWriter) image(i int, file func(*scene.Image) string) {
	im := &w.scene.Images[i]
	out := &gltf.Image{Name: w.names.Material(im.Name)}
	if file != nil {
		out.URI = escapeURI(file(im))
	} else {
		out.BufferView = gltf.Index(w.view(gltf.TargetNone, len(im.Data), InMemory("", im.Data).Write))
		out.MimeType = im.MIME
	}
	if im.Element != scene.ElementTexture {
		extras := map[string]any{"bsp2gltf": im.Element}
		if name, written := w.beside.exr[i]; written {
			extras["exr"] = name
		}
		out.Extras = extras
	}
	w.doc.Images = append(w.doc.Images, out)
}

// escapeURI returns a path as a relative URI reference.
func escapeURI(path string) string {
	return unescapedSlash.Replace(url.QueryEscape(path))
}

// unescapedSlash turns an escaped query into an escaped path. url.PathEscape would leave ":" and "&", which some
// readers don't accept.
var unescapedSlash = strings.NewReplacer("+", "%20", "%2F", "/")

// use records that the document uses an extension.
func use(doc *gltf.Document, name string, required bool) {
	if !slices.Contains(doc.ExtensionsUsed, name) {
		doc.ExtensionsUsed = append(doc.ExtensionsUsed, name)
	}
	if required && !slices.Contains(doc.ExtensionsRequired, name) {
		doc.ExtensionsRequired = append(doc.ExtensionsRequired, name)
	}
}

func addCamera(w *gltfWriter, c *scene.Camera) {
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
		out := &lightspunctual.Light{Name: l.Name, Type: lightspunctual.TypePoint, Color: &color, Intensity: gltf.Float(l.Intensity)}
		if l.Range > 0 && l.Kind != world.SunLight {
			out.Range = gltf.Float(l.Range)
		}
		switch l.Kind {
		case world.SpotLight:
			outer := l.Outer
			if outer == math.Pi/4 { // the library leaves out this default, and Blender 3.4 fails if only the inner angle is there
				outer = math.Nextafter(outer, 0)
			}
			out.Type = lightspunctual.TypeSpot
			out.Spot = &lightspunctual.Spot{InnerConeAngle: l.Inner, OuterConeAngle: &outer}
		case world.SunLight:
			out.Type = lightspunctual.TypeDirectional
		}
		lights = append(lights, out)
	}
	if w.doc.Extensions == nil {
		w.doc.Extensions = gltf.Extensions{}
	}
	w.doc.Extensions[lightspunctual.ExtensionName] = lights
	use(w.doc, lightspunctual.ExtensionName, false)
}
