package materials

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image/color"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// store is a cache in memory that counts.
type store struct {
	mu        sync.Mutex
	kept      map[cache.Key][]byte
	hits, all int
}

func (s *store) cache() *cache.Cache {
	return &cache.Cache{
		Get: func(k cache.Key) ([]byte, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			data, ok := s.kept[k]
			if s.all++; ok {
				s.hits++
			}
			return data, ok
		},
		Put: func(k cache.Key, data []byte) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.kept[k] = bytes.Clone(data)
		},
	}
}

// cachedWorld has an image of every kind: a file to encode, one that passes, a picture of stages, a glow, a normal map, a gloss that is
// the same everywhere, a picture of the map's own, and a broken file.
func cachedWorld() (fstest.MapFS, string, *world.World) {
	files := imagetest.Files("a.tga", "b.png", "c.jpg", "m.tga")
	files["broken.jpg"] = &fstest.MapFile{Data: []byte("\xff\xd8\xff\xe0 and no more")}
	files["materials/v.vmt"] = &fstest.MapFile{Data: []byte("LightmappedGeneric { $basetexture v $bumpmap n $selfillum 1 $envmap env_cubemap $normalmapalphaenvmapmask 1 }")}
	files["materials/v.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{1, 2, 3, 100}))
	files["materials/n.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{128, 128, 255, 77}))
	script := "s\n{\n{ map a.tga }\n{ map c.jpg\nblendFunc add\n}\n{ map $lightmap\nblendFunc filter }\n{ map m.tga\nblendFunc GL_SRC_ALPHA GL_ONE }\n}\n"
	own := &world.Texture{Width: 16, Height: 16, Pixels: bytes.Repeat([]byte{1, 255}, 128), Palette: make([][3]uint8, 256)}
	return files, script, plantest.Shown(world.Material{Name: "s"}, world.Material{Name: "a"}, world.Material{Name: "b"},
		world.Material{Name: "v"},
		world.Material{Name: "{own", Texture: own}, world.Material{Name: "broken"})
}

func TestACacheChangesNothing(t *testing.T) {
	files, script, w := cachedWorld()
	o := plainOptions
	o.Reflections = true
	want := load(t, files, script, o, w)
	s := &store{kept: map[cache.Key][]byte{}}
	in := Input{World: w, Cache: s.cache()}
	same := func(when string) {
		t.Helper()
		got := loadInput(t, files, script, o, in)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(pbr.Material{})); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	same("empty")
	made := len(s.kept)
	if s.hits != 0 || made < 5 {
		t.Fatalf("%d hits, %d kept", s.hits, made)
	}
	same("full")
	if s.hits != made || len(s.kept) != made {
		t.Errorf("%d hits of %d kept, now %d", s.hits, made, len(s.kept))
	}
	for k, data := range s.kept { // damaged in turn, each differently
		s.kept[k] = append(bytes.Clone(data[:len(data)-1]), data[len(data)-1]^1)
	}
	same("damaged")
	for k, data := range s.kept {
		s.kept[k] = data[:len(data)/2]
	}
	same("cut")
	for k := range s.kept {
		s.kept[k] = nil
	}
	same("emptied")
	// Another content, and another option, are another image.
	before := len(s.kept)
	files["a.tga"] = imagetest.TGA(imagetest.Filled(8, 8, imagetest.Grey(7)))
	set := loadInput(t, files, script, o, in)
	base := set.Materials[1].Base.Image
	if c := decoded(t, set, base).NRGBAAt(0, 0); c != imagetest.Grey(7) {
		t.Errorf("the file has changed, the image is %v", c)
	}
	o.MaxSize = 4
	if im := loadInput(t, files, script, o, in).Images[base]; im.Width != 4 {
		t.Errorf("%d pixels wide", im.Width)
	}
	if len(s.kept) <= before {
		t.Error("nothing was added")
	}
}

// packedFiles are files of archives, which have to be inflated: it counts how often.
type packedFiles struct {
	fstest.MapFS
	mu    sync.Mutex
	reads map[string]int
}

func (p *packedFiles) ReadFile(name string) ([]byte, error) {
	p.mu.Lock()
	p.reads[name]++
	p.mu.Unlock()
	return p.MapFS.ReadFile(name)
}

// Identity acts like an archive whose checksum of b.png is wrong.
func (p *packedFiles) Identity(name string, data []byte) string {
	f := p.MapFS[name]
	if f == nil || name == "b.png" && data != nil {
		return ""
	}
	return fmt.Sprint(name, len(f.Data), crc32.ChecksumIEEE(f.Data))
}

func TestWhatTheCacheKnowsIsNotInflated(t *testing.T) {
	files, script, w := cachedWorld()
	o := plainOptions
	o.Reflections = true
	want := load(t, files, script, o, w)
	s := &store{kept: map[cache.Key][]byte{}}
	p := &packedFiles{files, sync.Mutex{}, map[string]int{}}
	again := func() *Set {
		set, err := Load(t.Context(), Input{World: w, Files: p, Scripts: ReadScripts(p), Cache: s.cache()}, o)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	for range 2 {
		if diff := cmp.Diff(want, again(), cmpopts.EquateEmpty(), cmp.AllowUnexported(pbr.Material{})); diff != "" {
			t.Error(diff)
		}
	}
	for name, most := range map[string]int{"a.tga": 1, "c.jpg": 1, "m.tga": 1, "b.png": 2} {
		if n := p.reads[name]; n != most {
			t.Errorf("%s was inflated %d times, %d expected", name, n, most)
		}
	}
	files["c.jpg"] = &fstest.MapFile{Data: append(bytes.Clone(files["c.jpg"].Data), 0)}
	if again(); p.reads["c.jpg"] != 2 {
		t.Error("another file of the same name was not read")
	}
}
