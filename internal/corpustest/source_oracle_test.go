package corpustest

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// This reads a map of Source a second time: straight from the bytes to numbers, with no code of the decoder's. The
// records are those of Source SDK 2013, public/bspfile.h.

// oracle is a map of Source.
type oracle struct {
	version int
	hdr     bool // the light that is read, and its faces
	faces   []oracleFace
	lumps   [64][]byte
}

// oracleFace is a face of a model.
type oracleFace struct {
	index, model  int
	material      string
	hidden        string // why the game does not draw it, or ""
	volume        bool   // because of its entity's class: it may have light all the same
	bumped        bool
	disp          bool
	grid          int           // points per row, of a displacement
	corners       []oraclePoint // of a displacement its points, row by row
	triangles     [][3]int      // of corners, clockwise seen from the front
	styles        []uint8
	light         int    // of the first style's luxels in the lump, or 0
	width, height int    // luxels
	normal        vector // of the plane
}

// oraclePoint is a corner of a face.
type oraclePoint struct {
	at        vector
	uv, luxel [2]float64
}

type vector [3]float64

func (a vector) minus(b vector) vector { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vector) dot(b vector) float64  { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vector) length() float64       { return math.Sqrt(a.dot(a)) }
func (a vector) cross(b vector) vector { return space.Cross(a, b) }

// area returns the area of a triangle, in square units.
func (x *oracleFace) area(t [3]int) float64 {
	a, b, c := x.corners[t[0]].at, x.corners[t[1]].at, x.corners[t[2]].at
	return b.minus(a).cross(c.minus(a)).length() / 2
}

// numbers read little-endian records.
type numbers []byte

func (b numbers) u16(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
func (b numbers) i16(at int) int { return int(int16(binary.LittleEndian.Uint16(b[at:]))) }
func (b numbers) i32(at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
func (b numbers) f32(at int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at:])))
}
func (b numbers) vector(at int) vector { return vector{b.f32(at), b.f32(at + 4), b.f32(at + 8)} }

// project returns a point on the axis and shift at an offset.
func (b numbers) project(at int, p vector) float64 { return b.vector(at).dot(p) + b.f32(at+12) }

// readOracle reads a map.
func readOracle(t *testing.T, file string) *oracle {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	big := bytes.HasPrefix(data, []byte("PSBV"))
	if big {
		for at := 0; at < 1036; at += 4 {
			slices.Reverse(data[at : at+4])
		}
	}
	head := numbers(data)
	o := &oracle{version: head.i32(4)}
	// In Left 4 Dead 2 the first number of each entry is a version; else some lump lies behind the header.
	versionFirst := true
	for i := range o.lumps {
		versionFirst = versionFirst && head.i32(8+16*i) < 1036
	}
	for i := range o.lumps {
		offset, length := head.i32(8+16*i), head.i32(8+16*i+4)
		if versionFirst {
			offset, length = length, head.i32(8+16*i+8)
		}
		if length > 0 {
			o.lumps[i] = data[offset : offset+length]
		}
		o.lumps[i] = unpacked(t, o.lumps[i])
		if big {
			littleEndian(i, o.lumps[i])
		}
	}
	o.plain()
	light, faces := 8, 7
	if o.hdr = len(o.lumps[53]) > 0; o.hdr {
		light = 53
	}
	if o.hdr && len(o.lumps[58]) > 0 || len(o.lumps[7]) == 0 {
		faces = 58
	}
	models, volumes := numbers(o.lumps[14]), volumes(o.lumps[0])
	for m := range len(models) / 48 {
		first, n := models.i32(48*m+40), models.i32(48*m+44)
		for i := first; i < first+n; i++ {
			f := o.face(i, m, o.lumps[faces][56*i:56*i+56], o.lumps[light])
			if volumes[m] {
				f.hidden, f.volume = "trigger", true
			}
			o.faces = append(o.faces, f)
		}
	}
	o.hideUndersides()
	return o
}

// volume is an entity of a class that a game gives a brush model and never draws: triggers and the zones of Counter-Strike.
var volume = regexp.MustCompile(`^(trigger_.*|func_ladder|func_buyzone|func_bomb_target|func_hostage_rescue)$`)

