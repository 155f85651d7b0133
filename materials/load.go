package materials

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loader makes the materials of a map: first every material is planned, which reads no image, then all images are
// made in parallel, each once.
type loader struct {
	files   fs.FS
	scripts *Scripts
	o       Options
	set     *Set
	found   map[string]string // image names of scripts to files, "" where there is none
	jobs    []job
	byKey   map[string]int
}

// job is an image to make: a file's, a file's glow, or a recipe's.
type job struct {
	key    string
	file   string
	name   string // the image's, without extension
	alpha  bool   // some material uses its alpha
	glow   *[3]float64
	recipe *recipe
	users  []user
}

// user is where a job's image goes.
type user struct {
	to   target
	set  func(*Material, int, *combined) // the image's index, and what combining found out
	glow func(*Material, int)            // of the second image that combining may give
}

// made is the result of a job.
type made struct {
	images   []Image // one, or two with a glow; empty where the file was broken
	combined *combined
	files    []string
	issues   []world.Issue
}

// Load finds and makes the materials of w. It fails on a limit and when ctx ends; what is missing or broken is in the
// set and its material is a placeholder.
func Load(ctx context.Context, files fs.FS, scripts *Scripts, w *world.World, o Options) (*Set, error) {
	ld := newLoader(files, scripts, o)
	ld.set.Issues = append(ld.set.Issues, scripts.issues...)
	visible := visibleMaterials(w)
	for i := range w.Materials {
		ld.plan(i, &w.Materials[i], visible[i])
	}
	b := limit.From(ctx)
	results, err := par.Map(ctx, len(ld.jobs), func(i int) (made, error) {
		m, err := ld.make(&ld.jobs[i], b)
		if err != nil {
			return m, fmt.Errorf("image %q: %w", ld.jobs[i].name, err)
		}
		return m, nil
	})
	if err != nil {
		return nil, err
	}
	for i := range results {
		ld.finish(&ld.jobs[i], &results[i])
	}
	slices.Sort(ld.set.Files)
	ld.set.Files = slices.Compact(ld.set.Files)
	return ld.set, nil
}

// Find returns the materials of w whose images are missing, without reading any.
func Find(files fs.FS, scripts *Scripts, w *world.World) []Missing {
	ld := newLoader(files, scripts, Options{Combine: "needed", Emissive: true})
	visible := visibleMaterials(w)
	for i := range w.Materials {
		ld.plan(i, &w.Materials[i], visible[i])
	}
	return ld.set.Missing
}

