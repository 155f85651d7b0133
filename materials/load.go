package materials

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loader makes the materials of a map: first every material is planned, which reads no image, then all images are
// made in parallel, each once.
type loader struct {
	files    fs.FS
	scripts  *Scripts
	o        Options
	effort   picture.Effort
	set      *Set
	budget   *limit.Budget
	sky      string // of the map: what the names of the sky's sides start with
	skyLight *skyLight
	wads     bool                      // the map names archives of textures
	sized    bool                      // it knows the sizes of textures that it has not: its game has material files
	decals   map[int]bool              // materials that are thrown on surfaces, by index
	frames   map[string]*world.Texture // the map's own pictures of animations and random tiles, by name
	asked    [2]bool                   // whether palettes has been looked for
	palettes [2][][3]uint8             // the game's: of miptex, of .wal
	found    map[string]string         // image names of scripts to files, "" where there is none
	textures map[string]string         // the same for the textures of material files
	vmts     map[string]*vmtEntry      // by material name
	missed   map[string]int            // material names to indices into set.Missing
	told     map[any]bool              // shaders whose issues are listed, and issues that are
	jobs     []job
	byKey    map[string]int
	sources  map[string]*source // by file; what the jobs read
	turns    sync.RWMutex       // of jobs: written to by one that needs the memory of all others
	fading   []fading           // materials whose displacements are to be baked
	baked    []bool             // by material: all of its light is in the vertices' colours
	shapes   []shapes           // by material
}

// Load finds and makes the materials of w. It fails on a limit and when ctx ends; what is missing or broken is in the
// set and its material is a placeholder.
func Load(ctx context.Context, files fs.FS, scripts *Scripts, w *world.World, o Options) (*Set, error) {
	ld := newLoader(files, scripts, o)
	var err error
	if ld.effort, err = picture.ParseEffort(o.PNG); err != nil {
		return nil, err
	}
	ld.set.Issues = append(ld.set.Issues, scripts.issues...)
	if err := ld.planAll(ctx, w); err != nil {
		return nil, err
	}
	ld.planBakes(w)
	ld.countReaders()
	results, err := par.Map(ctx, len(ld.jobs), func(i int) (made, error) {
		m, err := ld.makeInTurn(ctx, &ld.jobs[i])
		if err != nil {
			return m, fmt.Errorf("image %.100q: %w", ld.jobs[i].name, err)
		}
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	for i := range results {
		ld.finish(&ld.jobs[i], &results[i])
	}
	for i := range ld.set.Materials {
		// A layer without its image would hide what is below.
		m := &ld.set.Materials[i]
		m.glow(&w.Materials[i], o)
		m.Layers = slices.DeleteFunc(m.Layers, func(l Material) bool { return l.Placeholder })
	}
	if err := ld.bake(ctx, w); err != nil {
		return nil, err
	}
	if err := ld.litSky(ctx); err != nil {
		return nil, err
	}
	if err := ld.cubemaps(ctx, w); err != nil {
		return nil, err
	}
	slices.Sort(ld.set.Files)
	ld.set.Files = slices.Compact(ld.set.Files)
	return ld.set, nil
}

// Find returns the materials of w whose images are missing, without reading any.
func Find(files fs.FS, scripts *Scripts, w *world.World) []Missing {
	ld := newLoader(files, scripts, Options{Combine: "needed", Emissive: true})
	_ = ld.planAll(context.Background(), w) // fails only when its context ends
	return ld.set.Missing
}

// glow lets a material shine in the colours of its texture, where the map says that it does.
func (m *Material) glow(wm *world.Material, o Options) {
	if wm.Glow == [3]float32{} || !o.Emissive || m.Unlit || m.Placeholder || m.Emission != [3]float32{} {
		return
	}
	m.Emission = wm.Glow
	m.Emissive.Image, m.Emissive.Clamp = m.Base.Image, m.Base.Clamp
}

func newLoader(files fs.FS, scripts *Scripts, o Options) *loader {
	return &loader{
		files: files, scripts: scripts, o: o, set: &Set{Missing: []Missing{}},
		found: map[string]string{}, textures: map[string]string{}, vmts: map[string]*vmtEntry{}, missed: map[string]int{}, told: map[any]bool{}, byKey: map[string]int{},
		decals: map[int]bool{}, frames: map[string]*world.Texture{},
	}
}

func (ld *loader) planAll(ctx context.Context, w *world.World) error {
	visible := visibleMaterials(w)
	ld.budget, ld.sky = limit.From(ctx), fold(w.Sky)
	ld.wads = len(w.Wads) > 0
	ld.sized = slices.ContainsFunc(w.Materials, func(m world.Material) bool { return m.Width > 0 && m.Texture == nil })
	for _, d := range w.Decals {
		ld.decals[d.Material] = true
	}
	for i := range w.Materials {
		m := &w.Materials[i]
		if m.Texture != nil && (strings.HasPrefix(m.Name, "+") || strings.HasPrefix(m.Name, "-")) {
			ld.frames[fold(m.Name)] = m.Texture
		}
	}
	if ld.o.Baked {
		ld.baked = bakedLight(w)
	}
	ld.shapes = shapesOf(w)
	ld.set.Materials = make([]Material, len(w.Materials))
	for i := range w.Materials {
		if err := ctx.Err(); err != nil {
			return err
		}
		ld.plan(i, &w.Materials[i], visible[i])
	}
	return nil
}

// visibleMaterials tells which materials a surface shows that the map does not hide itself.
func visibleMaterials(w *world.World) []bool {
	visible := make([]bool, len(w.Materials))
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			if s.Flags&(world.NoDraw|world.Hint|world.Trigger) == 0 {
				visible[s.Material] = true
			}
		}
	}
	return visible
}

