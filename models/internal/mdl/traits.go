package mdl

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// longestKeyValues is the most bytes of a model's key-values that are read. Those of real models have up to a few thousand.
const longestKeyValues = 64 << 10

// readTraits returns what a file says of itself to the game. What is broken is left out, which is an issue.
func readTraits(j *decoding, f *file) (*world.Traits, error) {
	out := &world.Traits{Flags: f.uint32(headerFlags), Surface: f.text(int64(f.int32(surfaceName)))}
	if m := float64(le.Float32(f.data[mass:])); sane(m) {
		out.Mass = m
	}
	if n := int64(f.int32(keyValues + 4)); n > 0 {
		text, err := f.bytes("key-values", int64(f.int32(keyValues)), min(n, longestKeyValues))
		if err != nil {
			j.note("model-traits", "%v: its key-values are left out", err)
		}
		if err := j.memory.reserve(int64(len(text))); err != nil {
			return nil, err
		}
		out.KeyValues = entlump.Text(le.String(text))
	}
	parts, err := bodyNames(f)
	if err == nil {
		err = j.memory.reserve((limit.Bytes[world.BodyPart](1) + maxVariants) * int64(len(parts)))
	}
	if fatal(err) {
		return nil, err
	}
	out.Parts = parts
	if err != nil {
		j.note("model-traits", "%v: the names of its body parts are left out", err)
	}
	return out, nil
}

// Parts returns the body parts of a file with their variants. It fails as Decode does.
func Parts(data []byte) ([]world.BodyPart, error) {
	f := &file{data: data, what: "the model"}
	if err := f.check(); err != nil {
		return nil, err
	}
	return bodyNames(f)
}

// bodyNames returns the names of body parts and their variants.
func bodyNames(f *file) (out []world.BodyPart, err error) {
	parts, err := f.header("body parts", bodyParts, partSize)
	if err == nil && parts.len() > maxParts {
		err = fault("count", f.what, "%d body parts", parts.len())
	}
	for i := 0; err == nil && i < parts.len(); i++ {
		var variants table
		if variants, err = f.variants(parts, i); err != nil {
			break
		}
		b := parts.record(i)
		p := world.BodyPart{Name: f.text(parts.offset(i) + int64(le.Int32(b))), Base: int(max(1, le.Int32(b[8:])))}
		for k := range variants.len() {
			p.Variants = append(p.Variants, entlump.Text(le.String(variants.record(k)[:64])))
		}
		out = append(out, p)
	}
	return out, err
}

// hit adds the hit boxes of all sets, if the rig wants them. Those of bones that are missing and those without volume are left out. If a
// table is broken, all are left out, which is an issue.
func (d *poses) hit(to *world.Skeleton) error {
	sets, err := d.file.header("sets of hit boxes", hitBoxSets, hitBoxSetSize)
	if err == nil {
		err = d.file.pay(int64(len(sets.data)))
	}
	var hits []world.HitBox
	for i := 0; err == nil && i < sets.len(); i++ {
		b := sets.record(i)
		var boxes table
		boxes, err = d.file.table("hit boxes", le.Int32(b[4:]), sets.offset(i)+int64(le.Int32(b[8:])), hitBoxSize)
		if err == nil {
			err = d.file.pay(int64(len(boxes.data)))
		}
		if err != nil {
			break
		}
		if err := d.decoding.memory.reserve(limit.Bytes[world.HitBox](boxes.len())); err != nil {
			return err
		}
		set := d.file.text(sets.offset(i) + int64(le.Int32(b)))
		for k := range boxes.len() {
			b, name := boxes.record(k), ""
			if at := int64(le.Int32(b[32:])); at != 0 {
				name = d.file.text(boxes.offset(k) + at)
			}
			h := world.HitBox{Name: name, Set: set, Bone: int(le.Int32(b)), Group: int(le.Int32(b[4:]))}
			h.Mins, h.Maxs = space.Vector64(vector(b[8:])), space.Vector64(vector(b[20:]))
			if h.Bone >= 0 && h.Bone < len(to.Bones) && turn.Roomy(h.Mins, h.Maxs) {
				hits = append(hits, h)
			}
		}
	}
	if err != nil {
		d.decoding.note("model-skeleton", "%v: its hit boxes are left out", err)
		return nil
	}
	to.Hits = hits
	return nil
}

