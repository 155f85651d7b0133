package corpustest

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// This reads the light of a map of Quake's family a second time: straight from the bytes to numbers, with no code of the
// decoder's. Quake, bspfile.h and gl_model.c; Half-Life SDK, bspfile.h; Quake II, qfiles.h.

// quakeOracle states where the lumps of a map are, and how its records are laid out.
type quakeOracle struct {
	ident                                             string // "29", "30", "31", "IBSP", "BSP2", "2PSB"
	vertices, texinfo, faces, light, edges, surfedges numbers
	models                                            numbers
	wide                                              bool // numbers of 32 bits
	infoSize, modelSize, modelFaces                   int
	channels                                          int // bytes of a luxel
}

// quakeFace is a face with light.
type quakeFace struct {
	index         int
	at            []vector
	luxel         [][2]float64
	width, height int
	styles        int
	first         int // block of light that is shown: that of style 0, else the first
	light         int // of the first block, in bytes
	space         int // bytes up to the light of the next face
}

// readQuake reads the lumps; ok is false where the map has no light in the lump.
func readQuake(t *testing.T, file string) (o *quakeOracle, ok bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head := numbers(data)
	o = &quakeOracle{ident: string(data[:4]), infoSize: 40, modelSize: 64, modelFaces: 56, channels: 1}
	first, order := 4, [7]int{3, 6, 7, 8, 12, 13, 14} // vertices, texinfo, faces, light, edges, surfedges, models
	switch o.ident {
	case "IBSP":
		first, order = 8, [7]int{2, 5, 6, 7, 11, 12, 13}
		o.infoSize, o.modelSize, o.modelFaces, o.channels = 76, 48, 40, 3
	case "BSP2", "2PSB":
		o.wide = true
	default:
		if head.i32(0) >= 30 {
			o.channels = 3
		}
	}
	lump := func(i int) numbers { return numbers(data[head.i32(first+8*i):][:head.i32(first+8*i+4)]) }
	for k, to := range []*numbers{&o.vertices, &o.texinfo, &o.faces, &o.light, &o.edges, &o.surfedges, &o.models} {
		*to = lump(order[k])
	}
	return o, len(o.light) > 0
}

// face reads a face; ok is false where it has no light.
func (o *quakeOracle) face(index int) (f quakeFace, ok bool) {
	f.index = index
	var firstEdge, n, info int
	var styles []byte
	if r := o.faces; o.wide {
		r = r[28*index:]
		firstEdge, n, info, styles, f.light = r.i32(8), r.i32(12), r.i32(16), r[20:24], r.i32(24)
	} else {
		r = r[20*index:]
		firstEdge, n, info, styles, f.light = r.i32(4), r.u16(8), r.u16(10), r[12:16], r.i32(16)
	}
	for f.styles < 4 && styles[f.styles] != 255 {
		f.styles++
	}
	f.first = max(0, bytes.IndexByte(styles[:f.styles], 0))
	if f.light < 0 || f.styles == 0 {
		return f, false
	}
	axes := o.texinfo[o.infoSize*info:]
	var lo, hi [2]float64
	for k := range n {
		e := o.surfedges.i32(4 * (firstEdge + k))
		at, end := max(e, -e), 0
		if e < 0 {
			end = 1
		}
		p := o.vertices.vector(12 * o.vertex(at, end))
		var c [2]float64
		for i := range c {
			c[i] = axes.project(16*i, p)
			stored := float64(float32(c[i])) // as the engines kept it
			if k == 0 || stored < lo[i] {
				lo[i] = stored
			}
			if k == 0 || stored > hi[i] {
				hi[i] = stored
			}
		}
		f.at, f.luxel = append(f.at, p), append(f.luxel, c)
	}
	var mins, size [2]float64
	for i := range lo {
		mins[i] = math.Floor(lo[i] / 16)
		size[i] = math.Ceil(hi[i]/16) - mins[i] + 1
	}
	f.width, f.height = int(size[0]), int(size[1])
	for k := range f.luxel {
		for i := range mins {
			f.luxel[k][i] = f.luxel[k][i]/16 - mins[i] + 0.5
		}
	}
	return f, true
}

// vertex returns the vertex at an end of an edge.
func (o *quakeOracle) vertex(edge, end int) int {
	if o.wide {
		return o.edges.i32(8*edge + 4*end)
	}
	return o.edges.u16(4*edge + 2*end)
}

// lit returns the lit faces of all models.
func (o *quakeOracle) lit() (list []quakeFace) {
	var starts []int
	for m := range len(o.models) / o.modelSize {
		r := o.models[o.modelSize*m:]
		for i := r.i32(o.modelFaces); i < r.i32(o.modelFaces)+r.i32(o.modelFaces+4); i++ {
			if f, ok := o.face(i); ok {
				list = append(list, f)
				starts = append(starts, f.light)
			}
		}
	}
	slices.Sort(starts)
	starts = append(starts, len(o.light))
	for i := range list {
		k, _ := slices.BinarySearch(starts, list[i].light+1)
		list[i].space = starts[k] - list[i].light
	}
	return list
}

// luxels returns the linear light of the block that is shown.
func (o *quakeOracle) luxels(f *quakeFace) [][3]float64 {
	n := f.width * f.height
	at := f.light + f.first*n*o.channels
	out := make([][3]float64, n)
	for i := range out {
		for k := range 3 {
			out[i][k] = o.shown(o.light[at+i*o.channels+k%o.channels])
		}
	}
	return out
}

// shown returns the linear light of a stored one, by the engine's brightness with its settings as they come and an albedo of
// 0.35, so that a texel of that brightness, decoded, lit and encoded, is as the engine shows it. docs/internals/goldsrc.md has the rule.
func (o *quakeOracle) shown(stored byte) float64 {
	const albedo = 0.35
	l, texel := float64(stored)/255, albedo
	switch {
	case o.ident == "IBSP": // the engine doubles textures instead
	case o.channels == 3:
		l = min(264.0/256*l, 1) * 4 / 3
		texel = math.Pow(albedo, 2/2.5)
	default:
		l = min(2*264.0/256*l, 2)
	}
	return decodeLight(texel*l) / decodeLight(albedo)
}

// decodeLight is decodeSRGB of 0 to 1, and beyond.
func decodeLight(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// quakeMaps are the maps of the corpus, if it is there, and those of testdata that have all light in the lump and a luxel for 16 texels.
func quakeMaps(t *testing.T) []gameMap {
	t.Helper()
	names, err := filepath.Glob("../../testdata/goldsrc/maps/*.bsp")
	if err != nil || len(names) == 0 {
		t.Fatal("no maps of testdata: ", err)
	}
	var list []gameMap
	for _, name := range names {
		switch mapName(name) {
		case "bspx", "decoupled", "lit", "xash30", "xash31": // other light, or finer
		default:
			list = append(list, gameMap{group: "testdata", name: mapName(name), in: name})
		}
	}
	if dir, ok := findCorpus(t); ok {
		list = append(list, corpusMaps(t, dir, "goldsrc", "quake1", "quake2")...)
	}
	return list
}

// decodeQuake reads a map without any file around it.
func decodeQuake(t *testing.T, m gameMap) *world.World {
	t.Helper()
	data, err := os.ReadFile(m.in)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := bsp.Decode(t.Context(), bytes.NewReader(data), int64(len(data)), bsp.Options{Name: m.name, Overbright: new(0)})
	if err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	return decoded.World
}
