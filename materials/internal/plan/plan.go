// Package plan holds the result of planning a map's materials: what each is like, and the images that they need. It
// holds no pixels and opens no file. Planners (stages, indexed, valve) write into a Plan, package images makes its
// Jobs, and package materials gives the images to the Users.
package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan is the plan of a map's materials: what each is like, and the images that they need. It makes no image itself.
type Plan struct {
	Materials []pbr.Material // by World.Materials
	Jobs      []Job          // in the order in which planning first asked for them
	Missing   []Missing      // in the order of World.Materials
	Issues    []world.Issue
	Fading    []Fading  // materials whose displacements get an image each
	SkyLight  *SkyLight // nil if the map's sky has no light beyond white

	files  *lookup.Files
	Facts  *Facts
	byKey  map[string]int // into Jobs
	missed map[string]int // from material names to indices into Missing
	told   map[any]bool   // shaders whose issues are listed, and the listed issues
}

// New returns a plan for the given number of materials, none of them planned yet.
func New(files *lookup.Files, f *Facts, materials int) *Plan {
	pl := &Plan{
		Materials: make([]pbr.Material, materials), Missing: []Missing{}, files: files, Facts: f,
		byKey: map[string]int{}, missed: map[string]int{}, told: map[any]bool{},
	}
	files.Report = pl.Issue
	return pl
}

// Missing is a material with images that were not found.
type Missing struct {
	Material string
	Tried    []string
	Hint     string
}

// Job is an image to make: a file's, a recipe's, or the map's own.
type Job struct {
	Key     string // identifies the image
	File    string
	Name    string // of the image, without extension
	Alpha   bool   // some material uses its alpha
	Recipe  *Recipe
	Form    *Form      // of a texture's pixels, or nil for the unchanged image
	Indexed *Indexed   // a picture of palette indices, the file's if there is one
	Paint   *Overpaint // a texture with another drawn over it
	Gloss   *Gloss     // a texture of reflectivity
	Users   []User
}

// Plain reports whether a job's image is the unchanged image of its file.
func (j *Job) Plain() bool {
	return j.Recipe == nil && j.Form == nil && j.Indexed == nil && j.Paint == nil && j.Gloss == nil
}

// Numbers reports whether some user reads a job's pixels as directions, roughness or the like. These suffer from
// changes that colours tolerate.
func (j *Job) Numbers() bool {
	return slices.ContainsFunc(j.Users, func(u User) bool { return u.Role == AsNormal || u.Role.Reflects() })
}

// User is the place where a job's image is used.
type User struct {
	To   Target
	Role role
	Side int // of AsSkySide; of AsFrame and AsPattern the number of the picture
}

// role is the purpose of an image in a material.
type role uint8

const (
	AsBase         role = iota
	AsTexture           // the base colour, clamped or repeated as the texture says
	AsMasked            // the base colour of a layer, whose alpha says where it shows
	AsPicture           // the base colour and the emission of a recipe
	AsShining           // the base colour, and the emission if the picture has a second image
	AsSkySide           // a side of a sky
	AsEmission          // the emission, from an image
	AsGlow              // the emission, from a texture
	AsNormal            // the normal map
	AsGloss             // where and how strongly a material reflects
	AsPacked            // metalness and roughness
	AsTransmission      // transmission
	AsFrame             // a picture of an animation
	AsPattern           // a detail texture
	AsEnvironment       // the picture of the surroundings
)

// IsBase reports whether a role is the base colour: a material without it is a placeholder.
func (r role) IsBase() bool { return r <= AsShining }

// Reflects reports whether a role concerns reflection or transmission.
func (r role) Reflects() bool { return r >= AsGloss && r <= AsTransmission }

// Shines reports whether a role is only the emission.
func (r role) Shines() bool { return r == AsEmission || r == AsGlow }

// Target is a material of the plan, or a layer of one.
type Target struct{ Material, Layer int } // Layer is -1 for the material itself

// Alone returns the target of a material itself, without its layers.
func Alone(material int) Target { return Target{Material: material, Layer: -1} }