// shapes are the kinds of surfaces that a material is on.
type shapes struct{ modelsAlone, overlaysAlone bool }

// shapesOf returns the shapes by material. One that no surface has is on neither alone.
func shapesOf(w *world.World) []shapes {
	type count struct{ all, models, overlays int }
	counts := make([]count, len(w.Materials))
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			c := &counts[s.Material]
			c.all++
			switch s.Shape.(type) {
			case *world.Triangles:
				c.models++
			case *world.Overlay:
				c.overlays++
			}
		}
	}
	list := make([]shapes, len(counts))
	for i, c := range counts {
		list[i] = shapes{modelsAlone: c.all > 0 && c.models == c.all, overlaysAlone: c.all > 0 && c.overlays == c.all}
	}
	return list
}

// plain is a material that shows nothing yet.
func plain(name string) Material {
	return Material{
		Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Strength: 1, Sort: 3, LightGain: 1, stand: standIn{opacity: 1},
		Base: Slot{Image: NoImage, UV: identity}, Emissive: Slot{Image: NoImage, UV: identity}, Normal: Slot{Image: NoImage, UV: identity},
		Extras: map[string]any{"material": name},
	}
}

// plan makes a material up to its images.
func (ld *loader) plan(i int, wm *world.Material, visible bool) {
	m := &ld.set.Materials[i]
	*m = plain(wm.Name)
	if wm.Surface != 0 {
		m.Extras["surface_flags"] = float64(wm.Surface)
	}
	if wm.Contents != 0 {
		m.Extras["contents"] = float64(wm.Contents)
	}
	m.stand = standIn{color: wm.Color, opacity: 1, overlay: ld.shapes[i].overlaysAlone}
	if wm.Blend == world.BlendAlpha || wm.Blend == world.BlendAdd {
		m.stand.opacity = float32(clamp01(float64(wm.Opacity)))
	}
	for _, system := range systems {
		if system(ld, i, wm, visible) {
			return
		}
	}
}

// systems are the ways in which games describe their materials. The first that knows a name makes its material; what is
// only an image, or nothing, is the last one's. A way in which no game of the map's kind describes any finds none.
var systems = []func(ld *loader, i int, wm *world.Material, visible bool) bool{
	(*loader).loadValve,
	(*loader).loadScript,
	(*loader).loadIndexed,
	(*loader).loadImage,
}

// loadScript makes the material of a shader script.
func (ld *loader) loadScript(i int, wm *world.Material, visible bool) bool {
	sh := ld.scripts.shaders.Find(wm.Name)
	if sh == nil {
		return false
	}
	m := &ld.set.Materials[i]
	describe(m, sh)
	if !ld.told[sh] {
		ld.told[sh] = true
		for _, is := range sh.Issues {
			ld.set.Issues = append(ld.set.Issues, world.Issue{Code: is.Code, Where: fmt.Sprintf("%s:%d", sh.File, is.Line), Detail: wm.Name + ": " + is.Detail})
		}
	}
	switch {
	case wm.Flags&world.Sky != 0 || sh.Sky != nil || sh.Has("sky"):
		ld.scriptSky(i, wm, sh, visible)
	case !visible || hides(sh):
		m.Hidden = true
	default:
		ld.script(i, wm, sh)
	}
	return true
}

// loadImage makes the material of an image, or of a name without one.
func (ld *loader) loadImage(i int, wm *world.Material, visible bool) bool {
	m := &ld.set.Materials[i]
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Unlit = newSky(), true
	case !visible:
		m.Hidden = true
	default:
		file := ld.find(wm.Name)
		if file == "" {
			file = ld.find("textures/" + wm.Name)
		}
		if file == "" {
			file = ld.texture("materials/" + fold(wm.Name))
		}
		ld.implicit(i, wm, file)
	}
	return true
}

// tools are the surfaceparms of what the compilers take out of a map, or should.
var tools = []string{
	"nodraw", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin",
	"donotenter", "nodrop", "fog",
}

// hides tells whether a shader is never drawn. Whatever has stages is: the engine asks the map, not the script, for
// nodraw. Without stages it draws its default image, a grid for the map's author to see, but for a fog; where the
// script also says that it is a tool, we draw nothing.
func hides(sh *q3shader.Shader) bool {
	return len(sh.Stages) == 0 && (sh.Fog != nil || slices.ContainsFunc(tools, sh.Has))
}

// issue adds an issue once.
func (ld *loader) issue(is world.Issue) {
	if !ld.told[is] {
		ld.told[is] = true
		ld.set.Issues = append(ld.set.Issues, is)
	}
}
