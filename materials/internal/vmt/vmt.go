// Package vmt reads Valve's material files.
//
// A .vmt is KeyValues text: the name of a shader with a block of its parameters ($basetexture), hints for the map's
// compiler (%compilenodraw), proxies that animate parameters, and blocks of parameters for particular graphics cards. A
// "patch" is another material with changes: map compilers make patches for water and reflections.
//
// Parse resolves all that to one list of parameters, as on a current PC. For the closed part of the engine the sources
// are VDC's page "Material" and srctools' reader.
package vmt

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/keyvalues"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Material is a resolved material file.
type Material struct {
	Shader  string           // lower case: "lightmappedgeneric"
	Params  []Param          // in the order of the file, each name once
	Proxies []Proxy          // in order
	Blocks  []keyvalues.Pair // blocks for other graphics cards, and other values in braces
	Files   []string         // the files that it was made from, the material itself first
	Issues  []keyvalues.Issue
	Part    *Part // nil if it shows the whole of its texture

	values map[string]string // of the parameters so far
	order  []string
}

// Part is the part of a texture that a material shows, in pixels of its largest image.
type Part struct{ Left, Top, Width, Height float64 }

// Param is a parameter with its value as written.
type Param struct{ Name, Value string } // Name is in lower case

// Proxy changes parameters while the game runs.
type Proxy struct {
	Name   string // lower case
	Params []Param
}

// Read returns the content of a file. The name is in lower case, with forward slashes and the extension.
type Read func(name string) ([]byte, error)

// Parse reads a material file and, if it is a patch, the materials that it patches, through read. name is the file's
// name.
//
// It fails if data is not a material (limit.ErrCorrupt), if a patched file can't be read (with read's error), if
// patches form a cycle or lack a shader (limit.ErrCorrupt), and if a limit is exceeded, which includes more than
// MaxInclude patches. The memory of the text stays reserved in b, which may be nil.
func Parse(name string, data []byte, b *limit.Budget, read Read) (*Material, error) {
	if b == nil {
		b = limit.NewBudget(limit.Limits{})
	}
	m := &Material{values: map[string]string{}}
	if err := m.parse(name, data, b, read); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, name := range m.order {
		if value, ok := m.values[name]; ok { // once: it may have been removed and added again
			m.Params = append(m.Params, Param{name, value})
			delete(m.values, name)
		}
	}
	m.values, m.order = nil, nil
	return m, nil
}

func (m *Material) parse(name string, data []byte, b *limit.Budget, read Read) error {
	m.Files = append(m.Files, name)
	if err := limit.Check("MaxInclude", b.Limits.MaxInclude, int64(len(m.Files)-1)); err != nil {
		return err
	}
	root, issues, err := keyvalues.Parse(name, data, b, func(_, include string) (string, []byte, error) {
		include = File(include)
		data, err := read(include)
		return include, data, err
	})
	m.Issues = append(m.Issues, issues...)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(root, func(p keyvalues.Pair) bool { return p.Block && p.Key != "" })
	if i < 0 {
		return fmt.Errorf("there is no shader: %w", limit.ErrCorrupt)
	}
	switch shader := keyvalues.Lower(root[i].Key); shader {
	case "patch":
		return m.patch(root[i].Pairs, b, read)
	case "subrect":
		return m.subrect(root[i].Pairs, b, read)
	default:
		m.Shader = shader
		m.take(root[i].Pairs)
	}
	return nil
}

// subrect reads the material of which another shows a part: $pos and $size are in pixels of its texture. Games pack many decals in one
// sheet. The page Subrect of Valve's wiki.
func (m *Material) subrect(pairs []keyvalues.Pair, b *limit.Budget, read Read) error {
	sheet := keyvalues.Find(pairs, "$material")
	if sheet == nil || sheet.Value == "" {
		return fmt.Errorf("a part of nothing: %w", limit.ErrCorrupt)
	}
	file := "materials/" + strings.TrimSuffix(strings.TrimPrefix(File(sheet.Value), "materials/"), ".vmt") + ".vmt"
	if slices.Contains(m.Files, file) {
		return fmt.Errorf("it is a part of itself: %w", limit.ErrCorrupt)
	}
	data, err := read(file)
	if err != nil {
		return fmt.Errorf("a part of %.200q: %w", file, err)
	}
	if err := m.parse(file, data, b, read); err != nil {
		return err
	}
	var pos, size [2]float64
	for i := range pairs {
		switch p := &pairs[i]; {
		case p.Block:
		case p.Is("$pos"):
			pos = pixels(p.Value)
		case p.Is("$size"):
			size = pixels(p.Value)
		case !p.Is("$material"): // such as $decalscale
			m.set(keyvalues.Lower(p.Key), p.Value)
		}
	}
	if size[0] <= 0 || size[1] <= 0 {
		return nil
	}
	part := Part{Left: pos[0], Top: pos[1], Width: size[0], Height: size[1]}
	if whole := m.Part; whole != nil { // a part of a part
		part.Left, part.Top = part.Left+whole.Left, part.Top+whole.Top
	}
	m.Part = &part
	return nil
}

// pixels returns two numbers of pixels: "16 32", "[16 32]". What is none is 0.
func pixels(s string) (n [2]float64) {
	for i, word := range strings.Fields(strings.Trim(s, "[] ")) {
		if x, err := strconv.ParseFloat(word, 64); err == nil && i < len(n) && math.Abs(x) < 1<<20 {
			n[i] = x
		}
	}
	return n
}

// patch reads the material that a patch refers to, and applies the patch to it.
func (m *Material) patch(pairs []keyvalues.Pair, b *limit.Budget, read Read) error {
	include := keyvalues.Find(pairs, "include")
	if include == nil || include.Value == "" {
		return fmt.Errorf("a patch of nothing: %w", limit.ErrCorrupt)
	}
	parent := File(include.Value)
	if slices.Contains(m.Files, parent) {
		return fmt.Errorf("it is a patch of itself: %w", limit.ErrCorrupt)
	}
	data, err := read(parent)
	if err != nil && !strings.HasPrefix(parent, "materials/") && errors.Is(err, fs.ErrNotExist) {
		parent = "materials/" + parent
		if !slices.Contains(m.Files, parent) {
			data, err = read(parent)
		}
	}
	if err != nil {
		return fmt.Errorf("a patch of %.200q: %w", parent, err)
	}
	if err := m.parse(parent, data, b, read); err != nil {
		return err
	}
	for i := range pairs {
		switch p := &pairs[i]; {
		case p.Is("insert"):
			m.change(p.Pairs, false)
		case p.Is("replace"):
			m.change(p.Pairs, true)
		}
	}
	return nil
}

// File normalises the name of a file: lower case, forward slashes, none at the start and no two in a row.
func File(name string) string {
	name = strings.ReplaceAll(strings.TrimSpace(name), `\`, "/")
	for strings.Contains(name, "//") {
		name = strings.ReplaceAll(name, "//", "/")
	}
	return strings.TrimPrefix(keyvalues.Lower(name), "/")
}

// Get returns the value of a parameter; name is in lower case.
func (m *Material) Get(name string) (value string, ok bool) {
	if i := slices.IndexFunc(m.Params, func(p Param) bool { return p.Name == name }); i >= 0 {
		return m.Params[i].Value, true
	}
	return "", false
}