func newLoader(files fs.FS, scripts *Scripts, o Options) *loader {
	return &loader{files: files, scripts: scripts, o: o, set: &Set{Missing: []Missing{}}, found: map[string]string{}, byKey: map[string]int{}}
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

// plan makes a material up to its images.
func (ld *loader) plan(i int, wm *world.Material, visible bool) {
	m := Material{
		Name: wm.Name, BaseColor: [4]float32{1, 1, 1, 1}, Strength: 1, Sort: 3, LightGain: 1,
		Base: Slot{Image: NoImage, UV: identity}, Emissive: Slot{Image: NoImage, UV: identity},
		Extras: map[string]any{"material": wm.Name},
	}
	if wm.Surface != 0 {
		m.Extras["surface_flags"] = float64(wm.Surface)
	}
	if wm.Contents != 0 {
		m.Extras["contents"] = float64(wm.Contents)
	}
	sh := ld.scripts.library.Find(wm.Name)
	if sh != nil {
		describe(&m, sh)
		for _, is := range sh.Issues {
			ld.set.Issues = append(ld.set.Issues, world.Issue{Code: is.Code, Where: fmt.Sprintf("%s:%d", sh.File, is.Line), Detail: wm.Name + ": " + is.Detail})
		}
	}
	ld.set.Materials = append(ld.set.Materials, m)
	switch {
	case sh == nil:
		if !visible {
			ld.set.Materials[i].Hidden = true
		} else if wm.Flags&world.Sky != 0 {
			ld.set.Materials[i].Sky = noSky()
		} else {
			ld.implicit(i, wm)
		}
	case sh.Sky != nil || wm.Flags&world.Sky != 0 || sh.Has("sky"):
		ld.sky(i, wm, sh, visible)
	case !visible || hides(sh):
		ld.set.Materials[i].Hidden = true
	default:
		ld.script(i, wm, sh)
	}
}

// hides tells whether a shader is never drawn.
func hides(sh *q3shader.Shader) bool {
	if sh.Has("nodraw") {
		return true
	}
	if len(sh.Stages) > 0 {
		return false
	}
	for _, parm := range []string{"fog", "hint", "skip", "playerclip", "monsterclip", "botclip", "clipmissile", "trigger", "areaportal", "origin", "donotenter", "nodrop"} {
		if sh.Has(parm) {
			return true
		}
	}
	return sh.Fog != nil
}

// describe puts into the extras what a script says and glTF can't.
func describe(m *Material, sh *q3shader.Shader) {
	m.Sort = sh.SortOrder()
	m.Offset = sh.PolygonOffset || m.Sort == 4
	m.DoubleSided = sh.Cull != q3shader.Front
	if sh.Fog != nil {
		m.Fog = &Fog{Opaque: sh.Fog.Opaque}
		for k, c := range sh.Fog.Color {
			m.Fog.Color[k] = float32(srgbToLinear(clamp01(float64(c))))
		}
	}
	x := m.Extras
	x["shader_file"] = fmt.Sprintf("%s:%d", sh.File, sh.Line)
	if len(sh.SurfaceParms) > 0 {
		x["surfaceparm"] = strings.Join(sh.SurfaceParms, " ")
	}
	if m.Sort != 3 {
		x["sort"] = float64(m.Sort)
	}
	if sh.SurfaceLight != 0 {
		x["q3map_surfacelight"] = float64(sh.SurfaceLight)
	}
	if sh.LightImage != "" {
		x["q3map_lightimage"] = sh.LightImage
	}
	if c := sh.LightRGB; c != nil {
		x["q3map_lightrgb"] = fmt.Sprintf("%g %g %g", c[0], c[1], c[2])
	}
	if s := sh.Sun; s != nil {
		x["q3map_sun"] = fmt.Sprintf("%g %g %g %g %g %g", s.Color[0], s.Color[1], s.Color[2], s.Intensity, s.Degrees, s.Elevation)
	}
	if len(sh.Deforms) > 0 {
		x["deformvertexes"] = float64(len(sh.Deforms))
	}
	for _, p := range sh.Params {
		if _, taken := x[p.Key]; !taken {
			x[p.Key] = strings.Join(p.Args, " ")
		}
	}
	for i := range sh.Stages {
		x[fmt.Sprintf("stage_%d", i)] = stageText(&sh.Stages[i])
	}
}

// stageText is a stage in the words of its language, in a line.
func stageText(st *q3shader.Stage) string {
	words := []string{"map " + strings.Join(st.Maps, " ")}
	if st.Clamp {
		words[0] = "clamp" + words[0]
	}
	if st.Kind == q3shader.Anim {
		words[0] = fmt.Sprintf("animMap %g %s", st.FPS, strings.Join(st.Maps, " "))
	}
	if st.Blend != nil {
		words = append(words, fmt.Sprintf("blendFunc %s %s", st.Blend.Src, st.Blend.Dst))
	}
	if st.AlphaFunc != q3shader.AlphaAll {
		words = append(words, "alphaFunc "+st.AlphaFunc.String())
	}
	if g := st.RGBGen; g.Kind != q3shader.GenIdentity && g.Kind != q3shader.GenIdentityLighting {
		words = append(words, "rgbGen "+genText(g))
	}
	if g := st.AlphaGen; g.Kind != q3shader.GenIdentity {
		words = append(words, "alphaGen "+genText(g))
	}
	if st.TCGen.Kind != q3shader.TCBase && st.Kind != q3shader.Lightmap {
		words = append(words, "tcGen "+st.TCGen.Kind.String())
	}
	for _, t := range st.TCMods {
		words = append(words, "tcMod "+t.String())
	}
	return strings.Join(words, "; ")
}

func genText(g q3shader.Gen) string {
	switch g.Kind {
	case q3shader.GenConst:
		return fmt.Sprintf("const %g %g %g", g.Const[0], g.Const[1], g.Const[2])
	case q3shader.GenWave:
		return "wave " + g.Wave.String()
	}
	return g.Kind.String()
}

// extensions are tried for an image in the order of ioquake3, after the one that a script gives.
var extensions = []string{".tga", ".jpg", ".jpeg", ".png", ".webp", ".pcx", ".bmp"}

// find returns the file of an image that a script or map names, or "".
func (ld *loader) find(name string) string {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	if file, ok := ld.found[name]; ok {
		return file
	}
	stem, given := name, strings.ToLower(path.Ext(name))
	var tries []string
	if given != "" && slices.Contains(extensions, given) {
		stem = strings.TrimSuffix(name, given)
		tries = append(tries, name)
	}
	for _, ext := range extensions {
		if ext != given {
			tries = append(tries, stem+ext)
		}
	}
	file := ""
	for _, try := range tries {
		if fs.ValidPath(try) {
			if info, err := fs.Stat(ld.files, try); err == nil && !info.IsDir() {
				file = try
				break
			}
		}
	}
	ld.found[name] = file
	return file
}

// missing notes that images of a material were not found.
func (ld *loader) missing(wm *world.Material, names []string) {
	slices.Sort(names)
	names = slices.Compact(names)
	for i := range ld.set.Missing {
		if ld.set.Missing[i].Material == wm.Name {
			return
		}
	}
	ld.set.Missing = append(ld.set.Missing, Missing{
		Material: wm.Name, Tried: names,
		Hint: "no image of that name (.tga .jpg .jpeg .png .webp .pcx .bmp) in the mounted folders and archives: add the game or mod that has it with --game",
	})
}

// placeholder makes a material the plain colour that stands for an image which was not found.
func (ld *loader) placeholder(i int) {
	m := &ld.set.Materials[i]
	m.Placeholder = true
	m.BaseColor = [4]float32{0.5, 0.5, 0.5, 1}
	m.Extras["placeholder"] = true
}

// implicit makes the material that the engine makes of an image without a script: opaque, lit as its surface is.
func (ld *loader) implicit(i int, wm *world.Material) {
	file := ld.find(wm.Name)
	m := &ld.set.Materials[i]
	m.Unlit = wm.Lighting != world.Lightmap
	m.VertexColor = wm.Lighting == world.PerVertex
	if file == "" {
		ld.missing(wm, []string{wm.Name})
		ld.placeholder(i)
		return
	}
	ld.use(file, false, user{to: target{i, -1}, set: setBase})
}

func setBase(m *Material, image int, _ *combined) { m.Base.Image = image }

// script makes the material of a shader's stages.
func (ld *loader) script(i int, wm *world.Material, sh *q3shader.Shader) {
	stages := sh.Stages
	if sh.Implicit && wm.Lighting != world.Lightmap {
		// The directive stands for a surface with a lightmap. Without one there is the image alone, lit by its vertices.
		stages = slices.DeleteFunc(slices.Clone(stages), func(st q3shader.Stage) bool { return st.Kind == q3shader.Lightmap })
		for k := range stages {
			stages[k].RGBGen.Kind = q3shader.GenVertex
		}
	}
	m := &ld.set.Materials[i]
	base, over := parted(stages)
	if len(base) > 0 && base[0].Blend != nil && fades(&base[0]) { // alone over what is behind
		m.VertexAlpha, m.InverseAlpha = true, base[0].AlphaGen.Kind == q3shader.GenOneMinusVertex
	}
	r, missing, cut := newRecipe(base, wm.Lighting, ld.o.Combine == "all", ld.find)
	if len(sh.Deforms) > 0 {
		cut = append(cut, "deformVertexes")
	}
	pictures := r.pictures()
	if !pictures && (len(missing) > 0 || len(sh.Stages) == 0) {
		// What the editor shows, then an image of the shader's own name.
		for _, name := range []string{sh.EditorImage, wm.Name} {
			if file := ld.find(name); name != "" && file != "" {
				r.layers = append(r.layers, layer{image: file, uv: identity, color: [3]float64{1, 1, 1}, alpha: 1, lit: r.light == byMap})
				pictures = true
				break
			}
		}
		if !pictures {
			ld.missing(wm, append(missing, wm.Name))
			m.Unlit = wm.Lighting != world.Lightmap
			m.VertexColor = wm.Lighting == world.PerVertex
			ld.placeholder(i)
			return
		}
	}
	if len(missing) > 0 {
		ld.missing(wm, missing)
	}
	ld.surface(target{i, -1}, &r, cut)
	for _, o := range over {
		r, missing, _ := newRecipe(o.stages, wm.Lighting, ld.o.Combine == "all", ld.find)
		if len(missing) > 0 {
			ld.missing(wm, missing)
		}
		if !r.pictures() {
			continue
		}
		m := &ld.set.Materials[i]
		m.Layers = append(m.Layers, Material{
			Name: fmt.Sprintf("%s layer %d", wm.Name, len(m.Layers)+1), BaseColor: [4]float32{1, 1, 1, 1}, Strength: 1, LightGain: 1,
			Base: Slot{Image: NoImage, UV: identity}, Emissive: Slot{Image: NoImage, UV: identity},
			DoubleSided: m.DoubleSided, Offset: m.Offset, Sort: m.Sort, Extras: map[string]any{"material": wm.Name},
		})
		to := target{i, len(m.Layers) - 1}
		ld.surface(to, &r, nil)
		layer := to.of(ld.set)
		layer.Alpha, layer.VertexAlpha, layer.InverseAlpha = Blend, true, o.inverse
	}
}

// pictures tells whether a recipe has an image.
func (r *recipe) pictures() bool {
	return slices.ContainsFunc(r.layers, func(l layer) bool { return l.image != "" })
}

// fades tells whether a stage's opacity is in the vertices' alpha.
func fades(st *q3shader.Stage) bool {
	return (st.AlphaGen.Kind == q3shader.GenVertex || st.AlphaGen.Kind == q3shader.GenOneMinusVertex) &&
		st.Blend != nil && *st.Blend == q3shader.BlendAlpha && st.Kind == q3shader.Image
}

// fading is a stage that fades in over the others, with the stages that are drawn over both.
type fading struct {
	stages  []q3shader.Stage
	inverse bool
}

// parted takes out of the stages those that fade in over the ones before, as terrain goes over from one texture to
// another. Each becomes a layer on the same surfaces: with b and o what is drawn below and by it, and f what the
// stages after them do, f(b·(1-a) + o·a) = f(b)·(1-a) + f(o)·a where f multiplies or adds, as it does.
func parted(stages []q3shader.Stage) (base []q3shader.Stage, over []fading) {
	for k := range stages {
		if k == 0 || !fades(&stages[k]) {
			base = append(base, stages[k])
			continue
		}
		top := stages[k]
		top.Blend = nil
		f := fading{inverse: top.AlphaGen.Kind == q3shader.GenOneMinusVertex, stages: []q3shader.Stage{top}}
		f.stages[0].AlphaGen = q3shader.Gen{}
		for _, later := range stages[k+1:] {
			if !fades(&later) {
				f.stages = append(f.stages, later)
			}
		}
		over = append(over, f)
	}
	return base, over
}

// target is a material of the set, or a layer of one.
type target struct{ material, layer int }

func (t target) of(s *Set) *Material {
	m := &s.Materials[t.material]
	if t.layer >= 0 {
		return &m.Layers[t.layer]
	}
	return m
}

// surface gives a material the recipe's picture or pictures.
func (ld *loader) surface(to target, r *recipe, cut []string) {
	m := to.of(ld.set)
	s, ok := r.simplify()
	if !ok && ld.o.Combine != "none" {
		m.VertexColor = r.light == byVertex
		m.Unlit = r.light != byMap
		ld.combine(to, r)
	} else {
		if !ok {
			s = r.principal()
			cut = append(cut, "stages")
		}
		ld.apply(to, r, &s)
	}
	if len(cut) > 0 {
		slices.Sort(cut)
		cut = slices.Compact(cut)
		m = to.of(ld.set)
		m.Extras["not_shown"] = strings.Join(cut, ", ")
		ld.set.Issues = append(ld.set.Issues, world.Issue{Code: "shader-approximated", Where: m.Name, Detail: strings.Join(cut, ", ")})
	}
}

// principal is the nearest simple form of a recipe without making a picture: its first whole image.
func (r *recipe) principal() simple {
	s := simple{base: -1, glow: -1, baseColor: [3]float64{1, 1, 1}, opacity: 1, gain: 1, unlit: r.light != byMap}
	for i := range r.layers {
		if l := &r.layers[i]; l.image != "" && (s.base < 0 || l.blend == nil && !l.mean) {
			s.base, s.baseColor = i, l.color
			s.alpha = Opaque
			if i == 0 && l.blend != nil {
				s.alpha = Blend
			} else if i == 0 && l.test != q3shader.AlphaAll && l.test != q3shader.LT128 {
				s.alpha, s.cutoff = Mask, cutoffs[l.test]
			}
		}
	}
	return s
}

// apply makes a material of the simple form of its recipe.
func (ld *loader) apply(to target, r *recipe, s *simple) {
	m := to.of(ld.set)
	m.Unlit = s.unlit || r.light != byMap
	m.VertexColor = r.light == byVertex && !s.unlit
	m.Alpha, m.Cutoff = s.alpha, s.cutoff
	for k, c := range s.baseColor {
		m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
	}
	m.BaseColor[3] = float32(s.opacity)
	m.LightGain = s.gain
	if s.base >= 0 {
		l := &r.layers[s.base]
		m.Base.UV, m.Base.Clamp = l.uv, l.clamp
		ld.use(l.image, s.alpha != Opaque, user{to: to, set: setBase})
	}
	if !s.glows || m.Unlit || !ld.o.Emissive {
		return
	}
	m.Emission = [3]float32{1, 1, 1}
	if s.glow < 0 {
		for k, c := range s.glowColor {
			m.Emission[k] = float32(srgbToLinear(clamp01(c)))
		}
		return
	}
	l := &r.layers[s.glow]
	m.Emissive.Clamp = l.clamp
	if inv, ok := invert(m.Base.UV); ok && s.base >= 0 {
		m.Emissive.UV = multiply(l.uv, inv)
	} else {
		m.Emissive.UV = l.uv
	}
	set := func(m *Material, image int, _ *combined) { m.Emissive.Image = image }
	ld.useGlow(l.image, s.glowColor, user{to: to, set: set})
}

// use asks for a file's image as it is.
func (ld *loader) use(file string, alpha bool, u user) {
	j := ld.job(file, func() job { return job{file: file, name: stem(file)} })
	j.alpha = j.alpha || alpha
	j.users = append(j.users, u)
}

// useGlow asks for a file's image as emission.
func (ld *loader) useGlow(file string, color [3]float64, u user) {
	if ld.o.Combine == "none" {
		ld.use(file, false, u)
		return
	}
	key := fmt.Sprintf("glow %g %g %g %s", color[0], color[1], color[2], file)
	j := ld.job(key, func() job { return job{file: file, name: stem(file) + "_glow", glow: &color} })
	j.users = append(j.users, u)
}

// combine asks for a recipe's picture.
func (ld *loader) combine(to target, r *recipe) {
	j := ld.job(r.key(), func() job {
		return job{name: to.of(ld.set).Name + "_combined", recipe: r}
	})
	j.users = append(j.users, user{to: to, set: setCombined, glow: func(m *Material, image int) {
		m.Emissive = Slot{Image: image, UV: identity}
		m.Emission = [3]float32{1, 1, 1}
	}})
}

func setCombined(m *Material, image int, c *combined) {
	m.Base = Slot{Image: image, UV: c.uv}
	if m.Alpha != Blend || !m.VertexAlpha {
		m.Alpha, m.Cutoff = c.alpha, c.cutoff
	}
	m.Unlit = m.Unlit || c.unlit
	m.LightGain = c.gain
	if !c.periodic {
		m.Extras["not_periodic"] = true
	}
}

// key tells recipes apart that make different pictures.
func (r *recipe) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "recipe %d", r.light)
	for _, l := range r.layers {
		fmt.Fprintf(&b, "|%q %t %t %g %g %g %t %v %d", l.image, l.mean, l.clamp, l.uv, l.color, l.alpha, l.lit, l.blend, l.test)
	}
	return b.String()
}