// Of returns the target's material or layer.
func (t Target) Of(list []pbr.Material) *pbr.Material {
	m := &list[t.Material]
	if t.Layer >= 0 {
		return &m.Layers[t.Layer]
	}
	return m
}

// Issue adds an issue, once.
func (pl *Plan) Issue(is world.Issue) {
	if pl.Once(is) {
		pl.Issues = append(pl.Issues, is)
	}
}

// Once reports whether this is the first call with what.
func (pl *Plan) Once(what any) bool {
	if pl.told[what] {
		return false
	}
	pl.told[what] = true
	return true
}

// Use requests the unchanged image of a file.
func (pl *Plan) Use(file string, alpha bool, u User) {
	j := pl.job(file, func() Job { return Job{File: file, Name: ImageName(file)} })
	j.Alpha = j.Alpha || alpha
	j.Users = append(j.Users, u)
}

// Combine requests a recipe's picture.
func (pl *Plan) Combine(to Target, r *Recipe) {
	j := pl.job(r.key(), func() Job { return Job{Name: to.Of(pl.Materials).Name + "_combined", Recipe: r} })
	j.Users = append(j.Users, User{To: to, Role: AsPicture})
}

// job returns the job of a key; make creates it if there is none yet.
func (pl *Plan) job(key string, make func() Job) *Job {
	n, ok := pl.byKey[key]
	if !ok {
		n = len(pl.Jobs)
		pl.byKey[key] = n
		pl.Jobs = append(pl.Jobs, make())
		pl.Jobs[n].Key = key
	}
	return &pl.Jobs[n]
}

// UseTexture requests a texture in a form.
func (pl *Plan) UseTexture(file string, f Form, alpha bool, u User) {
	if !lookup.IsVTF(file) && f == (Form{}) {
		pl.Use(file, alpha, u)
		return
	}
	name := ImageName(file)
	if f.Frame > 0 {
		name = fmt.Sprintf("%s_frame%d", name, f.Frame)
	}
	if end := "_" + f.Pixels.String(); f.Pixels != AsStored && !strings.HasSuffix(name, end) {
		name += end
	}
	j := pl.job(fmt.Sprintf("texture %q %d %d %t %q %g %g", file, f.Frame, f.Pixels, f.Bump, f.Mask, f.Tint, f.Over), func() Job {
		return Job{File: file, Name: name, Form: &f}
	})
	j.Alpha = j.Alpha || alpha
	j.Users = append(j.Users, u)
}

// UseGloss requests the texture of a gloss.
func (pl *Plan) UseGloss(g *Gloss, to Target) {
	j := pl.job(g.key(), func() Job { return Job{File: g.Reads()[0], Name: ImageName(g.Reads()[0]) + "_gloss", Gloss: g} })
	j.Users = append(j.Users, User{To: to, Role: AsGloss})
}

// UseGlow requests the emission of a texture above a threshold.
func (pl *Plan) UseGlow(p Overpaint, to Target) {
	j := pl.job(p.key(), func() Job { return Job{File: p.Base, Name: ImageName(p.Base) + "_glow", Paint: &p} })
	j.Users = append(j.Users, User{To: to, Role: AsGlow})
}

// UseIndexed requests a picture of palette indices.
func (pl *Plan) UseIndexed(x Indexed, name, file string, alpha, shines bool, u User) {
	if file != "" {
		name = ImageName(file)
	}
	for _, end := range []struct {
		is   bool
		text string
	}{{x.Clouds, "_clouds"}, {x.Hole, "_hole"}, {x.Pixels == Added, "_add"}} {
		if end.is && !(end.text == "_hole" && strings.HasPrefix(name, "{")) {
			name += end.text
		}
	}
	key := fmt.Sprintf("indexed %q %p %t %t %d %t", file, x.Texture, x.Hole, x.Decal, x.Pixels, x.Clouds)
	j := pl.job(key, func() Job { return Job{File: file, Name: name, Indexed: &x} })
	j.Alpha = j.Alpha || alpha
	j.Indexed.Shines = j.Indexed.Shines || shines
	j.Users = append(j.Users, u)
}

