package materials

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	bakedMost  = 1024     // pixels a side of a baked image has at most
	bakedTotal = 64 << 20 // pixels of all baked images of a map
)

// bakeVMT notes a material to be baked, where it has a texture that fades in, and returns what is not shown.
func (vp *valvePlanner) bakeVMT(i int, wm *world.Material, v *vmt.Material) (cut []string) {
	f := fading{material: i, name: vp.plan.Materials[i].Name, v: v, fourWay: fourWay(v), masked: v.Bool("$maskedblending")}
	found := false
	for _, n := range layersOf(&f)[1:] {
		name := v.Texture(n.base)
		switch {
		case name == "":
		case vp.files.texture(name) == "":
			vp.plan.missing(wm, []string{name + ".vtf"})
		default:
			found = true
		}
	}
	if found {
		vp.plan.fading = append(vp.plan.fading, f)
	}
	if !fourWay(v) {
		cut = unused(v, "$basetexture3", "$basetexture4")
		if mask := v.Texture("$blendmodulatetexture"); mask != "" && vp.files.texture(mask) == "" {
			cut = append(cut, "$blendmodulatetexture")
		}
	}
	return append(cut, vp.unbakedDetail(v)...)
}

// unbakedDetail is the detail texture of a material that can't be drawn into its baked images.
func (vp *valvePlanner) unbakedDetail(v *vmt.Material) []string {
	if d, _, ok := vp.detail(v, identity); ok && vp.o.Combine == "all" && bakes(d.mode) {
		return nil
	}
	return unused(v, "$detail")
}

// bakes tells whether a detail texture can be drawn into a baked image, which has no alpha.
func bakes(m blendMode) bool {
	return m == doubled || m == addedMix || m == overMix || m == faded || m == multipliedMix || m == bumpOfColor
}

// planBakes finds the displacements to bake and their sizes. A material all of whose surfaces are baked needs no image
// of its own. What has no users any more is not made.
func (vp *valvePlanner) planBakes(w *world.World) {
	at := map[int]int{} // of vp.plan.fading, plus one, by material
	for i := range vp.plan.fading {
		at[vp.plan.fading[i].material] = i + 1
	}
	rest := make([]bool, len(vp.plan.fading)) // some surface is not baked
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			n := at[s.Material] - 1
			if n < 0 || s.Flags&(world.NoDraw|world.Hint|world.Trigger) != 0 {
				continue
			}
			d, ok := s.Shape.(*world.Displacement)
			if !ok || !bakeable(d) || !blended(d, fourWay(vp.plan.fading[n].v)) {
				rest[n] = true
				continue
			}
			vp.plan.fading[n].places = append(vp.plan.fading[n].places, place{model: i, surface: k, record: s.Record, d: d})
		}
	}
	replaced := map[target]bool{} // all of whose surfaces are baked
	for i := range vp.plan.fading {
		f := &vp.plan.fading[i]
		setSizes(f, vp.texels(f, &w.Materials[f.material]), vp.o.MaxSize)
		to := target{f.material, -1}
		f.gloss = to.of(vp.plan.Materials).Reflection != nil
		replaced[to] = !rest[i]
		if len(f.places) > 0 {
			vp.wantTextures(f)
		}
	}
	shrink(vp.plan.fading)
	for k := range vp.plan.jobs {
		for _, u := range vp.plan.jobs[k].users {
			if n := at[u.to.material] - 1; n >= 0 && u.to.layer < 0 && u.role.reflects() {
				vp.plan.fading[n].gloss = false
			}
		}
	}
	vp.plan.withdraw(replaced)
}

// wantTextures lists the textures that are drawn on the displacements of a material.
func (vp *valvePlanner) wantTextures(f *fading) {
	v := f.v
	for k, n := range layersOf(f) {
		f.textures = append(f.textures, wanted{
			part: asLayer, layer: k, file: vp.files.texture(v.Texture(n.base)), frame: v.Int(n.frame), uv: layerMatrix(v, k), height: heightsOf(v, k+1),
		})
		if k < len(names) && vp.o.Normals && !vp.plan.Materials[f.material].Unlit {
			if file, bump := normalFile(vp.files, v, n); file != "" {
				f.textures = append(f.textures, wanted{
					part: asTilt, layer: k, file: file, frame: v.Int(n.normalFrame), uv: matrixOf(v, n.normalTransform), bump: bump,
				})
			}
		}
	}
	if name := v.Texture("$blendmodulatetexture"); name != "" && !f.fourWay {
		f.textures = append(f.textures, wanted{part: asMask, file: vp.files.texture(name), uv: matrixOf(v, "$blendmasktransform")})
	}
	if d, _, ok := vp.detail(v, matrixOf(v, names[0].transform)); ok && vp.o.Combine == "all" && bakes(d.mode) {
		f.detail = d
		f.textures = append(f.textures, wanted{part: asDetail, file: d.file, frame: d.frame, uv: d.uv})
	}
}

