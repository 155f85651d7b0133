package assets

import (
	"path"
	"strings"
)

// inside is a folder in an archive, as a mount of its own: a .zip often has a game's files below cstrike/.
type inside struct {
	of  container
	dir string // clean
}

func (s inside) name(name string) string { return path.Join(s.dir, name) }

func (s inside) path() string { return s.of.path() + ":" + s.dir }

func (s inside) size(name string) (int64, bool) { return s.of.size(s.name(name)) }

func (s inside) read(name string) ([]byte, error) { return s.of.read(s.name(name)) }

func (s inside) children(dir string) ([]child, bool) { return s.of.children(s.name(dir)) }

func (s inside) list(dir, ext string) []string {
	all := s.of.list(s.name(dir), ext)
	for i, name := range all {
		all[i] = strings.TrimPrefix(name, s.dir+"/")
	}
	return all
}

func (s inside) issues() []Issue { return s.of.issues() }

// rootOf returns the game folder in an archive that a map belongs to: cstrike for cstrike/maps/x.bsp, "." for
// maps/x.bsp.
func rootOf(member string) string {
	name, ok := clean(member)
	if !ok || !strings.Contains(name, "/") {
		return "."
	}
	dir := path.Dir(name)
	if path.Base(dir) == "maps" {
		dir = path.Dir(dir)
	}
	return dir
}
