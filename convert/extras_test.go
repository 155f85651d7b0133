package convert

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/animation"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	placing "github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/extras"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/spr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Every key in the extras of outputs is in the table with its type, and every row of the table is in an output.
func TestExtrasAreThoseOfTheTable(t *testing.T) {
	if testkit.Race || testing.Short() {
		t.Skip("converts all fixtures several times")
	}
	c := newContract(t)
	list, err := filepath.Glob("../testdata/goldsrc/maps/*.bsp")
	if err != nil || len(list) == 0 {
		t.Fatal(err)
	}
	full := set(t, "entities.motion=all", "geometry.collision=brushes", "output.hidden=true", "materials.cubemaps=faces", "sky.hdr=sidecar",
		"lightmap.bump=pages", "lightmap.styles=layers", "entities.details=node")
	for _, file := range append(list, fixtures(t)...) {
		for _, p := range []pipeline.Pipeline{defaults(), full, preset(t, "web"), preset(t, "viewer")} {
			s, _ := convertMap(t, p, file)
			c.checkFile(s)
		}
		s, _ := convertMap(t, write.FindFormat("html").Prepare(defaults()), file)
		c.checkPage(s)
	}
	c.checkFile(exposed(t))
	for _, in := range []string{"../testdata/demo/maps/demo.bsp", "../testdata/features/maps/missing.bsp"} {
		c.checkPage(opened(t, in, "html"))
	}
	for _, from := range []Source{scripted(t), named(), foggy(), detailed(t)} {
		s, _, err := Map(t.Context(), full, from)
		if err != nil {
			t.Fatal(err)
		}
		c.checkFile(s)
	}
	c.checkSkeleton()
	c.checkFile(withVariants(t, "../testdata/source/models/ours/table.mdl"))
	c.checkFile(withVariants(t, "../testdata/goldsrc/models/signpost.mdl"))
	for i := range c.keys {
		for _, name := range c.keys[i].Names() {
			if !c.seen[c.keys[i].On+" "+name] {
				t.Errorf("no output has %s: %s", c.keys[i].On, name)
			}
		}
	}
}

