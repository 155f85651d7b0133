package models

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/md3"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skin maps the names of surfaces to shaders, as a .skin file lists them.
type skin map[string]string

// skinOf reads the skin that an entity names and returns its clean name, or "". A value of the key that is not the
// name of a .skin file is meant for the map's compiler.
func (g *materialBinder) skinOf(p *world.Prop, e *world.Entity) (string, error) {
	name := clean(e.Value("skin"))
	if path.Ext(name) != ".skin" {
		return "", nil
	}
	if s, ok := g.skins[name]; ok {
		if s == nil {
			return "", nil
		}
		return name, nil
	}
	data, err := g.library.file(name)
	if limit.Fatal(err) {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		g.skins[name] = nil
		report(g.w, "skin-missing", p, "%s: %v", name, err)
		return "", nil
	}
	g.skins[name] = parseSkin(string(data))
	return name, nil
}

// parseSkin parses lines with the name of a surface and its shader, separated by a comma or blanks. The first line
// for a surface counts. Lines of tags, to which other models are attached, have no shader (Quake III Arena,
// tr_image.c, RE_RegisterSkin).
func parseSkin(text string) skin {
	s := skin{}
	var line []string
	for text != "" {
		switch c := text[0]; {
		case c == '\n' || c == '\r':
			s.add(line)
			line, text = line[:0], text[1:]
		case c <= ' ' || c == ',':
			text = text[1:]
		case strings.HasPrefix(text, "//"):
			text = text[until(text, "\n"):]
		case strings.HasPrefix(text, "/*"):
			text = text[2:]
			text = text[min(until(text, "*/")+2, len(text)):]
		case c == '"':
			text = text[1:]
			n := until(text, `"`)
			line, text = append(line, text[:n]), text[min(n+1, len(text)):]
		default:
			n := strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == ',' })
			if n < 0 {
				n = len(text)
			}
			line, text = append(line, text[:n]), text[n:]
		}
	}
	s.add(line)
	return s
}

// until returns the offset of mark in text, or the end of text.
func until(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// add adds a line. One of three words that begins with "replace" is DarkPlaces' other form (DP_GFX_SKINFILES).
func (s skin) add(line []string) {
	if len(line) == 3 && line[0] == "replace" {
		line = line[1:]
	}
	if len(line) < 2 {
		return
	}
	name := strings.ToLower(line[0])
	if _, have := s[name]; !have && !strings.Contains(name, "tag_") {
		s[name] = md3.ShaderName(line[1])
	}
}

// remapsOf returns the shaders that an entity replaces, as "from;to", in file order: the values of keys that start
// with "_remap" in misc_model and similar classes (q3map2). Other entities don't use the key.
func remapsOf(e *world.Entity) (remaps []string) {
	if !strings.HasPrefix(strings.ToLower(e.Class()), "misc_") {
		return nil
	}
	for _, p := range e.Pairs {
		if !strings.HasPrefix(strings.ToLower(p.Key), "_remap") {
			continue
		}
		if from, to, ok := strings.Cut(p.Value, ";"); ok && from != "" && to != "" {
			remaps = append(remaps, md3.ShaderName(from)+";"+md3.ShaderName(to))
		}
	}
	return remaps
}

// remap returns the replacement of a shader, or the shader. A rule that names it takes precedence over "*", which
// matches all.
func remap(shader string, remaps []string) string {
	all := shader
	for _, r := range remaps {
		switch from, to, _ := strings.Cut(r, ";"); from {
		case shader:
			return to
		case "*":
			all = to
		}
	}
	return all
}

// maxNumbered is DarkPlaces' limit on skins of a model.
const maxNumbered = 256

// numberedSkins returns the skins of a model from the files beside it, NAME_0.skin and so on (DarkPlaces,
// Mod_LoadSkinFiles).
func (l *library) numberedSkins(name string) (list []skin, err error) {
	for len(list) < maxNumbered {
		file := fmt.Sprintf("%s_%d.skin", name, len(list))
		data, err := l.file(file)
		switch {
		case limit.Fatal(err):
			return nil, fmt.Errorf("%s: %w", file, err)
		case err != nil:
			return list, nil
		}
		list = append(list, parseSkin(string(data)))
	}
	return list, nil
}

// playerSkins returns the skins of a part of Quake III's players: the default, and those of the teams. Quake III Arena, cg_players.c,
// CG_RegisterClientSkin.
func (l *library) playerSkins(name string) (list []skin, err error) {
	part := playerPart.FindStringSubmatch(path.Base(name))
	if part == nil || !l.alone {
		return nil, nil
	}
	for _, team := range []string{"default", "blue", "red"} {
		file := path.Join(path.Dir(name), part[1]+"_"+team+".skin")
		data, err := l.file(file)
		switch {
		case limit.Fatal(err):
			return nil, fmt.Errorf("%s: %w", file, err)
		case err == nil:
			list = append(list, parseSkin(string(data)))
		}
	}
	return list, nil
}

// withOwn returns skins in which the surfaces that they don't mention keep their shaders.
func (d *decoded) withOwn(skins []skin) (list []skin) {
	for _, s := range skins {
		s = maps.Clone(s)
		for i, name := range d.names {
			if _, named := s[name]; !named {
				s[name] = d.shaders[i]
			}
		}
		list = append(list, s)
	}
	return list
}

// applySkins gives a model the shaders of one of its skins and, if all is true, its surfaces the shaders of the
// others to choose from. Surfaces that the skin doesn't mention are not drawn. d.shaders are by surface.
func (d *decoded) applySkins(skins []skin, number int, all bool) {
	if len(skins) == 0 {
		return
	}
	if number < 0 || number >= len(skins) {
		number = 0
	}
	n := len(d.shaders)
	own, names := slices.Clone(d.shaders), slices.Clone(d.names)
	in := func(s skin, i int) string {
		if to, ok := s[names[i]]; ok {
			return to
		}
		return own[i]
	}
	d.model.Surfaces = slices.DeleteFunc(d.model.Surfaces, func(f world.Surface) bool {
		_, shown := skins[number][names[f.Material]]
		return !shown
	})
	for i := range n {
		d.shaders[i] = in(skins[number], i)
	}
	if !all || len(skins) == 1 {
		return
	}
	for _, s := range skins {
		for i := range n {
			d.shaders, d.names = append(d.shaders, in(s, i)), append(d.names, names[i])
		}
	}
	for i := range d.model.Surfaces {
		f := &d.model.Surfaces[i]
		for k := range skins {
			f.Skins = append(f.Skins, n*(1+k)+f.Material)
		}
		f.Material = f.Skins[number]
	}
}
