package scene

import (
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bsp2gltf/bsp2gltf/limits"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Validate returns an error that names the first invalid place of a scene: an index that is out of range, a list whose length differs from
// the lists beside it, a number that is not finite, a name that files can't have. A scene of convert.Map is
// valid; one that a caller has made or changed is validated before it is written. The error is a limits.ErrUsage.
func Validate(s *Scene) error {
	if s == nil {
		return invalid("scene", "is nil")
	}
	for _, check := range []func(*Scene) error{
		validateNodes, validateMeshes, validateMaterials, validateImages, validateLights, validateSkins, validateAnimations, validateRest,
	} {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

// invalid returns the error of a place in the scene.
func invalid(where, format string, args ...any) error {
	return fmt.Errorf("scene: %s %s: %w", where, fmt.Sprintf(format, args...), limits.ErrUsage)
}

// item names an item of a list by its number and its name.
func item(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d (%.80q)", kind, i, name)
}

// index fails unless i is None or the index of one of n.
func index(where, what string, i, n int) error {
	if i != None && (i < 0 || i >= n) {
		return invalid(where, "has %s %d, of %d", what, i, n)
	}
	return nil
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// finite fails unless all numbers in a value are finite. The value may consist of structs, pointers, arrays and slices.
func finite(where, what string, v any) error {
	if at := infinite(reflect.ValueOf(v), 0); at != "" {
		return invalid(where, "has %s that is %s", what, at)
	}
	return nil
}

// maxNested is how deeply values may be nested: a material has layers, which have slots.
const maxNested = 32

// infinite describes what is wrong with the numbers of a value, or returns "".
func infinite(v reflect.Value, depth int) string {
	if depth > maxNested {
		return "nested too deeply"
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Sprint(f)
		}
	case reflect.Pointer:
		return infinite(v.Elem(), depth+1) // of nil, it is the zero Value, whose kind is Invalid
	case reflect.Struct:
		for i := range v.NumField() {
			if at := infinite(v.Field(i), depth+1); at != "" {
				return at
			}
		}
	case reflect.Array, reflect.Slice:
		if !holdsNumbers(v.Type().Elem()) {
			return ""
		}
		for i := range v.Len() {
			if at := infinite(v.Index(i), depth+1); at != "" {
				return at
			}
		}
	}
	return ""
}

// holdsNumbers reports whether values of a type can hold a number that is not finite.
func holdsNumbers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Struct, reflect.Pointer:
		return true
	case reflect.Array, reflect.Slice:
		return holdsNumbers(t.Elem())
	}
	return false
}

// printable fails unless a name is text without control characters, which importers and text formats can't hold.
func printable(where, name string) error {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return invalid(where, "has a name with control characters or bytes that are not UTF-8")
	}
	return nil
}

func validateNodes(s *Scene) error {
	if len(s.Nodes) == 0 {
		return invalid("scene", "has no node: the first is the root")
	}
	level := map[int]bool{}
	for i := range s.Nodes {
		for _, l := range s.Nodes[i].Levels {
			if l <= 0 || l >= len(s.Nodes) || l == i || level[l] || s.Nodes[l].Parent != None || len(s.Nodes[l].Levels) > 0 {
				return invalid(item("node", i, s.Nodes[i].Name), "has level %d, which must be another node without a parent and levels", l)
			}
			level[l] = true
		}
	}
	names := map[string]int{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		where := item("node", i, n.Name)
		if other, ok := names[n.Name]; ok || n.Name == "" || len(n.Name) > 63 {
			return invalid(where, "needs a name of 1 to 63 bytes that no other node has (node %d)", other)
		}
		names[n.Name] = i
		if n.Parent == None != (i == 0 || level[i]) || n.Parent >= i || n.Parent < None {
			return invalid(where, "has parent %d: the root and levels have none, and the parent of others is a node before them", n.Parent)
		}
		err := first(
			printable(where, n.Name), index(where, "mesh", n.Mesh, len(s.Meshes)), index(where, "light", n.Light, len(s.Lights)),
			index(where, "camera", n.Camera, len(s.Cameras)), index(where, "skin", n.Skin, len(s.Skins)),
			finite(where, "a position", n.Translation), finite(where, "a rotation", n.Rotation), finite(where, "a scale", n.Scale),
			finite(where, "fog", n.Fog), finite(where, "a hover", n.Hover), validateInstances(s, i), validateSkinned(s, i),
		)
		if err != nil {
			return err
		}
		q := n.Rotation
		if l := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]; math.Abs(l-1) > 1e-3 {
			return invalid(where, "has a rotation of length %.3g, not 1", math.Sqrt(l))
		}
		if n.Body > SheetBody || n.Body != NoBody && n.Mesh == None {
			return invalid(where, "is a collision solid of kind %d without a mesh, or of an unknown kind", n.Body)
		}
	}
	return nil
}