// volumes returns the brush models of such entities.
func volumes(text []byte) map[int]bool {
	out := map[int]bool{}
	for _, e := range regexp.MustCompile(`\{[^{}]*\}`).FindAll(text, -1) {
		keys := map[string]string{}
		for _, pair := range regexp.MustCompile(`"([^"]*)"\s+"([^"]*)"`).FindAllSubmatch(e, -1) {
			keys[strings.ToLower(string(pair[1]))] = strings.ToLower(string(pair[2]))
		}
		number, isModel := strings.CutPrefix(keys["model"], "*")
		if m, err := strconv.Atoi(number); isModel && err == nil && volume.MatchString(keys["classname"]) &&
			keys["classname"] != "trigger_portal_cleanser" {
			out[m] = true
		}
	}
	return out
}

// lumpSize returns the size of a lump in bytes.
func (o *oracle) lumpSize(lump int) int { return len(o.lumps[lump]) }

func (o *oracle) face(index, model int, f numbers, light []byte) oracleFace {
	x := oracleFace{index: index, model: model, normal: numbers(o.lumps[1]).vector(20 * f.u16(0))}
	info := numbers(o.lumps[6])[72*f.i16(10):]
	flags, texdata := info.i32(64), numbers(o.lumps[2])[32*info.i32(68):]
	name := o.lumps[43][numbers(o.lumps[44]).i32(4*texdata.i32(12)):]
	name = name[:bytes.IndexByte(name, 0)]
	x.material = strings.TrimLeft(strings.ToLower(strings.ReplaceAll(string(name), "\\", "/")), "/")
	x.bumped = flags&0x800 != 0
	x.hidden = hiddenBy(flags, x.material)

	size := [2]float64{float64(texdata.i32(16)), float64(texdata.i32(20))}
	for k := range size {
		if size[k] == 0 { // the compiler did not find the texture (v20_minigolf_test); what it laid out is in texels
			size[k] = 64
		}
	}
	point := func(p vector) (c oraclePoint) {
		c.at = p
		for k := range 2 {
			c.uv[k] = info.project(16*k, p) / size[k]
			c.luxel[k] = info.project(32+16*k, p) - float64(f.i32(28+4*k)) + 0.5
		}
		return c
	}
	vertices, edges, surfedges := numbers(o.lumps[3]), numbers(o.lumps[12]), numbers(o.lumps[13])
	for k := range f.i16(8) {
		e := surfedges.i32(4 * (f.i32(4) + k))
		v := edges.u16(4*max(e, -e) + 2) // where a reversed edge starts
		if e >= 0 {
			v = edges.u16(4 * e)
		}
		x.corners = append(x.corners, point(vertices.vector(12*v)))
	}
	switch disp := f.i16(12); {
	case disp >= 0:
		x.bend(o, numbers(o.lumps[26])[176*disp:], f)
	case f.u16(48)&0x7fff != 0:
		x.primitives(o, f.u16(50), f.u16(48)&0x7fff, point)
	default:
		for k := 1; k+1 < len(x.corners); k++ {
			x.triangles = append(x.triangles, [3]int{0, k, k + 1})
		}
	}
	for _, s := range f[16:20] {
		if s == 255 {
			break
		}
		x.styles = append(x.styles, s)
	}
	x.width, x.height = f.i32(36)+1, f.i32(40)+1
	if at := f.i32(20); at > 0 && len(light) > 0 && len(x.styles) > 0 {
		x.light = at
	}
	return x
}

// hiddenBy says by its flags and name why the game does not draw a face.
func hiddenBy(flags int, name string) string {
	tool, ok := strings.CutPrefix(name, "tools/tools")
	if !ok {
		tool = ""
	}
	switch {
	case flags&(2|4) != 0 || strings.HasPrefix(tool, "skybox"):
		return "sky"
	case flags&(0x100|0x200) != 0 || tool == "hint" || tool == "skip":
		return "hint"
	case flags&0x40 != 0 || tool == "trigger":
		return "trigger"
	case flags&0x80 != 0 || tool == "nodraw":
		return "nodraw"
	}
	return ""
}

