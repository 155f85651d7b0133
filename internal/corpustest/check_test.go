package corpustest

import (
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
)

// checkReport holds a report against the map file and the archives, both read here in another way.
func checkReport(t *testing.T, m gameMap, r *report.Report) {
	t.Helper()
	s := &r.Surfaces
	dropped := 0
	for why, n := range s.Dropped {
		if n <= 0 || why == "" {
			t.Errorf("%s: %d faces dropped for %q", m.name, n, why)
		}
		dropped += n
	}
	if s.Total != s.Kept+dropped {
		t.Errorf("%s: %d faces, but %d kept and %d dropped", m.name, s.Total, s.Kept, dropped)
	}
	if n := facesInFile(t, m); s.Total != n {
		t.Errorf("%s: the report counts %d faces, the file has %d", m.name, s.Total, n)
	}
	faces := 0
	for _, i := range r.Issues {
		if i.Code == "" || i.Where == "" || i.Detail == "" {
			t.Errorf("%s: an issue that says nothing: %+v", m.name, i)
		}
		if strings.HasPrefix(i.Where, "face ") {
			faces++
		}
	}
	if n := s.Dropped["invalid"]; n > faces {
		t.Errorf("%s: %d faces dropped as invalid, but %d issues name a face", m.name, n, faces)
	}
	nothing := s.Dropped["sky"]+s.Dropped["trigger"] == s.Total // of a map that the game fills in (v20_ricochet_test_triggerfall)
	if !nothing && (s.Kept == 0 || r.Output.Triangles == 0) {
		t.Errorf("%s: nothing is in the output", m.name)
	}
	mat := &r.Materials
	if mat.Total != mat.Found+len(mat.Missing) {
		t.Errorf("%s: %d materials, but %d found and %d missing", m.name, mat.Total, mat.Found, len(mat.Missing))
	}
	for _, x := range mat.Missing {
		if x.Material == "" || len(x.Tried) == 0 || x.Hint == "" {
			t.Errorf("%s: a missing material without a reason: %+v", m.name, x)
		}
		for _, name := range x.Tried {
			if where := findImage(t, m.files, name); where != "" {
				t.Errorf("%s: material %s misses %s, but there is %s", m.name, x.Material, name, where)
			}
		}
	}
	for _, x := range r.Textures {
		if x.Name == "" || x.Origin == "" {
			t.Errorf("%s: a texture from nowhere: %+v", m.name, x)
		}
	}
	for _, p := range r.Lightmap.Pages {
		if p.Used <= 0 || p.Used > 1 {
			t.Errorf("%s: %.3f of a lightmap page is used", m.name, p.Used)
		}
	}
}

// facesInFile reads the number of faces from the header: lump 13, of 104 bytes a face, with RBSP and FBSP 148. In Source's
// maps that is lump 7, or else 58, of 56 bytes.
func facesInFile(t *testing.T, m gameMap) int {
	t.Helper()
	opened, err := assets.OpenMap(t.Context(), m.in)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var head [1036]byte
	if _, err := opened.ReadAt(head[:], 0); err != nil {
		t.Fatal(err)
	}
	if string(head[:4]) == "VBSP" || string(head[:4]) == "PSBV" {
		return max(readOracle(t, m.in).lumpSize(7), readOracle(t, m.in).lumpSize(58)) / 56
	}
	// Where the directory starts, the lump of faces, the bytes of a face.
	at, lump, size := 8, 13, 104
	switch ident, version := string(head[:4]), binary.LittleEndian.Uint32(head[4:]); {
	case ident == "RBSP", ident == "FBSP":
		size = 148
	case ident == "IBSP" && version == 38:
		lump, size = 6, 20
	case ident == "BSP2", ident == "2PSB":
		at, lump, size = 4, 7, 28
	case head[1] == 0 && head[2] == 0 && head[3] == 0: // Quake 29, GoldSrc 30
		at, lump, size = 4, 7, 20
	}
	return int(binary.LittleEndian.Uint32(head[at+lump*8+4:])) / size
}

// stems are the images of archives and folders by their paths in lower case without extension.
var stems = sync.OnceValue(func() *stemIndex { return &stemIndex{m: map[string]map[string]string{}} })

type stemIndex struct {
	mu sync.Mutex
	m  map[string]map[string]string
}

// findImage looks for an image with any extension in the archives and folders, case ignored.
func findImage(t *testing.T, files []string, name string) string {
	t.Helper()
	name = strings.TrimPrefix(path.Clean(strings.ToLower(strings.ReplaceAll(name, "\\", "/"))), "/")
	for _, file := range files {
		in := imagesIn(t, file)
		for _, stem := range []string{name, strings.TrimSuffix(name, path.Ext(name))} {
			if have, ok := in[stem]; ok {
				return file + ": " + have
			}
		}
	}
	return ""
}