// validateInstances checks the nodes that are instances of the same mesh as a node.
func validateInstances(s *Scene, i int) error {
	n := &s.Nodes[i]
	where := item("node", i, n.Name)
	switch {
	case n.Instances == InstanceOfPrevious:
		for k := i - 1; k >= 0; k-- {
			if of := s.Nodes[k].Instances; of != InstanceOfPrevious {
				if of <= i-k {
					break
				}
				return nil
			}
		}
		return invalid(where, "is an instance of none of the nodes before it")
	case n.Instances < 0 || n.Instances > len(s.Nodes)-i:
		return invalid(where, "has %d instances, of %d nodes that are left", n.Instances, len(s.Nodes)-i)
	case n.Instances > 0 && n.Mesh == None:
		return invalid(where, "has instances without a mesh")
	}
	for k := 1; k < n.Instances; k++ {
		if o := &s.Nodes[i+k]; o.Instances != InstanceOfPrevious || o.Mesh != n.Mesh || o.Parent != n.Parent {
			return invalid(where, "has instance %d with another mesh or parent, or that is no instance", i+k)
		}
	}
	return nil
}

// validateSkinned checks the joints that the mesh of a node with a skin refers to.
func validateSkinned(s *Scene, i int) error {
	n := &s.Nodes[i]
	if n.Skin < 0 || n.Skin >= len(s.Skins) {
		return nil
	}
	where := item("node", i, n.Name)
	if n.Mesh < 0 || n.Mesh >= len(s.Meshes) {
		return invalid(where, "has a skin without a mesh")
	}
	joints := len(s.Skins[n.Skin].Joints)
	for k := range s.Meshes[n.Mesh].Primitives {
		p := &s.Meshes[n.Mesh].Primitives[k]
		if p.Joints == nil {
			return invalid(where, "has a skin, but primitive %d of its mesh has no joints", k)
		}
		for _, four := range p.Joints {
			for _, j := range four {
				if int(j) >= joints {
					return invalid(where, "has a mesh of joint %d, and a skin of %d", j, joints)
				}
			}
		}
	}
	return nil
}

func validateMeshes(s *Scene) error {
	for i := range s.Meshes {
		m := &s.Meshes[i]
		where := item("mesh", i, m.Name)
		if len(m.Primitives) == 0 {
			return invalid(where, "has no primitive")
		}
		if err := printable(where, m.Name); err != nil {
			return err
		}
		for k := range m.Primitives {
			p := &m.Primitives[k]
			where := fmt.Sprintf("%s: primitive %d", where, k)
			if len(p.Targets) != len(m.Primitives[0].Targets) || m.Targets != nil && len(m.Targets) != len(p.Targets) {
				return invalid(where, "has %d morph targets, the first %d, and there are %d names", len(p.Targets),
					len(m.Primitives[0].Targets), len(m.Targets))
			}
			if err := validatePrimitive(s, p, where); err != nil {
				return err
			}
		}
	}
	return nil
}

