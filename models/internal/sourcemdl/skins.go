package sourcemdl

import (
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// Limits on a model's textures and texture folders. The engine's compiler allows 32 and 16.
const (
	maxTextures = 4096
	maxFolders  = 64
)

// skins holds the materials of a model.
type skins struct {
	textures []string // as stored, or as replaced for the level of detail
	folders  []string
	table    []byte // int16 by family and reference: the index of a texture
	width    int    // references in a family
	families int

	names  [][]string           // of the materials in use: their possible names
	irises []bool               // by material: it is an iris image
	worn   map[skinMaterial]int // index into names
}

// skinMaterial is a material of a mesh: the index of its texture, or -1 for a missing one, and whether it is the iris
// image over it.
type skinMaterial struct {
	texture int
	iris    bool
}

// readSkins reads the names of textures and folders, and the skin table.
func readSkins(f *file) (*skins, error) {
	s := &skins{worn: map[skinMaterial]int{}}
	t, err := f.header("textures", textures, textureSize)
	if err != nil {
		return nil, err
	}
	folders, err := f.header("folders of textures", textureFolders, 4)
	if err != nil {
		return nil, err
	}
	if t.Len() > maxTextures || folders.Len() > maxFolders {
		return nil, modelfile.Fault("count", f.What, "%d textures in %d folders", t.Len(), folders.Len())
	}
	for i := range t.Len() {
		s.textures = append(s.textures, f.text(t.Offset(i)+int64(le.Int32(t.Record(i)))))
	}
	for i := range folders.Len() {
		s.folders = append(s.folders, f.text(int64(le.Int32(folders.Record(i)))))
	}
	width, families := int64(f.Int32(skinWidth)), int64(f.Int32(skinFamilies))
	if width > 0 && families > 0 {
		if width > int64(len(f.Data)) || families > int64(len(f.Data)) {
			return nil, modelfile.Fault("count", f.What, "%d skins of %d references", families, width)
		}
		if s.table, err = f.Bytes("skins", int64(f.Int32(skinTable)), 2*width*families); err != nil {
			return nil, err
		}
		s.width, s.families = int(width), int(families)
	}
	return s, nil
}

// family returns i if the file has such a skin family, otherwise 0.
func (s *skins) family(i int) int {
	if i < 0 || i >= max(1, s.families) {
		return 0
	}
	return i
}

// material returns the index of the material for a mesh's reference in a family, or of the iris over it.
func (s *skins) material(reference int32, family int, iris bool) int {
	texture := -1
	switch {
	case s.table == nil: // without a table, a reference is a texture's index
		texture = int(reference)
	case reference >= 0 && int(reference) < s.width:
		texture = int(int16(binary.LittleEndian.Uint16(s.table[2*(family*s.width+int(reference)):])))
	}
	if texture < 0 || texture >= len(s.textures) {
		texture = -1
	}
	i, ok := s.worn[skinMaterial{texture, iris}]
	if !ok {
		i = len(s.names)
		s.worn[skinMaterial{texture, iris}] = i
		var names []string
		if texture >= 0 && s.textures[texture] != "" {
			names = s.candidates(s.textures[texture])
		}
		s.names, s.irises = append(s.names, names), append(s.irises, iris)
	}
	return i
}

// candidates returns the possible names of a texture's material: in each folder, and without a folder.
func (s *skins) candidates(texture string) (names []string) {
	for _, folder := range append(slices.Clip(s.folders), "") {
		if name := materialName(folder + "/" + texture); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// materialName returns a name as used to look up materials. Some textures are named like their material's file
// (v_revolver_spy.mdl of Team Fortress 2 Vintage).
func materialName(s string) string {
	return path.Clean(strings.TrimLeft(strings.TrimSuffix(entlump.Lower(s), ".vmt"), "/"))
}