// bakeable tells whether a displacement's numbers can be drawn with. Geometry drops it where they can't.
func bakeable(d *world.Displacement) bool {
	if d.Power < 2 || d.Power > 4 {
		return false
	}
	n := 1<<d.Power + 1
	if len(d.Alpha) != n*n || d.Blends != nil && len(d.Blends) != n*n {
		return false
	}
	for i := range d.Corners {
		c := &d.Corners[i]
		for _, x := range [5]float32{c.Position[0], c.Position[1], c.Position[2], c.UV[0], c.UV[1]} {
			if !(x > -1<<24 && x < 1<<24) {
				return false
			}
		}
	}
	return true
}

// blended tells whether a displacement shows more than its first texture.
func blended(d *world.Displacement, fourWay bool) bool {
	if fourWay && d.Blends != nil {
		return slices.ContainsFunc(d.Blends, func(b [4]float32) bool { return b[1] > 0 || b[2] > 0 || b[3] > 0 })
	}
	return slices.ContainsFunc(d.Alpha, func(a float32) bool { return a > 0 })
}

// textureSize is a texture's matrix and size.
type textureSize struct {
	uv     [6]float64
	texels [2]float64
}

// texels are the sizes of a material's textures, by what their files or else the map say.
func (vp *valvePlanner) texels(f *fading, wm *world.Material) (list []textureSize) {
	for k, n := range layersOf(f) {
		t := textureSize{uv: layerMatrix(f.v, k), texels: [2]float64{float64(wm.Width), float64(wm.Height)}}
		file := vp.files.texture(f.v.Texture(n.base))
		if isVTF(file) {
			if width, height, err := vp.files.vtfSize(file); err == nil {
				t.texels = [2]float64{float64(width), float64(height)}
			}
		}
		if t.texels[0] <= 0 || t.texels[1] <= 0 {
			t.texels = [2]float64{512, 512}
		}
		if file != "" {
			list = append(list, t)
		}
	}
	return list
}

// layers are the parameters of a material's textures, the lowest first.
func layersOf(f *fading) []textureNames {
	if fourWay(f.v) {
		return append([]textureNames{names[0]}, layerNames[:]...)
	}
	return names[:]
}

// layerMatrix is the matrix of a layer's texture.
func layerMatrix(v *vmt.Material, k int) [6]float64 {
	if k == 0 {
		return matrixOf(v, names[0].transform)
	}
	m := matrixOf(v, layerNames[k-1].transform)
	if fourWay(v) {
		m = multiply(scaling(v, fmt.Sprintf("$texture%d_uvscale", k+1), 1), m)
	}
	return m
}

// size sets how large the images are: about as fine as the finest texture, by powers of two, so that neighbours agree.
// most is the most pixels a side, 0 for any.
func setSizes(f *fading, textures []textureSize, most int) {
	if most <= 0 || most > bakedMost {
		most = bakedMost
	}
	most = max(most, 2) // the first and the last pixel are on the border
	side := func(length float64, power int) int {
		n := min(leastBaked<<power, 1<<bits.Len(uint(most))>>1)
		for 2*n <= most && 1.1*float64(n) < length { // a bit too long is no reason for twice as much
			n *= 2
		}
		return n
	}
	for i := range f.places {
		p := &f.places[i]
		x, y := 0.0, 0.0
		for _, t := range textures {
			a, b := extent(p.d, t.uv, t.texels)
			x, y = max(x, a), max(y, b)
		}
		p.width, p.height = side(x, p.d.Power), side(y, p.d.Power)
	}
}

// leastBaked is how many pixels a square of the grid has at least: a texture may be stretched along a cliff, the opacity is not.
const leastBaked = 4

// shrink halves all images until they are few enough pixels together.
func shrink(list []fading) {
	for range 8 {
		sum := 0
		for i := range list {
			for k := range list[i].places {
				sum += list[i].places[k].width * list[i].places[k].height
			}
		}
		if sum <= bakedTotal {
			return
		}
		for i := range list {
			for k := range list[i].places {
				p := &list[i].places[k]
				p.width, p.height = max(2, p.width/2), max(2, p.height/2)
			}
		}
	}
}

func matrixOf(v *vmt.Material, name string) [6]float64 {
	if m, ok := v.Matrix(name); ok {
		return m
	}
	return identity
}