func validatePrimitive(s *Scene, p *Primitive, where string) error {
	n := len(p.Positions)
	if n == 0 || len(p.Indices) == 0 || len(p.Indices)%3 != 0 {
		return invalid(where, "has %d vertices and %d indices: it needs three for each triangle", n, len(p.Indices))
	}
	if p.Material < 0 || p.Material >= len(s.Materials) {
		return invalid(where, "has material %d, of %d", p.Material, len(s.Materials))
	}
	for _, list := range []struct {
		what string
		n    int
		need bool
	}{
		{"normals", len(p.Normals), true}, {"tangents", len(p.Tangents), false}, {"UV", len(p.UV), false}, {"UV2", len(p.UV2), false},
		{"colours", len(p.Colors), false}, {"mirrors", len(p.Mirrors), false}, {"pivots", len(p.Pivots), false},
		{"joints", len(p.Joints), p.Weights != nil}, {"weights", len(p.Weights), p.Joints != nil}, {"blend", len(p.Blend), false},
		{"blends", len(p.Blends), false},
	} {
		if list.n != n && (list.n != 0 || list.need) {
			return invalid(where, "has %d %s for %d vertices", list.n, list.what, n)
		}
	}
	for _, v := range p.Indices {
		if int64(v) >= int64(n) {
			return invalid(where, "has index %d, of %d vertices", v, n)
		}
	}
	for _, v := range p.Variants {
		if v < 0 || v >= len(s.Materials) {
			return invalid(where, "has a skin of material %d, of %d", v, len(s.Materials))
		}
	}
	for k := range p.Targets {
		if err := validateTarget(&p.Targets[k], n, fmt.Sprintf("%s: morph target %d", where, k)); err != nil {
			return err
		}
	}
	return first(
		allFinite(where, "a position", p.Positions), allFinite(where, "a normal", p.Normals), allFinite(where, "a tangent", p.Tangents),
		allFinite(where, "a UV", p.UV), allFinite(where, "a UV2", p.UV2), allFinite(where, "a pivot", p.Pivots),
		allFinite(where, "a weight", p.Weights), allFinite(where, "a blend", p.Blends), finite(where, "a blend", p.Blend),
	)
}

// allFinite is finite for lists of vectors, which are long.
func allFinite[T [2]float32 | [3]float32 | [4]float32](where, what string, list []T) error {
	for i := range list {
		// A finite number minus itself is 0.
		switch v := any(&list[i]).(type) {
		case *[2]float32:
			if v[0]-v[0]+v[1]-v[1] != 0 {
				return invalid(where, "has %s of vertex %d that is not finite", what, i)
			}
		case *[3]float32:
			if v[0]-v[0]+v[1]-v[1]+v[2]-v[2] != 0 {
				return invalid(where, "has %s of vertex %d that is not finite", what, i)
			}
		case *[4]float32:
			if v[0]-v[0]+v[1]-v[1]+v[2]-v[2]+v[3]-v[3] != 0 {
				return invalid(where, "has %s of vertex %d that is not finite", what, i)
			}
		}
	}
	return nil
}

func validateTarget(t *Target, vertices int, where string) error {
	moved := len(t.Vertices)
	if t.Vertices == nil && len(t.Positions) > 0 {
		moved = vertices
	}
	if len(t.Positions) != moved || len(t.Normals) != moved && t.Normals != nil {
		return invalid(where, "has %d positions and %d normals for %d vertices", len(t.Positions), len(t.Normals), moved)
	}
	for i, v := range t.Vertices {
		if int64(v) >= int64(vertices) || i > 0 && v <= t.Vertices[i-1] {
			return invalid(where, "has vertex %d after another, of %d: they must ascend", v, vertices)
		}
	}
	return first(allFinite(where, "a position", t.Positions), allFinite(where, "a normal", t.Normals))
}

