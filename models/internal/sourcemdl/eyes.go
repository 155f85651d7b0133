package sourcemdl

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxEyeballs is the most eyeballs of a model that are used. Real heads have two in each variant.
const maxEyeballs = 64

// eyeballs adds the eyeballs of all variants, without duplicates. Broken ones and those of missing bones are left
// out. If a table is broken, all are left out, which is an issue.
func (d *poseBuilder) eyeballs(to *world.Skeleton) error {
	parts, err := d.file.header("body parts", bodyParts, partSize)
	seen := map[world.Eyeball]bool{}
	for i := 0; err == nil && i < parts.Len(); i++ {
		var variants modelfile.Table
		variants, err = d.file.variants(parts, i)
		for k := 0; err == nil && k < variants.Len(); k++ {
			err = d.variantEyeballs(to, seen, variants, k)
		}
	}
	if err != nil {
		to.Eyeballs = nil
		if limit.Fatal(err) {
			return err
		}
		d.decoding.Note("model-skeleton", "%v: its eyeballs are left out", err)
	}
	return nil
}

// variantEyeballs adds the eyeballs of variant i, and adds them to seen.
func (d *poseBuilder) variantEyeballs(to *world.Skeleton, seen map[world.Eyeball]bool, variants modelfile.Table, i int) error {
	b := variants.Record(i)
	list, err := d.file.Table("eyeballs", le.Int32(b[eyeballTable:]), variants.Offset(i)+int64(le.Int32(b[eyeballTable+4:])), eyeballSize)
	if err == nil {
		err = d.file.pay(int64(len(list.Data)))
	}
	if err != nil {
		return err
	}
	for k := range list.Len() {
		e, ok := readEyeball(list.Record(k), d.behind[list.Offset(k)])
		if !ok || e.Bone < 0 || e.Bone >= len(to.Bones) || seen[e] || len(to.Eyeballs) >= maxEyeballs {
			continue
		}
		if err := d.decoding.memory.Reserve(2 * limit.Bytes[world.Eyeball](1)); err != nil {
			return err
		}
		seen[e] = true
		to.Eyeballs = append(to.Eyeballs, e)
	}
	return nil
}

// readEyeball reads an mstudioeyeball_t. ok is false if its numbers are not usable. The eye looks in the file's
// direction, or in the opposite one if behind is set, and is turned away from the nose as the engine does for a
// target ahead. 45 of the 76 pairs of eyes of a mod's characters are stored looking backwards; the engine never reads
// that. Source SDK 2013, public/studio.h; the engine's R_StudioEyeballPosition.
func readEyeball(b []byte, behind bool) (e world.Eyeball, ok bool) {
	m, irisScale, ok := eyeAxes(b, behind)
	if !ok {
		return e, false
	}
	e = world.Eyeball{Bone: int(le.Int32(b[4:])), Joint: skeleton.JointOf(&m), Radius: float64(le.Float32(b[24:])), Iris: 1 / irisScale}
	return e, modelfile.InRange(e.Iris)
}

// eyeAxes returns the matrix of an eye relative to its bone (axes forward, left and up, and the centre), and how many
// widths of its iris image fit in a map unit.
func eyeAxes(b []byte, behind bool) (m space.Matrix, irisScale float64, ok bool) {
	aside, radius, scale := le.Float32(b[20:]), le.Float32(b[24:]), le.Float32(b[60:])
	org, up, ahead := le.Vector(b[8:]), le.Vector(b[28:]), le.Vector(b[40:])
	if !modelfile.InRange(org[:]...) || !modelfile.InRange(up[:]...) || !modelfile.InRange(ahead[:]...) ||
		!modelfile.InRange(aside, radius, scale) ||
		radius <= 0 || scale <= 0 {
		return m, 0, false
	}
	forward := unit(space.Vector64(ahead))
	if behind {
		forward = [3]float64{-forward[0], -forward[1], -forward[2]}
	}
	above := space.Vector64(up)
	right := unit(space.Cross(forward, above))
	for k := range forward {
		forward[k] += float64(2 * float64(aside) * right[k]) // twice, as the engine adds it
	}
	forward = unit(forward)
	right = unit(space.Cross(forward, above))
	upward := space.Cross(right, forward)
	m = space.Matrix{
		{forward[0], -right[0], upward[0], float64(org[0])},
		{forward[1], -right[1], upward[1], float64(org[1])},
		{forward[2], -right[2], upward[2], float64(org[2])},
	}
	return m, float64(scale), right != [3]float64{}
}

