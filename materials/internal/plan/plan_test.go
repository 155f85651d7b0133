package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestFactsOfAMap(t *testing.T) {
	polygon, triangles, overlay := &world.Polygon{}, &world.Triangles{}, &world.Overlay{Host: 0}
	texture := &world.Texture{}
	w := &world.World{
		Materials: []world.Material{{Name: "wall"}, {Name: "model"}, {Name: "stain"}, {Name: "hidden"},
			{Name: "+0Lamp", Texture: texture, Width: 1}, {Name: "both"}},
		Models: []world.Model{{Surfaces: []world.Surface{
			{Material: 0, Shape: polygon, Chart: 0}, {Material: 1, Shape: triangles, Chart: world.NoChart},
			{Material: 2, Shape: overlay, Chart: world.NoChart},
			{Material: 3, Shape: polygon, Flags: world.NoDraw}, {Material: 5, Shape: triangles}, {Material: 5, Shape: polygon},
		}}},
		Decals: []world.Decal{{Material: 2}}, Sky: world.SkyBox{Name: `Env\Sky`},
	}
	f := FactsOf(w, true)
	if !slices.Equal(f.Visible, []bool{true, true, true, false, false, true}) ||
		!slices.Equal(f.Baked, []bool{true, false, true, true, true, true}) {
		t.Errorf("visible %v, baked %v", f.Visible, f.Baked)
	}
	for i, want := range []shapes{{}, {ModelsAlone: true}, {OverlaysAlone: true}, {}, {}, {}} {
		if f.Shapes[i] != want {
			t.Errorf("%s: %+v", w.Materials[i].Name, f.Shapes[i])
		}
	}
	if !f.Decals[2] || f.Decals[0] || f.Frames["+0lamp"] != texture || f.Sky != "env/sky" {
		t.Errorf("%+v", f)
	}
	if FactsOf(w, false).Baked != nil {
		t.Error("no light is in the vertices")
	}
}

// A map that names archives lacks textures of those; one of a game with material files lacks those, whatever sizes it knows.
func TestHintsSayWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		w    world.World
		want string
	}{
		{world.World{Materials: []world.Material{{Name: "a"}}}, ImageHint},
		{world.World{Materials: []world.Material{{Name: "a"}}, Files: world.Files{Wads: []string{"a.wad"}}}, WadHint},
		{world.World{Materials: []world.Material{{Name: "a", Width: 8}}, Files: world.Files{Described: true}}, textureHint},
		{world.World{Materials: []world.Material{{Name: "a"}}, Files: world.Files{Described: true}}, textureHint},
		{world.World{Materials: []world.Material{{Name: "a"}, {Name: "found", Width: 8}}}, ImageHint},
		{world.World{Materials: []world.Material{{Name: "a", Texture: &world.Texture{}}}, Files: world.Files{Wads: []string{"a.wad"}}},
			ImageHint},
	} {
		pl := planOf(&c.w)
		pl.MarkMissing(&c.w.Materials[0], []string{"b", "a"})
		pl.MarkMissing(&c.w.Materials[0], []string{"b", "c"})
		pl.MarkMissing(&c.w.Materials[0], nil)
		if len(pl.Missing) != 1 || pl.Missing[0].Hint != c.want {
			t.Fatalf("%+v, want %s", pl.Missing, c.want)
		}
		want := []string{"a", "b", "c"}
		if c.want == textureHint {
			want = append(want, "materials/a.vmt")
		}
		if !slices.Equal(pl.Missing[0].Tried, want) {
			t.Errorf("%q, want %q", pl.Missing[0].Tried, want)
		}
	}
}

func TestNotShownIsSortedAndTold(t *testing.T) {
	pl := three()
	pl.NotShown(0, nil)
	pl.NotShown(1, []string{"b", "a", "b"})
	pl.NotShown(1, []string{"b", "a"})
	if len(pl.Issues) != 1 || pl.Issues[0].Detail != "a, b" || pl.Materials[1].Extras["not_shown"] != "a, b" ||
		pl.Materials[0].Extras["not_shown"] != nil {
		t.Errorf("%+v", pl.Issues)
	}
}

