package materials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// book is the plan of a map's materials: what each is like, and the images that they need, of which none is made.
type book struct {
	Materials []Material // by World.Materials
	jobs      []job      // in the order in which planning first asked for them
	Missing   []missed   // in the order of World.Materials
	Issues    []world.Issue
	fading    []fading  // materials whose displacements get an image each
	skyLight  *skyLight // nil where the map's sky has no light beyond white

	files  *finder
	facts  *facts
	byKey  map[string]int // into jobs
	missed map[string]int // material names to indices into Missing
	told   map[any]bool   // shaders whose issues are listed, and issues that are
}

func newBook(files *finder, f *facts, materials int) *book {
	pl := &book{
		Materials: make([]Material, materials), Missing: []missed{}, files: files, facts: f,
		byKey: map[string]int{}, missed: map[string]int{}, told: map[any]bool{},
	}
	files.report = pl.issue
	return pl
}

// missed is a material with images that were not found.
type missed struct {
	Material string
	Tried    []string
	Hint     string
}

// job is an image to make: a file's, a recipe's, or the map's own.
type job struct {
	file    string
	name    string // the image's, without extension
	alpha   bool   // some material uses its alpha
	recipe  *recipe
	form    *form      // of a texture's pixels, or nil for the image as it is
	indexed *indexed   // a picture of palette indices, the file's where there is one
	paint   *overpaint // a texture with another drawn over it
	gloss   *gloss     // a texture of what is reflected where
	users   []user
}

// user is where a job's image goes.
type user struct {
	to   target
	role role
	side int // of asSkySide
}

// role is the part that an image plays in a material.
type role uint8

const (
	asBase         role = iota
	asTexture           // the base, whose edges are as the texture says
	asMasked            // the same of a layer, whose alpha says where it comes in
	asPicture           // the base and the emission of a recipe
	asShining           // the base, and the emission where the picture has a second image
	asSkySide           // a side of a sky
	asEmission          // of an image
	asGlow              // the emission, of a texture
	asNormal            // the normal map
	asGloss             // what is reflected where
	asPacked            // metal and roughness
	asTransmission      // what goes through
)

// isBase reports whether a role is that of the base colour: a material without it is a placeholder.
func (r role) isBase() bool { return r <= asShining }

// reflects reports whether a role is about what a material reflects and lets through.
func (r role) reflects() bool { return r >= asGloss }

// shines reports whether a role is the emission alone.
func (r role) shines() bool { return r == asEmission || r == asGlow }

// target is a material of the plan, or a layer of one.
type target struct{ material, layer int }

// of returns the material.
func (t target) of(list []Material) *Material {
	m := &list[t.material]
	if t.layer >= 0 {
		return &m.Layers[t.layer]
	}
	return m
}

// issue adds an issue once.
func (pl *book) issue(is world.Issue) {
	if pl.once(is) {
		pl.Issues = append(pl.Issues, is)
	}
}

// once reports whether it is asked about something for the first time.
func (pl *book) once(what any) bool {
	if pl.told[what] {
		return false
	}
	pl.told[what] = true
	return true
}

// use asks for a file's image as it is.
func (pl *book) use(file string, alpha bool, u user) {
	j := pl.job(file, func() job { return job{file: file, name: imageName(file)} })
	j.alpha = j.alpha || alpha
	j.users = append(j.users, u)
}

// combine asks for a recipe's picture.
func (pl *book) combine(to target, r *recipe) {
	j := pl.job(r.key(), func() job { return job{name: to.of(pl.Materials).Name + "_combined", recipe: r} })
	j.users = append(j.users, user{to: to, role: asPicture})
}

// job returns the job of a key, which make makes where there is none yet.
func (pl *book) job(key string, make func() job) *job {
	n, ok := pl.byKey[key]
	if !ok {
		n = len(pl.jobs)
		pl.byKey[key] = n
		pl.jobs = append(pl.jobs, make())
	}
	return &pl.jobs[n]
}

// useTexture asks for a texture in a form.
func (pl *book) useTexture(file string, f form, alpha bool, u user) {
	if !isVTF(file) && f == (form{}) {
		pl.use(file, alpha, u)
		return
	}
	name := imageName(file)
	if f.frame > 0 {
		name = fmt.Sprintf("%s_frame%d", name, f.frame)
	}
	if end := "_" + f.pixels.String(); f.pixels != asStored && !strings.HasSuffix(name, end) {
		name += end
	}
	j := pl.job(fmt.Sprintf("texture %q %d %d %t %q %g %g", file, f.frame, f.pixels, f.bump, f.mask, f.tint, f.over), func() job {
		return job{file: file, name: name, form: &f}
	})
	j.alpha = j.alpha || alpha
	j.users = append(j.users, u)
}

// useGloss asks for a gloss.
func (pl *book) useGloss(g *gloss, to target) {
	j := pl.job(g.key(), func() job { return job{file: g.reads()[0], name: imageName(g.reads()[0]) + "_gloss", gloss: g} })
	j.users = append(j.users, user{to: to, role: asGloss})
}