// unit returns a vector scaled to length 1, or zero.
func unit(v [3]float64) [3]float64 {
	u, l := space.Direction(v)
	if l < 1e-6 {
		return [3]float64{}
	}
	return u
}

// findIrises sets the irises of the meshes that are eyes, and returns the offsets of the eyeballs whose stored
// direction points away from their mesh. An iris fills a square across the eye's direction, projected onto the ball;
// its right is the eye's left. The engine's R_StudioEyeballPosition; Source SDK 2013, eyes_vs20.fxc.
func findIrises(f *file, b *body, bones []bone) (behind map[int64]bool) {
	behind = map[int64]bool{}
	for i := range b.parts {
		for _, v := range b.parts[i].variants {
			for k := range v.meshes {
				m := &v.meshes[k]
				if m.eyeball == 0 {
					continue
				}
				record := f.Data[m.eyeball:][:eyeballSize]
				of := int(le.Int32(record[4:]))
				axes, scale, ok := eyeAxes(record, false)
				if !ok || of < 0 || of >= len(bones) {
					continue
				}
				if away(f, b, m, bones[of].toBone, axes) {
					behind[m.eyeball] = true
					axes, _, _ = eyeAxes(record, true)
				}
				m.iris = newIris(bones[of].toBone, axes, scale)
			}
		}
	}
	return behind
}

// enough is how many vertices of an eye are tested to locate its mesh. Real eyes have 13 to 20.
const enough = 256

// away reports whether the vertices of an eye's mesh are behind the eye.
func away(f *file, b *body, m *mesh, toBone, axes space.Matrix) bool {
	sum := 0.0
	if m.first < 0 || m.first > b.vertices.count {
		return false
	}
	n := min(int(le.Int32(f.Data[m.record+8:])), b.vertices.count-m.first, enough)
	for i := range max(0, n) {
		at := space.Vector64(b.vertices.vertex(m.first + i).position)
		for k := range 3 {
			x := toBone[k][3] - axes[k][3]
			for j := range 3 {
				x += float64(toBone[k][j] * at[j])
			}
			sum += float64(x * axes[k][0])
		}
	}
	return sum < 0
}

// newIris returns the projection of an eye's stored vertices onto its iris image.
func newIris(toBone, axes space.Matrix, scale float64) *iris {
	out := &iris{}
	for row, axis := range []int{1, 2} { // left, up
		sign := 1.0
		if axis == 2 {
			sign = -1
		}
		out[row][3] = 0.5
		for k := range 3 {
			factor := float64(sign * scale * axes[k][axis])
			for j := range 3 {
				out[row][j] += float64(factor * toBone[k][j])
			}
			out[row][3] += float64(factor * (toBone[k][3] - axes[k][3]))
		}
	}
	return out
}

// above is the distance of the iris in front of the eye, in map units: small enough to show no gap, large enough not
// to flicker.
const above = 0.008

// irisOf returns the shape of a mesh's iris, given the mesh's own shape: the same triangles slightly in front, with
// UVs for the iris image.
func (d *shapes) irisOf(m *mesh, of shape) (out shape, err error) {
	if have, ok := d.irises[of.triangles]; ok {
		return have, nil
	}
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Vertex](len(of.triangles.Vertices))); err != nil {
		return out, err
	}
	t := *of.triangles
	out = shape{&t, of.mins, of.maxs}
	t.Vertices = slices.Clone(t.Vertices)
	n := 0
	for i := range m.groups {
		g := &m.groups[i]
		for k := range g.vertices.Len() {
			at := space.Vector64(d.vertices.vertex(m.first + index16(g.vertices.Record(k)[4:])).position)
			v := &t.Vertices[n]
			for row := range m.iris {
				x := m.iris[row][3]
				for j := range 3 {
					x += float64(m.iris[row][j] * at[j])
				}
				v.UV[row] = float32(x)
			}
			for j := range 3 {
				v.Position[j] += float32(above * float64(v.Normal[j]))
			}
			space.Extend(&out.mins, &out.maxs, v.Position)
			if n++; !modelfile.InRange(v.UV[:]...) {
				v.UV = [2]float32{}
			}
		}
	}
	d.irises[of.triangles] = out
	return out, nil
}