func (ld *loader) job(key string, make func() job) *job {
	n, ok := ld.byKey[key]
	if !ok {
		n = len(ld.jobs)
		ld.byKey[key] = n
		j := make()
		j.key = key
		ld.jobs = append(ld.jobs, j)
	}
	return &ld.jobs[n]
}

func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// finish gives a job's images to its users.
func (ld *loader) finish(j *job, m *made) {
	ld.set.Issues = append(ld.set.Issues, m.issues...)
	ld.set.Files = append(ld.set.Files, m.files...)
	if len(m.images) == 0 {
		for _, u := range j.users {
			ld.placeholder(u.to.material)
		}
		return
	}
	first := len(ld.set.Images)
	ld.set.Images = append(ld.set.Images, m.images...)
	for _, u := range j.users {
		u.set(u.to.of(ld.set), first, m.combined)
		if u.glow != nil && len(m.images) > 1 && ld.o.Emissive {
			u.glow(u.to.of(ld.set), first+1)
		}
	}
}

// make makes a job's images. A broken file is an issue, a limit an error.
func (ld *loader) make(j *job, b *limit.Budget) (made, error) {
	var m made
	if j.recipe != nil {
		return ld.makeCombined(j, b)
	}
	data, err := fs.ReadFile(ld.files, j.file)
	if err != nil {
		return m, broken(&m, j.file, err)
	}
	m.files = []string{j.file}
	if j.glow == nil && ld.o.MaxSize == 0 && ld.o.Images == "keep" {
		info, err := picture.Sniff(data, j.file)
		if err == nil && info.Passable {
			err = b.Pixels(info.Width, info.Height)
			if err != nil {
				return m, err
			}
			m.images = []Image{{Name: j.name, MIME: "image/" + info.Format, Data: data, Width: info.Width, Height: info.Height, Alpha: info.Alpha}}
			return m, nil
		}
	}
	im, info, err := picture.Decode(data, j.file, b)
	if err != nil {
		return m, broken(&m, j.file, err)
	}
	if j.glow != nil {
		glow(im, *j.glow)
		info.Alpha = false
	}
	return m, ld.encode(&m, j.name, im, j.alpha && info.Alpha)
}

