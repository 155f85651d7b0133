package valve

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	bakedMost  = 1024     // the largest side of a baked image in pixels
	bakedTotal = 64 << 20 // the pixels of all baked images of a map
)

// bake records a material to be baked if it has a texture that fades in, and returns which parts are not shown.
func (vp *Planner) bake(i int, wm *world.Material, v *vmt.Material) (cut []string) {
	f := plan.DisplacementBlend{Material: i, VMT: v, Terrain: images.Terrain{Name: vp.Into.Materials[i].Name, FourWay: fourWay(v),
		Masked: v.Bool("$maskedblending")}}
	found := false
	for _, n := range layersOf(&f)[1:] {
		name := v.Texture(n.base)
		switch {
		case name == "":
		case vp.Files.Texture(name) == "":
			vp.Into.MarkMissing(wm, []string{name + ".vtf"})
		default:
			found = true
		}
	}
	if found {
		vp.Into.DisplacementBlends = append(vp.Into.DisplacementBlends, f)
	}
	if !fourWay(v) {
		cut = unused(v, "$basetexture3", "$basetexture4")
		if mask := v.Texture("$blendmodulatetexture"); mask != "" && vp.Files.Texture(mask) == "" {
			cut = append(cut, "$blendmodulatetexture")
		}
	}
	return append(cut, unbakedDetail(vp, v)...)
}

// unbakedDetail returns the detail texture of a material if it can't be drawn into its baked images.
func unbakedDetail(vp *Planner, v *vmt.Material) []string {
	if d, _, ok := vp.detailOf(v, &shader{}, pbr.Identity); ok && vp.Options.Combine && bakes(d.mix.Mode) {
		return nil
	}
	return unused(v, "$detail")
}

// bakes reports whether a detail texture can be drawn into a baked image, which has no alpha.
func bakes(m paint.BlendMode) bool {
	return m == paint.Doubled || m == paint.AddedMix || m == paint.OverMix || m == paint.Faded || m == paint.MultipliedMix ||
		m == paint.BumpOfColor
}

// PlanDisplacements finds the displacements to bake and sets the sizes of their images. A material whose surfaces are
// all baked needs no image of its own; images without remaining users are not made.
func (vp *Planner) PlanDisplacements(w *world.World) {
	at := map[int]int{} // by material: the index into vp.Into.Fading, plus one
	for i := range vp.Into.DisplacementBlends {
		at[vp.Into.DisplacementBlends[i].Material] = i + 1
	}
	rest := make([]bool, len(vp.Into.DisplacementBlends)) // some surface is not baked
	for i := range w.Models {
		for k := range w.Models[i].Surfaces {
			s := &w.Models[i].Surfaces[k]
			n := at[s.Material] - 1
			if n < 0 || s.Flags&(world.NoDraw|world.Hint|world.Trigger) != 0 {
				continue
			}
			d, ok := s.Shape.(*world.Displacement)
			if !ok || !bakeable(d) || !blended(d, fourWay(vp.Into.DisplacementBlends[n].VMT)) {
				rest[n] = true
				continue
			}
			t := &vp.Into.DisplacementBlends[n].Terrain
			t.Places = append(t.Places, images.Place{
				Model: i, Surface: k, Record: s.Record, Picture: paint.DisplacementPicture{Displacement: d},
			})
		}
	}
	replaced := map[plan.Target]bool{} // materials whose surfaces are all baked
	for i := range vp.Into.DisplacementBlends {
		f := &vp.Into.DisplacementBlends[i]
		setSizes(f.Terrain.Places, texels(vp, f, &w.Materials[f.Material]), vp.Options.MaxSize)
		to := plan.Alone(f.Material)
		f.Gloss = to.Of(vp.Into.Materials).Reflection != nil
		replaced[to] = !rest[i]
		if len(f.Terrain.Places) > 0 {
			wantTextures(vp, f)
		}
	}
	shrink(vp.Into.DisplacementBlends)
	for k := range vp.Into.Images {
		for _, u := range vp.Into.Images[k].Users {
			if n := at[u.To.Material] - 1; n >= 0 && u.To.Layer < 0 && u.Role.Reflects() {
				vp.Into.DisplacementBlends[n].Gloss = false
			}
		}
	}
	vp.Into.Withdraw(replaced)
}