func validateMaterials(s *Scene) error {
	for i := range s.Materials {
		m := &s.Materials[i]
		where := item("material", i, m.Name)
		err := first(
			printable(where, m.Name), index(where, "lightmap", m.Lightmap, len(s.Images)), finite(where, "a number", m.Material),
			finite(where, "light", m.Intensity), finite(where, "a display", m.Display), finite(where, "an ambient share", m.Directed),
			validateImagesOf(reflect.ValueOf(&m.Material).Elem(), len(s.Images), where, 0),
		)
		if err == nil && m.Directed != nil && (m.Directed.Image < 0 || m.Directed.Image >= len(s.Images)) {
			err = invalid(where, "has directions in image %d, of %d", m.Directed.Image, len(s.Images))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numbersOf is the smallest number of Numbers in a Change of each kind.
var numbersOf = map[string]int{"scale": 2, "scroll": 2, "transform": 6, "rotate": 1}

// validateImagesOf checks the images that all parts of a material refer to, and the numbers of all its changes.
func validateImagesOf(v reflect.Value, images int, where string, depth int) error {
	if depth > maxNested {
		return invalid(where, "has layers that are nested too deeply")
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return validateImagesOf(v.Elem(), images, where, depth+1)
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k != reflect.Struct && k != reflect.Pointer {
			return nil
		}
		for i := range v.Len() {
			if err := validateImagesOf(v.Index(i), images, where, depth+1); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
	default:
		return nil
	}
	var named []int
	switch part := v.Addr().Interface().(type) {
	case *pbr.Slot:
		named = []int{part.Image}
	case *pbr.Band:
		named = []int{part.Base, part.Glow}
	case *pbr.Mix:
		named = []int{part.Second}
	case *pbr.Environment:
		named = []int{part.FactorImage}
	case *pbr.Sky:
		named = part.Box[:]
	case *pbr.LayerUse:
		if part.Weight < 0 || part.Weight > 3 || len(part.Bands) > 0 && len(part.Bands) != pbr.Bands {
			return invalid(where, "has a layer with weight %d and %d bands: 0 to 3, and %d or none", part.Weight, len(part.Bands), pbr.Bands)
		}
	case *pbr.Change:
		if len(part.Numbers) < numbersOf[part.Kind] {
			return invalid(where, "has a %q with %d numbers, of %d", part.Kind, len(part.Numbers), numbersOf[part.Kind])
		}
	}
	for _, i := range named {
		if err := index(where, "image", i, images); err != nil {
			return err
		}
	}
	for i := range v.NumField() {
		if err := validateImagesOf(v.Field(i), images, where, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func validateImages(s *Scene) error {
	for i := range s.Images {
		im := &s.Images[i]
		where := item("image", i, im.Name)
		switch im.MIME {
		case "image/png", "image/jpeg", "image/webp":
		default:
			return invalid(where, "has the type %.40q: it must be image/png, image/jpeg or image/webp", im.MIME)
		}
		if len(im.Data) == 0 {
			return invalid(where, "has no data")
		}
		if err := printable(where, im.Name); err != nil {
			return err
		}
	}
	return nil
}

func validateLights(s *Scene) error {
	for i := range s.Lights {
		l := &s.Lights[i]
		where := item("light", i, l.Name)
		if l.Kind > world.SunLight {
			return invalid(where, "is of kind %v: it must be a point, a spot or a sun", l.Kind)
		}
		if l.Intensity < 0 || l.Range < 0 || l.Kind == world.SpotLight && !(l.Inner >= 0 && l.Inner < l.Outer && l.Outer <= math.Pi/2) {
			return invalid(where, "has intensity %g, range %g, cone %g to %g", l.Intensity, l.Range, l.Inner, l.Outer)
		}
		if err := first(printable(where, l.Name), finite(where, "a number", *l)); err != nil {
			return err
		}
	}
	for i := range s.Cameras {
		c := &s.Cameras[i]
		where := item("camera", i, c.Name)
		if err := first(printable(where, c.Name), finite(where, "a number", *c)); err != nil {
			return err
		}
		if c.YFov <= 0 || c.YFov >= math.Pi || c.Aspect < 0 || c.ZNear <= 0 || c.ZFar != 0 && c.ZFar <= c.ZNear {
			return invalid(where, "has an angle of %g, aspect %g, and draws from %g to %g", c.YFov, c.Aspect, c.ZNear, c.ZFar)
		}
	}
	return nil
}

func validateSkins(s *Scene) error {
	for i := range s.Skins {
		k := &s.Skins[i]
		where := item("skin", i, k.Name)
		if len(k.Joints) == 0 || len(k.Inverse) != len(k.Joints) {
			return invalid(where, "has %d joints and %d inverse matrices", len(k.Joints), len(k.Inverse))
		}
		for _, j := range k.Joints {
			if j < 0 || j >= len(s.Nodes) {
				return invalid(where, "has joint node %d, of %d", j, len(s.Nodes))
			}
		}
		if err := first(printable(where, k.Name), finite(where, "a matrix", k.Inverse)); err != nil {
			return err
		}
	}
	return nil
}

func validateAnimations(s *Scene) error {
	for i := range s.Animations {
		a := &s.Animations[i]
		where := item("animation", i, a.Name)
		if len(a.Channels) == 0 {
			return invalid(where, "has no channel")
		}
		if err := printable(where, a.Name); err != nil {
			return err
		}
		for k := range a.Channels {
			if err := validateChannel(s, &a.Channels[k], fmt.Sprintf("%s: channel %d", where, k)); err != nil {
				return err
			}
		}
	}
	return nil
}

func validateChannel(s *Scene, c *Channel, where string) error {
	keys, kinds := len(c.Times), 0
	for _, list := range []struct {
		set bool
		n   int
	}{
		{c.Translations != nil, len(c.Translations)}, {c.Rotations != nil, len(c.Rotations)}, {c.Targets != nil, len(c.Targets)},
		{c.Pointer != "", len(c.Values) / max(c.Size, 1)},
	} {
		if !list.set {
			continue
		}
		if kinds++; list.n != keys {
			return invalid(where, "has %d times and %d values", keys, list.n)
		}
	}
	if keys == 0 || kinds != 1 || c.Pointer != "" && (c.Size < 1 || len(c.Values) != keys*c.Size) {
		return invalid(where, "needs times, and as many of just one: translations, rotations, targets, or values of a pointer")
	}
	for i, t := range c.Times {
		if !(t >= 0) || math.IsInf(float64(t), 0) || i > 0 && t <= c.Times[i-1] {
			return invalid(where, "has time %g after another: times are from 0 on, and ascend", t)
		}
	}
	if c.Pointer == "" {
		if c.Node < 0 || c.Node >= len(s.Nodes) {
			return invalid(where, "moves node %d, of %d", c.Node, len(s.Nodes))
		}
		if c.Targets != nil {
			m := s.Nodes[c.Node].Mesh
			if m == None || len(s.Meshes[m].Primitives[0].Targets) == 0 {
				return invalid(where, "changes morph targets of node %d, which has none", c.Node)
			}
			for _, t := range c.Targets {
				if err := index(where, "morph target", t, len(s.Meshes[m].Primitives[0].Targets)); err != nil {
					return err
				}
			}
		}
	}
	return first(finite(where, "a value", c.Values), allFinite(where, "a position", c.Translations), allFinite(where, "a rotation", c.Rotations))
}

// validateRest checks the grid, the probes, and the files beside the output.
func validateRest(s *Scene) error {
	if !(s.Unit > 0) || math.IsInf(s.Unit, 0) {
		return invalid("scene", "has units of %g metres", s.Unit)
	}
	if g := s.Grid; g != nil {
		n := int64(1)
		for _, k := range g.Size {
			if k < 1 || n > 1<<31/int64(k) {
				return invalid("grid", "has %v samples", g.Size)
			}
			n *= int64(k)
		}
		if int64(len(g.Ambient)) != n || int64(len(g.Directed)) != n || int64(len(g.Toward)) != n {
			return invalid("grid", "has %d, %d and %d values for %d samples", len(g.Ambient), len(g.Directed), len(g.Toward), n)
		}
		if err := finite("grid", "a number", *g); err != nil {
			return err
		}
	}
	for _, p := range s.Properties {
		if p.Node < 0 || p.Node >= len(s.Nodes) {
			return invalid("scene", "has properties of node %d, of %d", p.Node, len(s.Nodes))
		}
	}
	for i, f := range s.Sidecars {
		if !fs.ValidPath(f.Name) || f.Name == "." || strings.ContainsAny(f.Name, "\\:") || strings.ContainsFunc(f.Name, unicode.IsControl) {
			return invalid(fmt.Sprintf("file %d beside the output", i), "is called %.80q, which is no relative path", f.Name)
		}
	}
	return first(finite("scene", "a probe", s.Probes), finite("scene", "fog", s.Shown.Fog), finite("scene", "an exposure", s.Shown.Exposure),
		finite("scene", "a gamma", s.Shown.Gamma))
}