// primitives cuts a face into the triangles of its primitives.
func (x *oracleFace) primitives(o *oracle, first, n int, point func(vector) oraclePoint) {
	records, indices, vertices := numbers(o.lumps[37]), numbers(o.lumps[39]), numbers(o.lumps[38])
	for p := first; p < first+n; p++ {
		r := records[10*p:]
		base := 0
		if r.u16(8) > 0 {
			base = len(x.corners)
			for v := range r.u16(8) {
				x.corners = append(x.corners, point(vertices.vector(12*(r.u16(6)+v))))
			}
		}
		at := func(k int) int { return base + indices.u16(2*(r.u16(2)+k)) }
		for k := 0; k+2 < r.u16(4); k++ {
			switch {
			case r[0] == 0 && k%3 == 0:
				x.triangles = append(x.triangles, [3]int{at(k), at(k + 1), at(k + 2)})
			case r[0] == 1 && k%2 == 0:
				x.triangles = append(x.triangles, [3]int{at(k), at(k + 1), at(k + 2)})
			case r[0] == 1:
				x.triangles = append(x.triangles, [3]int{at(k + 1), at(k), at(k + 2)})
			case r[0] == 2:
				x.triangles = append(x.triangles, [3]int{at(0), at(k + 1), at(k + 2)})
			}
		}
	}
}

// bend puts the grid of a displacement in place of the corners. Source SDK 2013, builddisp.cpp: the first corner is the one
// at the start position; texture coordinates go with the flat face and luxels from corner to corner.
func (x *oracleFace) bend(o *oracle, r, f numbers) {
	x.disp = true
	first := 0
	for k := range x.corners {
		if x.corners[k].at.minus(r.vector(0)).length() < x.corners[first].at.minus(r.vector(0)).length() {
			first = k
		}
	}
	var c [4]oraclePoint
	for k := range c {
		c[k] = x.corners[(first+k)%4]
	}
	w, h := float64(f.i32(36)), float64(f.i32(40))
	c[0].luxel, c[1].luxel, c[2].luxel, c[3].luxel = [2]float64{0.5, 0.5}, [2]float64{0.5, h + 0.5}, [2]float64{w + 0.5, h + 0.5},
		[2]float64{w + 0.5, 0.5}
	n := 1<<r.i32(20) + 1
	x.grid = n
	x.corners = nil
	moved, tags := numbers(o.lumps[33]), numbers(o.lumps[48])
	for row := range n {
		for col := range n {
			s, t := float64(col)/float64(n-1), float64(row)/float64(n-1)
			weights := [4]float64{(1 - s) * (1 - t), (1 - s) * t, s * t, s * (1 - t)}
			var p oraclePoint
			for k, weight := range weights {
				for i := range p.at {
					p.at[i] += weight * c[k].at[i]
				}
				for i := range p.uv {
					p.uv[i] += weight * c[k].uv[i]
					p.luxel[i] += weight * c[k].luxel[i]
				}
			}
			d := moved[20*(r.i32(12)+row*n+col):]
			for i, dir := range d.vector(0) {
				p.at[i] += dir * d.f32(12)
			}
			x.corners = append(x.corners, p)
		}
	}
	for row := range n - 1 {
		for col := range n - 1 {
			i := row*n + col
			halves := [2][3]int{{i, i + n, i + n + 1}, {i, i + n + 1, i + 1}}
			if i%2 == 1 {
				halves = [2][3]int{{i, i + n, i + 1}, {i + 1, i + n, i + n + 1}}
			}
			for k, half := range halves {
				if tags.u16(2*(r.i32(16)+2*(row*(n-1)+col)+k))&0x20 == 0 {
					x.triangles = append(x.triangles, half)
				}
			}
		}
	}
}

