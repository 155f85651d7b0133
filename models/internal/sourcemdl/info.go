package sourcemdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// longestKeyValues is the most bytes of a model's key-values that are read. Real ones have up to a few thousand.
const longestKeyValues = 64 << 10

// readInfo returns what the file tells the game. Broken data is left out, which is an issue.
func readInfo(j *decoding, f *file) (*world.ModelInfo, error) {
	out := &world.ModelInfo{Flags: f.uint32(headerFlags), Surface: f.text(int64(f.Int32(surfaceName)))}
	if m := float64(le.Float32(f.Data[mass:])); modelfile.InRange(m) {
		out.Mass = m
	}
	if n := int64(f.Int32(keyValues + 4)); n > 0 {
		text, err := f.Bytes("key-values", int64(f.Int32(keyValues)), min(n, longestKeyValues))
		if err != nil {
			j.Note("model-traits", "%v: its key-values are left out", err)
		}
		if err := j.memory.Reserve(int64(len(text))); err != nil {
			return nil, err
		}
		out.KeyValues = entlump.Text(le.String(text))
	}
	parts, err := bodyNames(f)
	if err == nil {
		err = j.memory.Reserve((limit.Bytes[world.BodyPart](1) + maxVariants) * int64(len(parts)))
	}
	if limit.Fatal(err) {
		return nil, err
	}
	out.Parts = parts
	if err != nil {
		j.Note("model-traits", "%v: the names of its body parts are left out", err)
	}
	return out, nil
}

// Parts returns the body parts of a file with their variants. It fails as Decode does.
func Parts(data []byte) ([]world.BodyPart, error) {
	f := &file{File: modelfile.File{Data: data, What: "the model"}}
	if err := f.check(); err != nil {
		return nil, err
	}
	return bodyNames(f)
}

// bodyNames returns the names of body parts and their variants.
func bodyNames(f *file) (out []world.BodyPart, err error) {
	parts, err := f.header("body parts", bodyParts, partSize)
	if err == nil && parts.Len() > maxParts {
		err = modelfile.Fault("count", f.What, "%d body parts", parts.Len())
	}
	for i := 0; err == nil && i < parts.Len(); i++ {
		var variants modelfile.Table
		if variants, err = f.variants(parts, i); err != nil {
			break
		}
		b := parts.Record(i)
		p := world.BodyPart{Name: f.text(parts.Offset(i) + int64(le.Int32(b))), Base: int(max(1, le.Int32(b[8:])))}
		for k := range variants.Len() {
			p.Variants = append(p.Variants, entlump.Text(le.String(variants.Record(k)[:64])))
		}
		out = append(out, p)
	}
	return out, err
}

// hit adds the hit boxes of all sets, if the rig wants them. Those of missing bones and those without volume are left
// out. If a table is broken, all are left out, which is an issue.
func (d *poseBuilder) hit(to *world.Skeleton) error {
	sets, err := d.file.header("sets of hit boxes", hitBoxSets, hitBoxSetSize)
	if err == nil {
		err = d.file.pay(int64(len(sets.Data)))
	}
	var hits []world.HitBox
	for i := 0; err == nil && i < sets.Len(); i++ {
		b := sets.Record(i)
		var boxes modelfile.Table
		boxes, err = d.file.Table("hit boxes", le.Int32(b[4:]), sets.Offset(i)+int64(le.Int32(b[8:])), hitBoxSize)
		if err == nil {
			err = d.file.pay(int64(len(boxes.Data)))
		}
		if err != nil {
			break
		}
		if err := d.decoding.memory.Reserve(limit.Bytes[world.HitBox](boxes.Len())); err != nil {
			return err
		}
		set := d.file.text(sets.Offset(i) + int64(le.Int32(b)))
		for k := range boxes.Len() {
			b, name := boxes.Record(k), ""
			if at := int64(le.Int32(b[32:])); at != 0 {
				name = d.file.text(boxes.Offset(k) + at)
			}
			h := world.HitBox{Name: name, Set: set, Bone: int(le.Int32(b)), Group: int(le.Int32(b[4:]))}
			h.Mins, h.Maxs = space.Vector64(le.Vector(b[8:])), space.Vector64(le.Vector(b[20:]))
			if h.Bone >= 0 && h.Bone < len(to.Bones) && skeleton.ValidBox(h.Mins, h.Maxs) {
				hits = append(hits, h)
			}
		}
	}
	if err != nil {
		d.decoding.Note("model-skeleton", "%v: its hit boxes are left out", err)
		return nil
	}
	to.HitBoxes = hits
	return nil
}