func imagesIn(t *testing.T, file string) map[string]string {
	t.Helper()
	x := stems()
	x.mu.Lock()
	defer x.mu.Unlock()
	if in := x.m[file]; in != nil {
		return in
	}
	in := map[string]string{}
	x.m[file] = in
	add := func(name string) {
		low := strings.ToLower(strings.ReplaceAll(name, "\\", "/"))
		if slices.Contains([]string{".tga", ".jpg", ".jpeg", ".png", ".webp", ".pcx", ".bmp", ".dds"}, path.Ext(low)) {
			in[strings.TrimSuffix(low, path.Ext(low))] = name
		}
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		err := fs.WalkDir(os.DirFS(file), ".", func(name string, d fs.DirEntry, err error) error { add(name); return err })
		if err != nil {
			t.Error(err)
		}
		return in
	}
	for _, name := range members(t, file) {
		add(name)
	}
	return in
}

// gltfFile has the parts of a glTF's JSON that the checks need.
type gltfFile struct {
	Accessors []struct{ Count int }
	Meshes    []struct {
		Primitives []struct {
			Attributes map[string]int
			Indices    *int
			Material   *int
		}
	}
	Materials []struct {
		Name       string
		Extensions map[string]json.RawMessage
	}
	Nodes []struct {
		Name   string
		Extras map[string]any
	}
	Images   []struct{ Name string }
	Textures []struct{ Source int }
}

// checkGLB reads the file back: what the report says of it is so, and every lit material has its UV set.
func checkGLB(t *testing.T, m gameMap, r *report.Report, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return
	}
	if len(data) < 20 || string(data[:4]) != "glTF" || binary.LittleEndian.Uint32(data[8:]) != uint32(len(data)) {
		t.Errorf("%s: not a whole .glb", m.name)
		return
	}
	if last := r.Output.Files[len(r.Output.Files)-1]; filepath.Base(last.Name) != filepath.Base(name) {
		t.Errorf("%s: the last file is %s", m.name, last.Name)
	}
	for _, f := range r.Output.Files {
		if info, err := os.Stat(f.Name); err != nil || info.Size() != f.Size {
			t.Errorf("%s: the report says %+v: %v", m.name, f, err)
		}
	}
	var g gltfFile
	if err := json.Unmarshal(data[20:20+binary.LittleEndian.Uint32(data[12:])], &g); err != nil {
		t.Errorf("%s: %v", m.name, err)
		return
	}
	lit, litMaterials, triangles, vertices := 0, 0, 0, 0
	for _, x := range g.Materials {
		if x.Name == "" {
			t.Errorf("%s: a material without a name", m.name)
		}
		if x.Extensions["MOZ_lightmap"] != nil {
			litMaterials++
		}
	}
	for _, mesh := range g.Meshes {
		for _, p := range mesh.Primitives {
			if p.Material == nil || p.Indices == nil {
				t.Errorf("%s: a primitive without material or indices", m.name)
				continue
			}
			triangles += g.Accessors[*p.Indices].Count / 3
			vertices += g.Accessors[p.Attributes["POSITION"]].Count
			_, uv2 := p.Attributes["TEXCOORD_1"]
			if has := g.Materials[*p.Material].Extensions["MOZ_lightmap"] != nil; has != uv2 {
				t.Errorf("%s: material %s: lightmap %v, TEXCOORD_1 %v", m.name, g.Materials[*p.Material].Name, has, uv2)
			} else if has {
				lit++
			}
		}
	}
	if (len(r.Lightmap.Pages) > 0) != (lit > 0) || (litMaterials > 0) != (lit > 0) {
		t.Errorf("%s: %d lightmap pages, %d materials and %d primitives with a lightmap", m.name, len(r.Lightmap.Pages), litMaterials, lit)
	}
	if r.Output.Materials != len(g.Materials) || r.Output.Images != len(g.Images) || r.Output.Nodes != len(g.Nodes) {
		t.Errorf("%s: the report says %+v, the file has %d materials, %d images, %d nodes", m.name, r.Output, len(g.Materials),
			len(g.Images), len(g.Nodes))
	}
	if r.Output.Triangles != triangles || r.Output.Vertices != vertices {
		t.Errorf("%s: the report says %d triangles and %d vertices, the file has %d and %d", m.name, r.Output.Triangles, r.Output.Vertices,
			triangles, vertices)
	}
	classes := 0
	for _, n := range g.Nodes {
		if n.Extras["classname"] != nil {
			classes++
		}
	}
	if r.Entities.Total > 0 && classes == 0 {
		t.Errorf("%s: %d entities, no node with a classname", m.name, r.Entities.Total)
	}
}