const (
	eyeballTable = 100 // in a variant: the number of its eyeballs, and where they are
	eyeballSize  = 172
	mostEyeballs = 64 // of a model; real ones have two, in each variant of a head
)

// eyeballs adds the eyeballs of all variants, each place once. Those of bones that are missing and broken ones are left out. If a table is
// broken, all are left out, which is an issue.
func (d *poses) eyeballs(to *world.Skeleton) error {
	parts, err := d.file.header("body parts", bodyParts, partSize)
	seen := map[world.Eyeball]bool{}
	for i := 0; err == nil && i < parts.len(); i++ {
		var variants table
		variants, err = d.file.variants(parts, i)
		for k := 0; err == nil && k < variants.len(); k++ {
			err = d.variantEyeballs(to, seen, variants, k)
		}
	}
	if err != nil {
		to.Eyeballs = nil
		if fatal(err) {
			return err
		}
		d.decoding.note("model-skeleton", "%v: its eyeballs are left out", err)
	}
	return nil
}

// variantEyeballs adds the eyeballs of variant i that are not in seen.
func (d *poses) variantEyeballs(to *world.Skeleton, seen map[world.Eyeball]bool, variants table, i int) error {
	b := variants.record(i)
	list, err := d.file.table("eyeballs", le.Int32(b[eyeballTable:]), variants.offset(i)+int64(le.Int32(b[eyeballTable+4:])), eyeballSize)
	if err == nil {
		err = d.file.pay(int64(len(list.data)))
	}
	if err != nil {
		return err
	}
	for k := range list.len() {
		e, ok := readEyeball(list.record(k))
		if !ok || e.Bone < 0 || e.Bone >= len(to.Bones) || seen[e] || len(to.Eyeballs) >= mostEyeballs {
			continue
		}
		if err := d.decoding.memory.reserve(2 * limit.Bytes[world.Eyeball](1)); err != nil {
			return err
		}
		seen[e] = true
		to.Eyeballs = append(to.Eyeballs, e)
	}
	return nil
}

// readEyeball reads an mstudioeyeball_t. ok is false if its numbers make no eyeball. The eye looks in the file's direction, turned away
// from the nose as the engine does it for a target ahead. Source SDK 2013, public/studio.h; the engine's R_StudioEyeballPosition.
func readEyeball(b []byte) (e world.Eyeball, ok bool) {
	aside, radius, irisScale := le.Float32(b[20:]), le.Float32(b[24:]), le.Float32(b[60:])
	org, up, ahead := vector(b[8:]), vector(b[28:]), vector(b[40:])
	if !sane(org[:]...) || !sane(up[:]...) || !sane(ahead[:]...) || !sane(aside, radius, irisScale) || radius <= 0 || irisScale <= 0 {
		return e, false
	}
	forward := unit(float64(ahead[0]), float64(ahead[1]), float64(ahead[2]))
	above := [3]float64{float64(up[0]), float64(up[1]), float64(up[2])}
	right := unit(cross(forward, above))
	for k := range forward {
		forward[k] += float64(2 * float64(aside) * right[k]) // the engine adds it twice
	}
	forward = unit(forward[0], forward[1], forward[2])
	right = unit(cross(forward, above))
	x, y, z := cross(right, forward)
	m := turn.Matrix{
		{forward[0], -right[0], x, float64(org[0])},
		{forward[1], -right[1], y, float64(org[1])},
		{forward[2], -right[2], z, float64(org[2])},
	}
	e = world.Eyeball{Bone: int(le.Int32(b[4:])), Joint: m.Joint(), Radius: float64(radius), Iris: 1 / float64(irisScale)}
	return e, right != [3]float64{} && sane(e.Iris)
}

func cross(a, b [3]float64) (x, y, z float64) {
	return float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])
}

// unit returns a vector scaled to length 1, or zero.
func unit(x, y, z float64) [3]float64 {
	l := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
	if l < 1e-6 {
		return [3]float64{}
	}
	return [3]float64{x / l, y / l, z / l}
}