// useGlow asks for what a texture shines with above a threshold.
func (pl *book) useGlow(p overpaint, to target) {
	j := pl.job(p.key(), func() job { return job{file: p.base, name: imageName(p.base) + "_glow", paint: &p} })
	j.users = append(j.users, user{to: to, role: asGlow})
}

// useIndexed asks for a picture of indices.
func (pl *book) useIndexed(x indexed, name, file string, alpha, shines bool, u user) {
	if file != "" {
		name = imageName(file)
	}
	for _, end := range []struct {
		is   bool
		text string
	}{{x.clouds, "_clouds"}, {x.hole, "_hole"}, {x.pixels == added, "_add"}} {
		if end.is && !(end.text == "_hole" && strings.HasPrefix(name, "{")) {
			name += end.text
		}
	}
	key := fmt.Sprintf("indexed %q %p %t %t %d %t", file, x.texture, x.hole, x.decal, x.pixels, x.clouds)
	j := pl.job(key, func() job { return job{file: file, name: name, indexed: &x} })
	j.alpha = j.alpha || alpha
	j.indexed.shines = j.indexed.shines || shines
	j.users = append(j.users, u)
}

// repaint draws over the base texture of a material that has been planned. It returns false where the material has none.
func (pl *book) repaint(to target, p overpaint, name string, masked bool) bool {
	j, u, ok := pl.takeBase(to)
	if !ok {
		return false
	}
	p.base = j.file
	if j.form != nil {
		p.form = *j.form
	}
	n := pl.job(p.key(), func() job { return job{file: p.base, name: j.name + name, paint: &p} })
	n.alpha = n.alpha || j.alpha || p.mode == covered
	if masked {
		u.role = asMasked
	}
	n.users = append(n.users, u)
	return true
}

// takeBase takes a material's base texture away from it. The job is a copy.
func (pl *book) takeBase(to target) (j job, u user, ok bool) {
	for i := range pl.jobs {
		users := pl.jobs[i].users
		for k := range users {
			if users[k].to == to && users[k].role.isBase() && pl.jobs[i].recipe == nil && pl.jobs[i].indexed == nil {
				j, u = pl.jobs[i], users[k]
				pl.jobs[i].users = append(users[:k:k], users[k+1:]...)
				return j, u, true
			}
		}
	}
	return job{}, user{}, false
}

// withdraw takes all images away from the materials of replaced. What nothing uses any more is not made.
func (pl *book) withdraw(replaced map[target]bool) {
	for k := range pl.jobs {
		j := &pl.jobs[k]
		j.users = slices.DeleteFunc(j.users, func(u user) bool { return replaced[u.to] })
	}
	pl.jobs = slices.DeleteFunc(pl.jobs, func(j job) bool { return len(j.users) == 0 })
}

// The hints for a material without its image.
const (
	imageHint   = "no image of that name (.wal .tga .jpg .jpeg .png .webp .pcx .bmp) in the mounted folders and archives: add the game or mod that has it with --game"
	wadHint     = "no texture of that name (.mip) in the archives that the map names, and no image (.tga .jpg .jpeg .png .webp .pcx .bmp): add the folder that has the .wad, or the .wad itself, with --game"
	textureHint = "no material (.vmt) or texture (.vtf) of that name in the mounted folders and archives: add the game or mod that has it with --game: the folder with its gameinfo.txt, or a .vpk (bsp2gltf doctor lists where it was looked for)"
)

// missing notes that images of a material were not found. A material has one entry, however it is lit.
func (pl *book) missing(wm *world.Material, names []string) {
	if len(names) == 0 {
		return
	}
	n, ok := pl.missed[wm.Name]
	if !ok {
		n = len(pl.Missing)
		pl.missed[wm.Name] = n
		hint := imageHint
		switch {
		case wm.Texture != nil: // what is missing are other images: those of the sky
		case pl.facts.wads:
			hint = wadHint
		case pl.facts.sized:
			hint = textureHint
			if e := pl.files.vmt(wm.Name); e.material == nil {
				names = append(names, e.missed...)
			}
		}
		pl.Missing = append(pl.Missing, missed{Material: wm.Name, Hint: hint})
	}
	m := &pl.Missing[n]
	m.Tried = append(m.Tried, names...)
	slices.Sort(m.Tried)
	m.Tried = slices.Compact(m.Tried)
}

// notShown says what is not shown of a material, in its extras and as an issue.
func (pl *book) notShown(i int, cut []string) {
	if len(cut) == 0 {
		return
	}
	m := &pl.Materials[i]
	pl.issue(world.Issue{Code: "shader-approximated", Where: m.Name, Detail: m.leaveOut(cut)})
}

// reads are the files that a job needs, each once.
func (j *job) reads() (files []string) {
	switch {
	case j.indexed != nil && j.file == "":
		return nil
	case j.paint != nil:
		return j.paint.reads()
	case j.gloss != nil:
		return j.gloss.reads()
	case j.form != nil && j.form.mask != "" && j.form.mask != j.file:
		return []string{j.file, j.form.mask}
	case j.recipe == nil:
		return []string{j.file}
	}
	for i := range j.recipe.layers {
		if file := j.recipe.layers[i].image; file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}