// broken records a file that can't be used; a limit stays an error.
func broken(m *made, file string, err error) error {
	if isLimit(err) {
		return err
	}
	m.issues = append(m.issues, world.Issue{Code: "image-broken", Where: file, Detail: err.Error()})
	return nil
}

// makeCombined makes the pictures of a recipe.
func (ld *loader) makeCombined(j *job, b *limit.Budget) (made, error) {
	var m made
	pictures := make([]*image.NRGBA, len(j.recipe.layers))
	decoded := map[string]*image.NRGBA{}
	for i := range j.recipe.layers {
		file := j.recipe.layers[i].image
		if file == "" {
			continue
		}
		if decoded[file] == nil {
			data, err := fs.ReadFile(ld.files, file)
			if err == nil {
				decoded[file], _, err = picture.Decode(data, file, b)
			}
			if err != nil {
				if err := broken(&m, file, err); err != nil {
					return m, err
				}
				decoded[file] = nil
				continue
			}
			m.files = append(m.files, file)
		}
		pictures[i] = decoded[file]
	}
	if len(m.files) == 0 {
		return m, nil
	}
	c := j.recipe.combine(pictures)
	m.combined = &c
	if err := ld.encode(&m, j.name, c.base, c.alpha != Opaque); err != nil {
		return m, err
	}
	var err error
	if c.glow != nil {
		err = ld.encode(&m, j.name+"_glow", c.glow, false)
	}
	c.base, c.glow = nil, nil
	return m, err
}

