package assets

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/suggest"
)

// maxNamed is how many maps of an archive a message lists.
const maxNamed = 20

// besides lists contents that people take for maps, with what can be done with them.
var besides = []struct {
	is           func(name string) bool
	one, several string
	todo         string
}{
	{inputfile.IsModel, "a model", "models", "bsp2gltf model converts models"},
	{func(n string) bool { return inputfile.IsArchive(n) || inputfile.Foreign(n) != "" }, "an archive", "archives", "unpack archives in archives"},
	{func(n string) bool { return slices.Contains([]string{".map", ".vmf", ".rmf", ".jmf"}, path.Ext(n)) },
		"the source of a map", "sources of maps", "compile sources first"},
	{func(n string) bool {
		return slices.Contains([]string{".vtf", ".tga", ".jpg", ".png", ".wal"}, path.Ext(n))
	},
		"a texture", "textures", "bsp2gltf texture writes a texture as a picture"},
}

// noMap returns the error for an archive without maps. It says what the archive holds instead.
func noMap(a container, archive string) error {
	if a.count() == 0 {
		return limit.Errorf(fs.ErrNotExist, "holds no files")
	}
	if len(a.list(".", ".mip"))+len(a.list(".", ".qpic")) == a.count() {
		return limit.Errorf(fs.ErrNotExist, "holds textures, no map: bsp2gltf texture writes them as pictures")
	}
	for _, b := range besides {
		found := filesOf(a, b.is)
		if len(found) == 0 {
			continue
		}
		what := b.one + ","
		if len(found) > 1 {
			what = fmt.Sprintf("%d %s, like", len(found), b.several)
		}
		return limit.Errorf(fs.ErrNotExist, "holds no map (.bsp), but %s %s: %s", what, word(archive, found[0]), b.todo)
	}
	return limit.Errorf(fs.ErrNotExist, "holds no map (.bsp)")
}

// severalMaps returns the error for an archive with several maps where one is needed.
func severalMaps(found names, archive string) error {
	more := ""
	if n := len(found) - maxNamed; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return limit.Errorf(limit.ErrUsage, "holds %d maps: name one, like %s, or convert all with bsp2gltf batch; they are %s%s",
		len(found), word(archive, found[0]), strings.Join(found[:min(len(found), maxNamed)], ", "), more)
}

// absent returns the error for a name that an archive does not hold, with what was probably meant: a file of the same
// kind with the same name in another folder, or with a similar name.
func absent(a container, archive, member string) error {
	name := lower(member)
	for at := range name {
		if strings.ContainsRune(":!/", rune(name[at])) && inputfile.IsArchive(name[:at]) {
			name = name[:at]
			break
		}
	}
	if _, inside := clean(name); inside && inputfile.IsArchive(name) {
		return limit.Errorf(errors.ErrUnsupported, "an archive in an archive is not read: unpack %s", word(archive, name))
	}
	all, what := mapsOf(a), "map"
	switch ext := path.Ext(name); {
	case inputfile.IsModel(name):
		all, what = filesOf(a, inputfile.IsModel), "model"
	case ext != "" && !IsMap(name):
		all, what = filesOf(a, func(n string) bool { return path.Ext(n) == ext }), ext
	}
	stems := make([]string, len(all))
	for i, n := range all {
		stems[i] = mapName(n)
	}
	i := slices.Index(stems, mapName(name))
	if i < 0 {
		i = slices.Index(stems, suggest.Word(mapName(name), stems))
	}
	hint := ""
	switch {
	case i >= 0:
		hint = fmt.Sprintf("; did you mean %s?", word(archive, all[i]))
	case len(all) == 1:
		hint = fmt.Sprintf("; its only %s is %s", what, all[0])
	case len(all) == 0 && strings.HasPrefix(what, "."):
		what = "file that maps use"
	case len(all) > 1 && what == "map":
		hint = fmt.Sprintf(" among %d maps: bsp2gltf info --maps lists them", len(all))
	}
	return limit.Errorf(fs.ErrNotExist, "the archive has no such %s%s", what, hint)
}

// word returns a file in an archive as a word of a command line, quoted if a shell would change it.
func word(archive, name string) string {
	path := archive + ":" + name
	switch {
	case !strings.ContainsAny(path, " \t'\"`$&;|<>()*?!#[]{}"):
		return path
	case strings.Contains(path, "'"):
		return strconv.Quote(path)
	}
	return "'" + path + "'"
}