func TestPlaceholders(t *testing.T) {
	for _, c := range []struct {
		name string
		m    pbr.Material
		want [4]float32
	}{
		{"nothing is known", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1}}, [4]float32{0.5, 0.5, 0.5, 1}},
		{"the map's colour", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1, Color: [3]float32{2, 0.25, 0}}}, [4]float32{1, 0.25, 0, 1}},
		{"the map's opacity", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 0.25}}, [4]float32{0.5, 0.5, 0.5, 0.25}},
		{"an overlay that is opaque", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1, Overlay: true}}, [4]float32{0.5, 0.5, 0.5, 1}},
		{"an overlay that is blended", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1, Overlay: true}, Alpha: pbr.Blend},
			[4]float32{0.5, 0.5, 0.5, 0.25}},
		{"a mask", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1}, Alpha: pbr.Mask, Cutoff: 0.5}, [4]float32{0.5, 0.5, 0.5, 1}},
		{"what fades by its vertices", pbr.Material{PlaceholderLook: pbr.PlaceholderLook{Opacity: 1}, Vertex: pbr.VertexUse{Alpha: true}},
			[4]float32{0.5, 0.5, 0.5, 1}},
	} {
		c.m.Extras = map[string]any{}
		MakePlaceholder(&c.m)
		blended := c.want[3] < 1 || c.m.Vertex.Alpha
		if c.m.BaseColor != c.want || c.m.Cutoff != 0 || c.m.Alpha == pbr.Mask || (c.m.Alpha == pbr.Blend) != blended ||
			c.m.Extras["placeholder"] != true {
			t.Errorf("%s: %+v", c.name, c.m)
		}
	}
}

func TestDressesByTheMap(t *testing.T) {
	for _, c := range []struct {
		name   string
		wm     world.Material
		hole   bool
		pixels paint.Pixels
		want   string // alpha, cutoff, opacity
		alpha  bool
	}{
		{"opaque", world.Material{}, false, paint.AsStored, "", false},
		{"holes", world.Material{}, true, paint.AsStored, "mask", true},
		{"masked", world.Material{Blend: world.BlendMask}, false, paint.AsStored, "mask", true},
		{"blended", world.Material{Blend: world.BlendAlpha, Opacity: 0.5}, true, paint.AsStored, "blend .5", true},
		{"added", world.Material{Blend: world.BlendAdd, Opacity: 9}, false, paint.Added, "blend 1", true},
	} {
		m := pbr.New("x")
		p, alpha := (&Facts{}).ApplyMapAppearance(&m, &c.wm, c.hole)
		want := map[string]pbr.Material{
			"": {BaseColor: [4]float32{1, 1, 1, 1}}, "mask": {Alpha: pbr.Mask, Cutoff: 0.5, BaseColor: [4]float32{1, 1, 1, 1}},
			"blend .5": {Alpha: pbr.Blend, BaseColor: [4]float32{1, 1, 1, 0.5}},
			"blend 1":  {Alpha: pbr.Blend, BaseColor: [4]float32{1, 1, 1, 1}},
		}[c.want]
		if p != c.pixels || alpha != c.alpha || m.Alpha != want.Alpha || m.Cutoff != want.Cutoff || m.BaseColor != want.BaseColor {
			t.Errorf("%s: %v, %t, %+v", c.name, p, alpha, m)
		}
	}
	m := pbr.New("x")
	(&Facts{}).ApplyMapAppearance(&m, &world.Material{Lighting: world.PerVertex, TwoSided: true, Tint: [3]float32{1, 0.5, 7}}, false)
	if !m.Draw.Unlit || !m.Vertex.Color || !m.Draw.DoubleSided || m.BaseColor != [4]float32{1, 0.5, 1, 1} {
		t.Errorf("%+v", m)
	}
}

