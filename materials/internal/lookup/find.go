package lookup

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// extensions are tried for an image, after the extension that a script gives.
var extensions = picture.Extensions()

// Find returns the file of an image that a script or map names, or "".
func (fl *Files) Find(name string) string {
	name = Fold(name)
	if file, ok := fl.found[name]; ok || name == "" {
		return file
	}
	file := fl.find(name)
	fl.found[name] = file
	return file
}

// find is Find for a name that was not asked before. What follows a name's last dot is an extension only if pictures have it: there are
// textures called wall1.5. DarkPlaces' packed copy of a picture, dds/NAME.dds, is preferred to the picture (gl_rmain.c,
// R_SkinFrame_LoadExternal_SkinFrame); Daemon finds it last. A packed picture that can't be read is passed over, if there is another.
func (fl *Files) find(name string) string {
	stem, given := pictureStem(name)
	candidates := make([]string, 0, len(extensions)+2)
	if fl.hasPacked() {
		candidates = append(candidates, packedFolder+stem+".dds")
	}
	if given != "" {
		candidates = append(candidates, name)
	}
	for _, ext := range extensions {
		if ext != given {
			candidates = append(candidates, stem+ext)
		}
	}
	packed := ""
	for _, file := range candidates {
		if !fl.exists(file) {
			continue
		}
		isPacked := slices.Contains(packedExtensions, path.Ext(file))
		switch {
		case packed == "" && isPacked:
			packed = file
		case packed == "":
			return file
		case fl.readable(packed):
			return packed
		case !isPacked || fl.readable(file):
			return file
		}
	}
	if packed != "" {
		return packed
	}
	if given == "" && Stem(stem) != stem { // Daemon cuts off what is not an extension, too, if there is no such picture
		return fl.find(Stem(stem))
	}
	return ""
}

// pictureStem splits a name in lower case into that without the extension of a picture, and the extension, or "".
func pictureStem(name string) (stem, extension string) {
	if extension = path.Ext(name); slices.Contains(extensions, extension) {
		return strings.TrimSuffix(name, extension), extension
	}
	return name, ""
}

// Beside returns the file of a picture that lies beside another, and whose name has an ending more, or "". It is beside NAME whether that
// or its packed copy, dds/NAME.dds, was found.
func (fl *Files) Beside(name, ending string) string {
	stem, extension := pictureStem(Fold(name))
	if extension == ".dds" {
		stem = strings.TrimPrefix(stem, packedFolder)
	}
	file := fl.Find(stem + ending)
	if !strings.HasSuffix(Stem(file), stem+ending) { // Find cuts off an ending that looks like an extension
		return ""
	}
	return file
}

// packedFolder is the folder of DarkPlaces' packed copies.
const packedFolder = "dds/"

// GlowEndings are the endings of pictures that DarkPlaces adds to a texture, in the order in which it looks for them (gl_rmain.c,
// R_SkinFrame_LoadExternal_SkinFrame).
var GlowEndings = []string{"_glow", ".blend", "_blend", "_luma"}

// packedExtensions are those of pictures in formats of graphics cards, some of which are not read.
var packedExtensions = []string{".dds", ".ktx", ".crn"}

// readable reports whether the format of a picture is read.
func (fl *Files) readable(file string) bool {
	info, err := fs.Stat(fl.FS, file)
	if err != nil || limit.Check("MaxEntry", fl.Budget.Limits.MaxEntry, info.Size()) != nil {
		return false
	}
	data, err := fs.ReadFile(fl.FS, file)
	if err != nil {
		return false
	}
	_, err = picture.Sniff(data, file, fl.Budget)
	return err == nil
}

// hasPacked reports whether there is a folder dds.
func (fl *Files) hasPacked() bool {
	if fl.packed == nil {
		info, err := fs.Stat(fl.FS, "dds")
		is := err == nil && info.IsDir()
		fl.packed = &is
	}
	return *fl.packed
}

// Replacement returns the picture that replaces a texture of the map, in the first of the folders that has one, or "". File names can't
// have the asterisk of liquids: # stands for it, in Xash3D's folders !. The skins of Quake's models have names of their own.
func (fl *Files) Replacement(folders []string, name string) string {
	if skin := skinPicture(name); skin != "" && len(folders) > 0 {
		if file := fl.Find(skin); Stem(file) == Fold(skin) {
			return file
		}
	}
	for _, folder := range folders {
		liquid := "#"
		if strings.HasPrefix(folder, "materials/") { // mod_bmodel.c, Mod_LoadTextureData
			liquid = "!"
		}
		if file := fl.Find(folder + "/" + strings.ReplaceAll(name, "*", liquid)); file != "" {
			return file
		}
	}
	return ""
}