// withVariants is the scene of a model with all variants of its body parts and all levels of detail.
func withVariants(t *testing.T, in string) (s *scene.Scene) {
	t.Helper()
	p := defaults()
	p.Model.Groups, p.Models.Lods = models.GroupsAll, models.LodsChain
	_, err := Run(t.Context(), Job{
		Pipeline: p, Model: true, In: in,
		Show: func(_ context.Context, of *scene.Scene) error { s = of; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exposed is the scene of a map with HDR light, whose exposure is chosen between 0.5 and 2.
func exposed(t *testing.T) (s *scene.Scene) {
	t.Helper()
	_, err := Run(t.Context(), Job{
		Pipeline: defaults(), In: "../testdata/source/maps/showcase.bsp",
		Show: func(_ context.Context, of *scene.Scene) error { s = of; return nil },
	})
	factor, _ := s.Extras["bsp2gltf_exposure"].(float64)
	if err != nil || s.Shown.Exposure == nil || factor <= s.Shown.Exposure.Min || factor >= s.Shown.Exposure.Max {
		t.Fatalf("%v, extras %v", err, s.Extras)
	}
	return s
}

// Presets write what their readers read: how a surface is blended, and what moves in layers of its own where it is moved.
func TestPresetsWriteWhatTheirReadersRead(t *testing.T) {
	for name, moves := range map[string]bool{"godot": true, "unity": true} {
		s, _ := convertMap(t, preset(t, name), "../testdata/demo/maps/demo.bsp")
		adds, moving := 0, false
		for _, m := range s.Materials {
			if m.Extras["blend"] == "add" {
				adds++
			}
			moving = moving || m.Material.Name == "textures/demo/waterfall" && m.Material.Motion != nil
		}
		if adds == 0 || moving != moves {
			t.Errorf("%s: %d materials add to what is behind them; the waterfall moves: %v", name, adds, moving)
		}
	}
}

func preset(t *testing.T, name string) pipeline.Pipeline {
	l, err := pipeline.PresetLayer(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := pipeline.Load(l)
	if err != nil {
		t.Fatal(err)
	}
	return c.Pipeline
}

// detailed is a Source map whose plaster has a detail texture that its picture can't hold.
func detailed(t *testing.T) Source {
	files := scenetest.Copied(t, "../testdata/source")
	files["materials/ours/plaster.vmt"] = &fstest.MapFile{
		Data: []byte("LightmappedGeneric { $basetexture ours/plaster $detail ours/grey $detailscale 7.65 $detailblendmode 1 }")}
	data := files["maps/hdr.bsp"].Data
	return Source{Name: "hdr", Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files}
}

// scripted is the demo map with shaders that have what those of the fixtures lack.
func scripted(t *testing.T) Source {
	t.Helper()
	script := `
textures/demo/brick
{
	q3map_lightRGB 1 0.5 0.25
	{
		map textures/demo/brick.jpg
	}
	{
		map $lightmap
		blendFunc filter
	}
	{
		map textures/demo/chrome.jpg
		blendFunc add
		tcGen environment
		tcMod scale 2 1
		tcMod scroll 0.1 0
	}
}
textures/demo/crate
{
	{
		map textures/demo/chrome.jpg
		tcGen environment
		rgbGen vertex
	}
	{
		map textures/demo/grate.tga
		blendFunc blend
		rgbGen vertex
	}
}
textures/demo/plaster
{
	{
		map textures/demo/chrome.jpg
		tcGen environment
		rgbGen const ( 0.5 0.25 1 )
	}
	{
		map textures/demo/grate.tga
		blendFunc blend
	}
	{
		map $lightmap
		blendFunc filter
	}
}
textures/demo/trim
{
	{
		map textures/demo/trim.tga
	}
	{
		map $lightmap
		blendFunc filter
	}
	{
		map textures/demo/lamp_glow.png
		blendFunc add
		tcMod scroll 1 0
	}
}
textures/demo/wood
{
	{
		map textures/demo/chrome.jpg
		tcGen environment
		rgbGen oneMinusVertex
	}
	{
		map $lightmap
		blendFunc filter
	}
}
textures/demo/stone
{
	{
		map $lightmap
	}
	{
		map textures/demo/stone.jpg
		blendFunc GL_DST_COLOR GL_SRC_COLOR
	}
}
textures/demo/metal
{
	{
		map textures/demo/metal.tga
		blendFunc GL_DST_COLOR GL_ZERO
	}
	{
		map $lightmap
		blendFunc filter
	}
}
textures/demo/dusk
{
	surfaceparm sky
	q3map_surfacelight 100
	skyParms env/demo/dusk - -
}
`
	files := scenetest.Copied(t, "../testdata/demo")
	files["scripts/z.shader"] = &fstest.MapFile{Data: []byte(script)}
	sphere := md3test.Model{Frames: 1, Surfaces: []md3test.Surface{{Shaders: []string{"textures/demo/brick"},
		Vertices: [][]md3test.Vertex{{{X: 64}, {Y: 64}, {Z: 64}}}, UV: make([][2]float32, 3), Triangles: [][3]int32{{0, 1, 2}}}}}
	files["models/powerups/health/mega_sphere.md3"] = &fstest.MapFile{Data: sphere.Bytes()}
	data := bytes.Replace(files["maps/demo.bsp"].Data, []byte(`"notfree" "1"`), []byte(`"notfree" "0"`), 1)
	return Source{Name: "demo", Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files}
}

// named is a map of Half-Life with textures, doors and a sprite whose names and types mean what those of the fixtures lack.
func named() Source {
	m := &qbsp.Map{Entities: []qbsp.Entity{
		{{"classname", "worldspawn"}}, {{"classname", "env_sprite"}, {"model", "sprites/upright.spr"}, {"origin", "0 0 64"}},
	}}
	for i, name := range []string{"+0sign", "+1sign", "-0tile", "-1tile", "scroll1"} {
		x := float32(64 * i)
		m.Room(qbsp.Texture{Name: name, Width: 16, Height: 16, Pixels: make([]byte, 256)}, [3]float32{x, 0, 0}, [3]float32{x + 64, 64, 64})
	}
	for i, model := range []string{"*1", "*2"} { // doors of one name move at once
		m.StartModel()
		x := float32(64 * i)
		m.Room(qbsp.Texture{Name: "door", Width: 16, Height: 16, Pixels: make([]byte, 256)}, [3]float32{x, 0, 0}, [3]float32{x + 32, 8, 48})
		m.Entities = append(m.Entities, qbsp.Entity{{"classname", "func_door"}, {"model", model}, {"targetname", "both"}, {"angle", "-1"}})
	}
	data := m.Write(qbsp.HalfLife)
	sprite := spr.Sprite{Version: 2, Type: 1, Palette: make([][3]byte, 256),
		Frames: []spr.Frame{{{Width: 16, Height: 16, Pixels: make([]byte, 256)}}}}
	files := fstest.MapFS{"sprites/upright.spr": {Data: sprite.Bytes()}}
	return Source{Name: "named", Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files}
}

// foggy is a map of Quake with fog by distance, and a sky of two layers.
func foggy() Source {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}, {"fog", "0.05 0.5 0.5 0.5"}}}}
	m.Room(qbsp.Texture{Name: "tile", Width: 16, Height: 16, Pixels: make([]byte, 256)}, [3]float32{}, [3]float32{64, 64, 64})
	m.Room(qbsp.Texture{Name: "sky1", Width: 256, Height: 128, Pixels: make([]byte, 256*128)}, [3]float32{128, 0, 0}, [3]float32{192, 64, 64})
	data := m.Write(qbsp.Quake)
	return Source{Name: "foggy", Reader: bytes.NewReader(data), Size: int64(len(data))}
}

// contract compares outputs with the table.
type contract struct {
	t    *testing.T
	keys []extras.Key
	seen map[string]bool // kinds and keys of rows that outputs have
	// stated is what fixtures have as keys of entities, directives of scripts and parameters of material files: the first words of lines.
	stated map[string]bool
	doc    map[string]any
}

func newContract(t *testing.T) *contract {
	t.Helper()
	keys, err := extras.Keys()
	if err != nil {
		t.Fatal(err)
	}
	first, stated := regexp.MustCompile(`[\n{"]\s*(?:"([^"\n]{0,64})"|([^\s"{}]{1,64})[\s"])`), map[string]bool{}
	if err := fs.WalkDir(os.DirFS("../testdata"), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".bsp", ".shader", ".vmt"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile("../testdata/" + path)
		for _, m := range first.FindAllSubmatch(text, -1) {
			stated[strings.ToLower(string(m[1])+string(m[2]))] = true
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return &contract{t: t, keys: keys, seen: map[string]bool{}, stated: stated}
}

// checkFile checks the .glb of a scene that has files beside it.
func (c *contract) checkFile(s *scene.Scene) {
	s.MapSHA256 = strings.Repeat("0", 64)
	files, err := OutFiles(s, "glb", "x", "")
	c.check(contents(c.t, files, err)["x.glb"])
}

// checkPage checks the .glb within a page.
func (c *contract) checkPage(s *scene.Scene) {
	var b bytes.Buffer
	if err := write.WriteGLB(&b, s); err != nil {
		c.t.Fatal(err)
	}
	c.check(b.Bytes())
}

// checkSkeleton checks the extras of a model that has all that skeletons can have.
func (c *contract) checkSkeleton() {
	still := world.Track{PositionFrames: []int{0}, Positions: [][3]float32{{1, 2, 3}}, RotationFrames: []int{0},
		Rotations: [][4]float32{{0, 0, 0, 1}}}
	s := &world.Skeleton{
		Bones: []world.Bone{{Name: "Bip01 Head", Parent: -1}}, Attachments: []world.Attachment{{Name: "eyes"}},
		Eyeballs: []world.Eyeball{{Radius: 0.5, Iris: 0.7}},
		HitBoxes: []world.HitBox{{Set: "default", Group: 1, Maxs: [3]float64{1, 1, 1}}},
		Sequences: []world.Sequence{{
			Name: "walk", Activity: "ACT_WALK", Frames: 2, FPS: 30, Blend: "move_yaw 0", Tracks: []world.Track{still},
			Events: []world.Event{{Frame: 1, Number: 1004}},
		}},
	}
	w := &world.World{Models: []world.Model{{Skeleton: s}}, Props: []world.Prop{{Kind: world.FileProp}}}
	placed := &placing.Placed{Nodes: []scene.Node{scene.NewNode("root", scene.None)}, Props: []placing.Prop{{As: placing.AsMesh}}}
	made, err := animation.Skeletons(c.t.Context(), w, placed, axes.Axes{Unit: 1})
	if err != nil || len(made.Nodes) != 4 || len(made.Animations) != 1 {
		c.t.Fatalf("%+v, %v", made, err)
	}
	for i := range made.Nodes {
		c.object("node", made.Nodes[i].Extras)
	}
	c.object("animation", made.Animations[0].Extras)
	c.object("node", placing.TraitExtras(&world.ModelInfo{
		Flags: 1, Surface: "flesh", Mass: 80, KeyValues: "mdlkeyvalue { }", Parts: []world.BodyPart{{Name: "head", Variants: []string{"a", "b"}}},
		BoneControllers: []world.BoneController{{Bone: "Bip01 Head", Axis: "XR"}},
		Face: &world.Face{
			Controllers: []world.FlexController{{Name: "smile"}}, Rules: []world.FlexRule{{Name: "AU12R", Terms: []string{"smile"}}},
			Ramps: []world.FlexRamp{{Shape: "lid", Name: "lid"}},
		},
	}))
}

func (c *contract) check(glb []byte) {
	c.doc = nil
	if err := json.Unmarshal(glb[20:][:binary.LittleEndian.Uint32(glb[12:])], &c.doc); err != nil {
		c.t.Fatal(err)
	}
	c.walk("", c.doc)
}

// kindsOf is what the extras below a part of the document are of. Those of nodes depend on their keys.
var kindsOf = map[string]string{
	"scenes.": "scene", "nodes.": "node", "images.": "image", "animations.": "animation", "materials.": "material",
	"materials.extensions.MOZ_lightmap.": "light", "materials.extensions.KHR_materials_unlit.": "light",
}

// walk finds the extras below a path.
func (c *contract) walk(path string, v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			c.walk(path, x)
		}
	case map[string]any:
		for key, x := range v {
			if key != "extras" {
				c.walk(path+key+".", x)
			} else if kind := kindsOf[path]; kind == "" {
				c.t.Errorf("extras of %s", path)
			} else {
				c.object(kind, x.(map[string]any))
			}
		}
	}
}

// object checks the keys of extras, or of an object in them. The first row of a kind of node is the key that marks it; a node without
// such a key is an entity's.
func (c *contract) object(kind string, x map[string]any) {
	if kind == "node" {
		kind = "entity"
		for first := slices.IndexFunc(c.keys, func(k extras.Key) bool { return k.On == kind }); c.keys[first].On != "image"; first++ {
			k := c.keys[first]
			if _, marked := x[k.Name]; marked && k.On != c.keys[first-1].On {
				kind = k.On
				break
			}
		}
	}
	for name, value := range x {
		k, row := c.row(kind, name)
		if k == nil {
			c.t.Errorf("%s: %s: %v: not in the table", kind, name, value)
			continue
		}
		c.seen[kind+" "+row] = true
		if err := c.typed(k.Type, value); err != nil {
			c.t.Errorf("%s: %s: %v: not %s", kind, name, value, k.Type)
		}
		list, _ := value.([]any)
		for _, v := range append(list, value) {
			if inner, ok := v.(map[string]any); ok {
				c.object(name, inner)
			}
		}
	}
}

var copyNumber = regexp.MustCompile(`_\d+$`)

// row returns the row for a key, and the name in it: the key itself, or a pattern.
func (c *contract) row(kind, name string) (*extras.Key, string) {
	for i := range c.keys {
		k := &c.keys[i]
		if k.On != kind {
			continue
		}
		for _, n := range k.Names() {
			start, pattern := strings.CutSuffix(n, "*")
			if n == name || pattern && start != "" && strings.HasPrefix(name, start) || n == "*" && !c.ours(name) {
				return k, n
			}
		}
	}
	return nil, ""
}

// ours reports whether a key may be one of ours: no fixture states it, and it is ASCII. Maps have other keys too, in encodings of their
// own.
func (c *contract) ours(name string) bool {
	ascii := !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf })
	return ascii && !c.stated[strings.ToLower(copyNumber.ReplaceAllString(name, ""))]
}

// typed reports whether a value is of a type of the table.
func (c *contract) typed(kind string, v any) error {
	ok := false
	switch kind {
	case "text":
		_, ok = v.(string)
	case "number":
		_, ok = v.(float64)
	case "true":
		ok = v == true
	case "yes or no":
		_, ok = v.(bool)
	case "object":
		_, ok = v.(map[string]any)
	case "list":
		_, ok = v.([]any)
	case "texture", "accessor":
		list, _ := c.doc[kind+"s"].([]any)
		n, number := v.(float64)
		ok = number && n >= 0 && int(n) < len(list) && n == float64(int(n))
	case "textures", "numbers":
		list, _ := v.([]any)
		for _, x := range list {
			if err := c.typed(strings.TrimSuffix(kind, "s"), x); err != nil {
				return err
			}
		}
		ok = len(list) > 0
	}
	if !ok {
		return fmt.Errorf("%v is not %s", v, kind)
	}
	return nil
}
