package plan

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Image is an image to make, with the places where it is used.
type Image struct {
	Work  images.Work
	Name  string // of the image, without extension
	Users []User
}

// Task returns the image's work with what its users want of it.
func (im *Image) Task(materials []pbr.Material) images.Task {
	t := images.Task{Work: im.Work, Name: im.Name, Apart: len(im.Users) > 0}
	for _, u := range im.Users {
		switch {
		case u.Alpha:
			t.Alpha = images.Shown
		case u.solid(materials):
			t.Alpha = images.Removed
		}
		t.Numbers = t.Numbers || u.Role == AsNormal || u.Role == AsMask || u.Role.Reflects()
		t.Glow, t.Apart = t.Glow || u.Role == AsShining, t.Apart && u.Role == AsShining
	}
	return t
}

// User is the place where an image is used.
type User struct {
	To    Target
	Role  Role
	Side  int  // of AsSkySide; of AsFrame, AsBand and AsPattern the number of the picture
	Alpha bool // the material uses the image's alpha
}

// Role is the purpose of an image in a material.
type Role uint8

const (
	AsBase         Role = iota
	AsTexture           // the base colour, clamped or repeated as the texture says
	AsMasked            // the base colour of a layer, whose alpha says where it shows
	AsPicture           // the base colour and the emission of a recipe
	AsSurface           // the base colour, clamped or repeated as the texture says, and the emission, which is the second image, if there is one
	AsShining           // the base colour, and the emission if the picture has a second image
	AsSkySide           // a side of a sky
	AsEmission          // the emission, from an image
	AsGlow              // the emission, from a texture
	AsNormal            // the normal map
	AsGloss             // where and how strongly a material reflects
	AsPacked            // metalness and roughness
	AsTransmission      // transmission
	AsFrame             // a picture of an animation
	AsBand              // the base colour and the emission of one of a layer's bands
	AsPattern           // a detail texture
	AsMask              // where a layer shows
	AsFineBase          // the base colour without a texture that is drawn over it
	AsFineOver          // that texture
	AsEnvironment       // the picture of the surroundings
	AsHighlight         // the colour of highlights in light from one direction, and their sharpness in alpha
)

// IsBase reports whether a role is the base colour: a material without it is a placeholder.
func (r Role) IsBase() bool { return r <= AsShining }

// blends reports whether the alpha of an image in this role shows if its material is not opaque.
func (r Role) blends() bool { return r.IsBase() && r != AsPicture || r == AsFrame }

// Reflects reports whether a role concerns reflection or transmission.
func (r Role) Reflects() bool { return r >= AsGloss && r <= AsTransmission }

// Shines reports whether a role is only the emission.
func (r Role) Shines() bool { return r == AsEmission || r == AsGlow }

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

// solid reports whether a user's material is blended, but not by the alpha of the image, which then must have none.
func (u *User) solid(materials []pbr.Material) bool {
	return u.Role.blends() && !u.Alpha && u.To.Of(materials).Alpha != pbr.Opaque
}

// Tasks returns the tasks of all images. It is called once, when all materials are planned: an image that some users need with its alpha
// and others without becomes two.
func (pl *Plan) Tasks() []images.Task {
	var list []Image
	for _, im := range pl.Images {
		solid := func(u User) bool { return u.solid(pl.Materials) }
		if !slices.ContainsFunc(im.Users, func(u User) bool { return u.Alpha }) || !slices.ContainsFunc(im.Users, solid) {
			list = append(list, im)
			continue
		}
		opaque := Image{Work: im.Work, Name: im.Name + "_opaque"}
		for _, u := range im.Users {
			if solid(u) {
				opaque.Users = append(opaque.Users, u)
			}
		}
		im.Users = slices.DeleteFunc(im.Users, solid)
		list = append(list, im, opaque)
	}
	pl.Images = list
	tasks := make([]images.Task, len(list))
	for i := range list {
		tasks[i] = list[i].Task(pl.Materials)
	}
	return tasks
}

// Use requests an image. The first request gives the image its name.
func (pl *Plan) Use(w images.Work, name string, u User) {
	key := w.Key()
	n, ok := pl.byKey[key]
	if !ok {
		n = len(pl.Images)
		pl.byKey[key] = n
		pl.Images = append(pl.Images, Image{Work: w, Name: name})
	}
	pl.Images[n].Users = append(pl.Images[n].Users, u)
}

// UseFile requests the unchanged image of a file.
func (pl *Plan) UseFile(file string, u User) {
	u.Alpha = u.Alpha && images.HasAlpha(file)
	pl.Use(images.File(file), images.Name(file), u)
}

// UseTexture requests a texture in a form.
func (pl *Plan) UseTexture(file string, f images.Form, u User) {
	pl.Use(images.TextureOf(file, f), images.NameOf(file, f), u)
}

// Repaint draws over the base texture of a material that has been planned. It returns false if the material has none. The image's
// name gets an ending.
func (pl *Plan) Repaint(to Target, p images.Overpaint, ending string, masked bool) bool {
	for i := range pl.Images {
		im := &pl.Images[i]
		k := slices.IndexFunc(im.Users, func(u User) bool { return u.To == to && u.Role.IsBase() })
		if k < 0 {
			continue
		}
		painted, ok := images.Painted(im.Work, p)
		if !ok {
			continue
		}
		u, name := im.Users[k], im.Name+ending
		im.Users = slices.Delete(im.Users, k, k+1)
		u.Alpha = u.Alpha || p.Mix.Mode == paint.Covered
		if masked {
			u.Role = AsMasked
		}
		pl.Use(painted, name, u)
		return true
	}
	return false
}

// Shown returns the work that a material shows as its base texture, and its name; or nil.
func (pl *Plan) Shown(to Target) (images.Work, string) {
	for i := range pl.Images {
		if slices.ContainsFunc(pl.Images[i].Users, func(u User) bool { return u.To == to && u.Role.IsBase() }) {
			return pl.Images[i].Work, pl.Images[i].Name
		}
	}
	return nil, ""
}

// Replace makes a material show another work in place of its base texture, in the same role.
func (pl *Plan) Replace(to Target, w images.Work, name string) {
	for i := range pl.Images {
		im := &pl.Images[i]
		if k := slices.IndexFunc(im.Users, func(u User) bool { return u.To == to && u.Role.IsBase() }); k >= 0 {
			u := im.Users[k]
			im.Users = slices.Delete(im.Users, k, k+1)
			pl.Use(w, name, u)
			return
		}
	}
}

// Withdraw removes all images from the replaced materials. Images that nothing else uses are not made.
func (pl *Plan) Withdraw(replaced map[Target]bool) {
	for k := range pl.Images {
		im := &pl.Images[k]
		im.Users = slices.DeleteFunc(im.Users, func(u User) bool { return replaced[u.To] })
	}
	pl.Images = slices.DeleteFunc(pl.Images, func(im Image) bool { return len(im.Users) == 0 })
}