// skinPicture returns the name of the picture that replaces a skin of one of Quake's models, progs/x.mdl_0, or "". DarkPlaces,
// model_alias.c; QuakeSpasm-Spiked, gl_model.c, Mod_LoadAllSkins.
func skinPicture(name string) string {
	model, number, ok := strings.Cut(name, ".mdl/")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return model + ".mdl_" + number
}

// exists reports whether a file of this name exists.
func (fl *Files) exists(file string) bool {
	info, err := fs.Stat(fl.FS, file)
	return err == nil && !info.IsDir()
}

// Fold returns a name in lower case with forward slashes. Only ASCII has a case: names are bytes of an unknown encoding.
func Fold(name string) string {
	b := []byte(name)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] += 'a' - 'A'
		case c == '\\':
			b[i] = '/'
		}
	}
	return string(b)
}

// Stem returns a file's path without its extension.
func Stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// TextureEnds are the extensions of texture files: on a PC, an Xbox 360 (as in the archive of v20be_x360_shack.360), a
// PlayStation 3 and the first Xbox (sourcepp). Materials omit them.
var TextureEnds = []string{".vtf", ".360.vtf", ".ps3.vtf", ".xtf"}

// Texture returns the file of a texture that a material names, or "". A PC's file is preferred to those of consoles,
// and these to plain images, for users who have converted their textures.
func (fl *Files) Texture(name string) string {
	if name == "" {
		return ""
	}
	file, ok := fl.textures[name]
	if ok {
		return file
	}
	if i := slices.IndexFunc(TextureEnds, func(end string) bool { return fl.exists(name + end) }); i >= 0 {
		file = name + TextureEnds[i]
	} else {
		file = fl.Find(name)
	}
	fl.textures[name] = file
	return file
}

// IsVTF reports whether a file has the extension of one of Valve's textures.
func IsVTF(file string) bool { return path.Ext(file) == ".vtf" || path.Ext(file) == ".xtf" }

// IndexedFile returns the file of palette indices for a name, or "".
func (fl *Files) IndexedFile(name string) string {
	for _, file := range []string{name + ".mip", "textures/" + name + ".wal"} {
		if fl.exists(file) {
			return file
		}
	}
	if file := name + pic; strings.HasPrefix(name, skins) && fl.exists(file) && fl.Find(name) == "" {
		return file
	}
	return ""
}

// Skins of Quake's re-release are pics in the folder of models.
const (
	skins = "progs/"
	pic   = ".lmp"
)

// IsPic reports whether a file has the extension of one of Quake's pictures: a size, and indices of the palette.
func IsPic(file string) bool { return strings.HasSuffix(file, pic) }

// IsWAL reports whether a file has the extension of a Quake II texture.
func IsWAL(file string) bool { return strings.HasSuffix(file, ".wal") }

// IndexedSource returns the texture of a material, or the file that holds it, and its name. For an animation it is the
// first frame: all frames are shown in turn, whichever a surface names.
func (fl *Files) IndexedSource(wm *world.Material, frames map[string]*world.Texture) (name string, t *world.Texture, file string) {
	name = Fold(wm.Name)
	if first, ok := firstFrame(name); ok && first != name {
		if t := frames[first]; t != nil {
			return first, t, ""
		}
		if file := fl.IndexedFile(first); file != "" {
			return first, nil, file
		}
	}
	if wm.Texture != nil {
		return name, wm.Texture, ""
	}
	return name, nil, fl.IndexedFile(name)
}

// firstFrame returns the name of an animation's first frame: "+0lamp" for "+3lamp", "+alamp" for "+clamp".
func firstFrame(name string) (string, bool) {
	if len(name) < 2 || name[0] != '+' || strings.IndexByte(Turns, name[1]) < 0 {
		return "", false
	}
	if name[1] >= 'a' {
		return "+a" + name[2:], true
	}
	return "+0" + name[2:], true
}

// Turns are the second letters of the names of an animation's frames, in order: first the normal frames, then those of
// a switched button. Quake, model.c, Mod_LoadTextures.
const Turns = "0123456789abcdefghij"