// wantTextures lists the textures to draw on the displacements of a material.
func wantTextures(vp *Planner, f *plan.DisplacementBlend) {
	v, t := f.VMT, &f.Terrain
	for k, n := range layersOf(f) {
		t.Textures = append(t.Textures, images.Wanted{
			Part: images.AsLayer, Layer: k, File: vp.Files.Texture(v.Texture(n.base)), Frame: v.Int(n.frame), UV: layerMatrix(v, k),
			Height: heightsOf(v, k+1),
		})
		if n.normal != "" && vp.Options.Normals && !vp.Into.Materials[f.Material].Draw.Unlit {
			if m := normalOf(vp.Files, v, n); m.File != "" {
				uv := matrixOf(v, n.normalTransform)
				t.Textures = append(t.Textures, images.Wanted{Part: images.AsTilt, Layer: k, File: m.File, Frame: m.Frame, UV: uv,
					Bump: m.Bump})
			}
		}
	}
	if name := v.Texture("$blendmodulatetexture"); name != "" && !t.FourWay {
		t.Textures = append(t.Textures, images.Wanted{Part: images.AsMask, File: vp.Files.Texture(name), UV: maskMatrix(v)})
	}
	if d, _, ok := vp.detailOf(v, &shader{}, matrixOf(v, firstParameters.transform)); ok && vp.Options.Combine && bakes(d.mix.Mode) {
		t.Detail = d.mix
		t.Textures = append(t.Textures, images.Wanted{Part: images.AsDetail, File: d.file, Frame: d.frame, UV: d.mix.UV})
	}
}

// bakeable reports whether a displacement's numbers are usable. The geometry drops the displacement if they are not.
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

// blended reports whether a displacement shows more than its first texture.
func blended(d *world.Displacement, fourWay bool) bool {
	if fourWay && d.Blends != nil {
		return slices.ContainsFunc(d.Blends, func(b [4]float32) bool { return b[1] > 0 || b[2] > 0 || b[3] > 0 })
	}
	return slices.ContainsFunc(d.Alpha, func(a float32) bool { return a > 0 })
}

// textureSize is a texture's matrix, and its size in pixels.
type textureSize struct {
	uv     [6]float64
	texels [2]float64
}

// texels returns the sizes of a material's textures, by their files or else by the map.
func texels(vp *Planner, f *plan.DisplacementBlend, wm *world.Material) (list []textureSize) {
	for k, n := range layersOf(f) {
		t := textureSize{uv: layerMatrix(f.VMT, k), texels: [2]float64{float64(wm.Width), float64(wm.Height)}}
		file := vp.Files.Texture(f.VMT.Texture(n.base))
		if lookup.IsVTF(file) {
			if width, height, err := vp.Files.VTFSize(file); err == nil {
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

// layersOf returns the parameters of a material's textures, the lowest first.
func layersOf(f *plan.DisplacementBlend) []parameters {
	return append([]parameters{firstParameters}, upperLayers(f.VMT)...)
}

// layerMatrix returns the matrix of a layer's texture.
func layerMatrix(v *vmt.Material, k int) [6]float64 {
	if k == 0 {
		return matrixOf(v, firstParameters.transform)
	}
	m := matrixOf(v, upperLayers(v)[k-1].transform)
	if fourWay(v) {
		m = scaledBy(m, v, fmt.Sprintf("$texture%d_uvscale", k+1), 1)
	}
	return m
}

// setSizes sets the sizes of the images: about as fine as the finest texture, in powers of two so that neighbours
// match. most is the largest side in pixels, 0 for no limit.
func setSizes(places []images.Place, textures []textureSize, most int) {
	if most <= 0 || most > bakedMost {
		most = bakedMost
	}
	most = max(most, 2) // the first and the last pixel are on the border
	side := func(length float64, power int) int {
		n := min(leastBaked<<power, 1<<bits.Len(uint(most))>>1)
		for 2*n <= most && 1.1*float64(n) < length { // a slight excess does not justify twice the size
			n *= 2
		}
		return n
	}
	for i := range places {
		p := &places[i].Picture
		x, y := 0.0, 0.0
		for _, t := range textures {
			a, b := paint.Extent(p.Displacement, t.uv, t.texels)
			x, y = max(x, a), max(y, b)
		}
		p.Width, p.Height = side(x, p.Displacement.Power), side(y, p.Displacement.Power)
	}
}

// leastBaked is the minimum number of pixels for a square of the grid: a texture may be stretched along a cliff, but
// the opacity is not.
const leastBaked = 4

// shrink halves all images until their total is within the limit.
func shrink(list []plan.DisplacementBlend) {
	for range 8 {
		sum := 0
		for i := range list {
			for k := range list[i].Terrain.Places {
				p := &list[i].Terrain.Places[k].Picture
				sum += p.Width * p.Height
			}
		}
		if sum <= bakedTotal {
			return
		}
		for i := range list {
			for k := range list[i].Terrain.Places {
				p := &list[i].Terrain.Places[k].Picture
				p.Width, p.Height = max(2, p.Width/2), max(2, p.Height/2)
			}
		}
	}
}