// Repaint draws over the base texture of a material that has been planned. It returns false if the material has none.
func (pl *Plan) Repaint(to Target, p Overpaint, name string, masked bool) bool {
	j, u, ok := pl.takeBase(to)
	if !ok {
		return false
	}
	p.Base = j.File
	if j.Form != nil {
		p.Form = *j.Form
	}
	n := pl.job(p.key(), func() Job { return Job{File: p.Base, Name: j.Name + name, Paint: &p} })
	n.Alpha = n.Alpha || j.Alpha || p.Mode == Covered
	if masked {
		u.Role = AsMasked
	}
	n.Users = append(n.Users, u)
	return true
}

// takeBase removes a material's base texture from it. The returned job is a copy.
func (pl *Plan) takeBase(to Target) (j Job, u User, ok bool) {
	for i := range pl.Jobs {
		users := pl.Jobs[i].Users
		for k := range users {
			if users[k].To == to && users[k].Role.IsBase() && pl.Jobs[i].Recipe == nil && pl.Jobs[i].Indexed == nil {
				j, u = pl.Jobs[i], users[k]
				pl.Jobs[i].Users = append(users[:k:k], users[k+1:]...)
				return j, u, true
			}
		}
	}
	return Job{}, User{}, false
}

// Withdraw removes all images from the replaced materials. Images that nothing else uses are not made.
func (pl *Plan) Withdraw(replaced map[Target]bool) {
	for k := range pl.Jobs {
		j := &pl.Jobs[k]
		j.Users = slices.DeleteFunc(j.Users, func(u User) bool { return replaced[u.To] })
	}
	pl.Jobs = slices.DeleteFunc(pl.Jobs, func(j Job) bool { return len(j.Users) == 0 })
}

// The hints for a material whose image is missing.
const (
	ImageHint   = "no image of that name (.wal .tga .jpg .jpeg .png .webp .pcx .bmp) in the mounted folders and archives: add the game or mod that has it with --game"
	WadHint     = "no texture of that name (.mip) in the archives that the map names, and no image (.tga .jpg .jpeg .png .webp .pcx .bmp): add the folder that has the .wad, or the .wad itself, with --game"
	textureHint = "no material (.vmt) or texture (.vtf) of that name in the mounted folders and archives: add the game or mod that has it with --game: the folder with its gameinfo.txt, or a .vpk (bsp2gltf doctor lists where it was looked for)"
)

// Miss records that images of a material were not found. A material has one entry, however it is lit.
func (pl *Plan) Miss(wm *world.Material, names []string) {
	if len(names) == 0 {
		return
	}
	n, ok := pl.missed[wm.Name]
	if !ok {
		n = len(pl.Missing)
		pl.missed[wm.Name] = n
		hint := ImageHint
		switch {
		case wm.Texture != nil: // other images are missing: those of the sky
		case pl.Facts.wads:
			hint = WadHint
		case pl.Facts.sized:
			hint = textureHint
			if e := pl.files.VMT(wm.Name); e.Material == nil {
				names = append(names, e.Missed...)
			}
		}
		pl.Missing = append(pl.Missing, Missing{Material: wm.Name, Hint: hint})
	}
	m := &pl.Missing[n]
	m.Tried = append(m.Tried, names...)
	slices.Sort(m.Tried)
	m.Tried = slices.Compact(m.Tried)
}

// NotShown records which parts of a material are not shown, in its extras and as an issue.
func (pl *Plan) NotShown(i int, cut []string) {
	if len(cut) == 0 {
		return
	}
	m := &pl.Materials[i]
	pl.Issue(world.Issue{Code: "shader-approximated", Where: m.Name, Detail: leaveOut(m, cut)})
}

// Reads returns the files that a job needs, each once.
func (j *Job) Reads() (files []string) {
	switch {
	case j.Indexed != nil && j.File == "":
		return nil
	case j.Paint != nil:
		return j.Paint.reads()
	case j.Gloss != nil:
		return j.Gloss.Reads()
	case j.Form != nil && j.Form.Mask != "" && j.Form.Mask != j.File:
		return []string{j.File, j.Form.Mask}
	case j.Recipe == nil:
		return []string{j.File}
	}
	for i := range j.Recipe.Layers {
		if file := j.Recipe.Layers[i].Image; file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}