// hideUndersides finds the faces of water that have all their corners with one that is seen from above. Where these have another
// texture than those, sides that face each other are treated alike.
func (o *oracle) hideUndersides() {
	place := func(f *oracleFace) string {
		var list []string
		for _, c := range f.corners {
			list = append(list, fmt.Sprintf("%.1f", c.at))
		}
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	above, names := map[string]string{}, map[string][2]float64{} // names: how high they are below another, and above one
	for i := range o.faces {
		if f := &o.faces[i]; f.normal[2] > 0.5 && o.liquid(f) {
			above[place(f)] = f.material
		}
	}
	for i := range o.faces {
		if f := &o.faces[i]; f.normal[2] < -0.5 && o.liquid(f) && above[place(f)] != "" {
			z := f.corners[0].at[2] + 1e6 // none is at 0
			top := names[above[place(f)]]
			names[above[place(f)]] = [2]float64{top[0], max(top[1], z)}
			own := names[f.material]
			names[f.material] = [2]float64{max(own[0], z), own[1]}
			if f.hidden == "" {
				f.hidden = "water-underside"
			}
		}
	}
	outer := map[string]bool{}
	for pass := range 2 {
		for i := range o.faces {
			f := &o.faces[i]
			if f.hidden != "" || math.Abs(f.normal[2]) > 0.5 || !o.liquid(f) {
				continue
			}
			inner := names[f.material][0] > names[f.material][1]
			if pass == 0 && !inner {
				outer[place(f)] = true
			} else if pass == 1 && inner && outer[place(f)] {
				f.hidden = "water-underside"
			}
		}
	}
}

// liquid reports whether a face is water. Its material has the flag wherever it is.
func (o *oracle) liquid(f *oracleFace) bool {
	lump := 7
	if len(o.lumps[7]) == 0 || o.hdr && len(o.lumps[58]) > 0 {
		lump = 58
	}
	info := numbers(o.lumps[6])[72*numbers(o.lumps[lump]).i16(56*f.index+10):]
	return info.i32(64)&8 != 0
}

// luxels returns the linear light of the first style's flat luxels, or of style 0 where the face has it.
func (o *oracle) luxels(f *oracleFace) [][3]float64 {
	lump := o.lumps[8]
	if o.hdr {
		lump = o.lumps[53]
	}
	n := f.width * f.height
	block := 4 * n
	if f.bumped {
		block *= 4
	}
	at := f.light + max(0, slices.Index(f.styles, 0))*block
	out := make([][3]float64, n)
	for i := range out {
		b := lump[at+4*i:]
		for k := range 3 {
			out[i][k] = math.Ldexp(float64(b[k])/255, int(int8(b[3])))
		}
	}
	return out
}

// bilinear is the light between the centres of luxels, with the edge repeated.
func bilinear(luxels [][3]float64, width int, x, y float64) (light [3]float64) {
	height := len(luxels) / width
	x, y = min(max(x-0.5, 0), float64(width-1)), min(max(y-0.5, 0), float64(height-1))
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	x1, y1 := min(x0+1, width-1), min(y0+1, height-1)
	for k := range light {
		top := luxels[y0*width+x0][k]*(1-fx) + luxels[y0*width+x1][k]*fx
		bottom := luxels[y1*width+x0][k]*(1-fx) + luxels[y1*width+x1][k]*fx
		light[k] = top*(1-fy) + bottom*fy
	}
	return light
}

// sourceMaps returns the corpus's maps of Source that are read.
func sourceMaps(t *testing.T) []gameMap {
	t.Helper()
	list := slices.DeleteFunc(corpusMaps(t, corpus(t), "source"), func(m gameMap) bool { return !readsSource(t, m.in) })
	if len(list) == 0 {
		t.Skip("no maps of Source are chosen")
	}
	return list
}

// oracleMaps returns the maps of the corpus, if it is there, and those of testdata.
func oracleMaps(t *testing.T) []gameMap {
	t.Helper()
	var list []gameMap
	names, err := filepath.Glob("../../testdata/source/maps/*.bsp")
	if err != nil || len(names) == 0 {
		t.Fatal("no maps of testdata: ", err)
	}
	for _, name := range names {
		list = append(list, gameMap{group: "testdata", name: mapName(name), in: name})
	}
	if dir, ok := findCorpus(t); ok {
		list = append(list, slices.DeleteFunc(corpusMaps(t, dir, "source"), func(m gameMap) bool { return !readsSource(t, m.in) })...)
	}
	return list
}

func readsSource(t *testing.T, file string) bool {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var head [8]byte
	if _, err := f.Read(head[:]); err != nil {
		t.Fatal(err)
	}
	version := binary.LittleEndian.Uint32(head[4:])
	return string(head[:4]) == "VBSP" && version >= 19 && version <= 25 || string(head[:4]) == "PSBV"
}

// sorted returns the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