// Quake II doubles its textures, and halves those of liquids and glass again, if no light is baked for them.
func TestDressesDoubledTextures(t *testing.T) {
	for _, c := range []struct {
		name string
		wm   world.Material
		want paint.Pixels
	}{
		{"lit", world.Material{Lighting: world.Lightmap}, paint.Brightened},
		{"on a model", world.Material{Lighting: world.PerVertex}, paint.Brightened},
		{"without light", world.Material{Lighting: world.Fullbright}, paint.Brightened},
		{"a liquid", world.Material{Lighting: world.Fullbright, Flags: world.Liquid}, paint.Dimmed},
		{"glass", world.Material{Lighting: world.Fullbright, Blend: world.BlendAlpha, Opacity: 0.33}, paint.Dimmed},
		{"added", world.Material{Blend: world.BlendAdd}, paint.Added},
	} {
		m := pbr.New("x")
		f := FactsOf(&world.World{Baked: world.BakedLight{Display: &world.DisplayLight{Doubled: true}}}, false)
		if p, _ := f.ApplyMapAppearance(&m, &c.wm, false); p != c.want {
			t.Errorf("%s: %v, want %v", c.name, p, c.want)
		}
	}
}

func TestBeginKeepsWhatTheMapSays(t *testing.T) {
	pl := planOf(&world.World{Materials: []world.Material{{Name: "a", Surface: 0x4000, Contents: 0x80000000, Blend: world.BlendAdd,
		Opacity: 0.5, Color: [3]float32{1, 0, 0}}}})
	m := pl.Materials[0]
	if m.Extras["surface_flags"] != 16384.0 || m.Extras["contents"] != 2147483648.0 || m.PlaceholderLook.Opacity != 0.5 ||
		m.PlaceholderLook.Color != [3]float32{1, 0, 0} {
		t.Errorf("%+v", m)
	}
}

// An image that is added keeps its values; the factor of 1.3 compensates for adding in linear light. The greater of 1 and 0.5, which
// is 0.21404 in linear light, becomes the strength.
func TestShine(t *testing.T) {
	var m pbr.Material
	SetEmission(&m, [3]float64{1, 0.5, 0})
	if f := m.Emission.Color; f[0] != 1 || m.Emission.Strength != 1.3 || f[2] != 0 || f[1] < 0.21 || f[1] > 0.22 ||
		m.Emission.Glow != [3]float32{1, 0.5, 0} {
		t.Error(f, m.Emission.Strength, m.Emission.Glow)
	}
}

// The first layer scrolls after a scale of 2; the picture covers two periods of it.
func TestMovesAPictureAsItsFirstLayer(t *testing.T) {
	rest := [6]float64{2, 0, 0, 0, 2, 0}
	m := pbr.New("x")
	m.Motion = &pbr.Motion{Base: []pbr.Change{{Kind: "scroll"}}, Rest: &rest}
	m.Emission.Slot.Image = 1
	uv := [6]float64{1, 0, 0, 0, 1, 0}
	MovePicture(&m, uv)
	last := m.Motion.Base[len(m.Motion.Base)-1]
	if len(m.Motion.Base) != 2 || last.Kind != "transform" || last.Numbers[0] != 0.5 || *m.Motion.Rest != uv || len(m.Motion.Glow) != 2 {
		t.Errorf("%+v", m.Motion)
	}
	rest = [6]float64{}
	m.Motion = &pbr.Motion{Base: []pbr.Change{{Kind: "scroll"}}, Rest: &rest}
	if MovePicture(&m, uv); m.Motion.Base != nil || m.Motion.Rest != nil {
		t.Errorf("coordinates without an inverse: %+v", m.Motion)
	}
	m.Motion = nil
	MovePicture(&m, uv)
}

func TestSettleDropsABrokenAnimation(t *testing.T) {
	whole, broken := pbr.Motion{Frames: []pbr.Slot{{Image: 0}}}, pbr.Motion{Frames: []pbr.Slot{{Image: 0}, {Image: pbr.NoImage}}}
	Settle(&whole)
	Settle(&broken)
	Settle(nil)
	if len(whole.Frames) != 1 || broken.Frames != nil {
		t.Error(whole, broken)
	}
}

func TestRolesAreTold(t *testing.T) {
	for _, c := range []struct {
		r                       Role
		base, reflects, shining bool
	}{{AsBase, true, false, false}, {AsShining, true, false, false}, {AsSkySide, false, false, false}, {AsGlow, false, false, true},
		{AsGloss, false, true, false}, {AsTransmission, false, true, false}} {
		if c.r.IsBase() != c.base || c.r.Reflects() != c.reflects || c.r.Shines() != c.shining {
			t.Errorf("%d", c.r)
		}
	}
	if !strings.Contains(ImageHint, "--game") {
		t.Error(ImageHint)
	}
}
