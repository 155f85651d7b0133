package materials

import (
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func vmtWith(file string) fstest.MapFS {
	return fstest.MapFS{
		"materials/a.vmt": &fstest.MapFile{Data: []byte(file)},
		"materials/a.vtf": vtfFile(0, filled(8, 8, grey(128))),
	}
}

// What is added stays added, whatever else its alpha says: the engine then adds it without looking at the alpha.
func TestAdditiveAlwaysAdds(t *testing.T) {
	for _, file := range []string{
		"LightmappedGeneric { $basetexture a $additive 1 }",
		"LightmappedGeneric { $basetexture a $additive 1 $selfillum 1 }",
		"LightmappedGeneric { $basetexture a $additive 1 $basealphaenvmapmask 1 $envmap env_cubemap }",
		"VertexLitGeneric { $basetexture a $additive 1 $translucent 1 $selfillum 1 }",
		"UnlitGeneric { $basetexture a $additive 1 $blendtintbybasealpha 1 $color2 {255 255 255} }",
	} {
		o := plainOptions
		o.Reflections = true
		set := load(t, vmtWith(file), "", o, shown(world.Material{Name: "a"}))
		m := &set.Materials[0]
		if m.Alpha != pbr.Blend || m.Base.Image == pbr.NoImage {
			t.Errorf("%s: %s", file, text(set, m))
			continue
		}
		// A grey of 128 that is added covers a half, and is white.
		if c := decoded(t, set, m.Base.Image).NRGBAAt(0, 0); c.A != 128 || c.R != 255 {
			t.Errorf("%s: %v", file, c)
		}
	}
}

// A material for flat surfaces is moved off them; a model has no surface below.
func TestModulateMovesNoModel(t *testing.T) {
	w := shown(world.Material{Name: "a"}, world.Material{Name: "a", Lighting: world.PerVertex})
	w.Models[0].Surfaces[0].Shape = &world.Polygon{}
	w.Models[0].Surfaces[1].Shape = &world.Triangles{}
	set := load(t, vmtWith("Modulate { $basetexture a }"), "", plainOptions, w)
	if !set.Materials[0].Draw.Offset || set.Materials[1].Draw.Offset {
		t.Errorf("brush %t, model %t", set.Materials[0].Draw.Offset, set.Materials[1].Draw.Offset)
	}
}

func TestAPlaceholderKeepsTheOpacityThatTheMapKnows(t *testing.T) {
	w := shown(
		world.Material{Name: "none", Blend: world.BlendAlpha, Opacity: 0.25},
		world.Material{Name: "bare", Blend: world.BlendAlpha, Opacity: 0.5},
		world.Material{Name: "lost", Blend: world.BlendAdd, Opacity: 0.75},
		world.Material{Name: "broken", Blend: world.BlendAlpha, Opacity: 0.25},
		world.Material{Name: "wall"},
	)
	files := fstest.MapFS{
		"materials/bare.vmt": &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture gone }")},
		"broken.jpg":         &fstest.MapFile{Data: []byte("\xff\xd8\xff\xe0 and no more")},
		"scripts/x.shader":   &fstest.MapFile{Data: []byte("lost\n{\n{ map gone\n}\n}\n")},
	}
	set := load(t, files, "", plainOptions, w)
	for i, want := range []float32{0.25, 0.5, 0.75, 0.25, 1} {
		m := &set.Materials[i]
		if !m.Placeholder || m.BaseColor[3] != want || (m.Alpha == pbr.Blend) != (want < 1) {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
}

// A sticker whose picture is not there must not hide the wall below it.
func TestAnOverlayWithoutItsTextureIsNearlyClear(t *testing.T) {
	w := shown(world.Material{Name: "wall"}, world.Material{Name: "stain"}, world.Material{Name: "panel"}, world.Material{Name: "both"})
	s := w.Models[0].Surfaces
	for i := range s {
		s[i].Shape = &world.Polygon{}
	}
	for i := 1; i < 4; i++ {
		s[i].Shape = &world.Overlay{Host: 0}
	}
	w.Models[0].Surfaces = append(s, world.Surface{Material: 3, Shape: &world.Polygon{}})
	files := fstest.MapFS{"materials/panel.vmt": &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture gone }")}}
	set := load(t, files, "", plainOptions, w)
	for i, want := range []float32{1, 0.25, 1, 1} { // a panel's material says that it is opaque
		m := &set.Materials[i]
		if !m.Placeholder || m.BaseColor[3] != want || (m.Alpha == pbr.Blend) != (want < 1) {
			t.Errorf("%s: %s", m.Name, text(set, m))
		}
	}
}