// glow turns an image into emission that looks, added in linear light, as the engine's does added as displayed.
func glow(im *image.NRGBA, color [3]float64) {
	var table [3][256]uint8
	for k := range table {
		for v := range table[k] {
			table[k][v] = emission(typicalBase, float32(clamp01(color[k]*float64(v)/255)))
		}
	}
	p := im.Pix
	for i := 0; i+3 < len(p); i += 4 {
		p[i], p[i+1], p[i+2] = table[0][p[i]], table[1][p[i+1]], table[2][p[i+2]]
	}
}

// typicalBase is the brightness of a texture that a glow is typically added to.
const typicalBase = 0.35

// encode adds an image in the format that the options ask for.
func (ld *loader) encode(m *made, name string, im *image.NRGBA, alpha bool) error {
	if ld.o.MaxSize > 0 {
		im = picture.Fit(im, ld.o.MaxSize)
	}
	out := Image{Name: name, MIME: "image/png", Width: im.Rect.Dx(), Height: im.Rect.Dy(), Alpha: alpha}
	var err error
	switch {
	case ld.o.Images == "jpeg" && !alpha:
		out.MIME = "image/jpeg"
		out.Data, err = picture.EncodeJPEG(im, ld.o.Quality)
	case ld.o.Images == "webp":
		out.MIME = "image/webp"
		out.Data, err = picture.EncodeWebP(im, ld.o.Quality >= 100, ld.o.Quality)
	default:
		var effort picture.Effort
		if effort, err = picture.ParseEffort(ld.o.PNG); err == nil {
			out.Data, err = picture.EncodePNG(im, alpha, effort)
		}
	}
	m.images = append(m.images, out)
	return err
}

func isLimit(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled)
}
