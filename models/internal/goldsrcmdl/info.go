package goldsrcmdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	hitBoxSize     = 32 // mstudiobbox_t
	controllerSize = 24 // mstudiobonecontroller_t

	maxControllers  = 256 // the engine knows five numbers
	controllerWraps = 0x8000

	maxNames = 1 << 12 // variants of all body parts; the engine's compiler allows 32 parts
)

// info returns what the file tells the game. If it has too many variants of body parts, the body parts have no names.
func (d *decoder) info() (*world.ModelInfo, error) {
	out := &world.ModelInfo{Flags: uint32(d.file.Int32(136))}
	parts, err := bodyNames(d.file, d.parts)
	if err == nil {
		err = d.decoding.memory.Reserve((limit.Bytes[world.BodyPart](1) + 64) * int64(len(parts)))
	}
	if out.Parts = parts; err != nil {
		return out, err
	}
	out.BoneControllers, err = d.boneControllers()
	return out, err
}

// boneControllers returns the bone controllers. Those of missing bones and those without an axis are left out. The
// game sets all to 0 at first, within their range. If their table is broken, all are left out, which is an issue.
func (d *decoder) boneControllers() (out []world.BoneController, err error) {
	list, err := d.file.Table("bone controllers", d.file.Int32(148), int64(d.file.Int32(152)), controllerSize)
	if err == nil && list.Len() > maxControllers {
		err = modelfile.Fault("count", "bone controllers", "%d of them", list.Len())
	}
	if err != nil {
		d.decoding.Note("model-traits", "%v: its bone controllers are left out", err)
		return nil, nil
	}
	if err := d.decoding.memory.Reserve((limit.Bytes[world.BoneController](1) + 64) * int64(list.Len())); err != nil {
		return nil, err
	}
	for i := range list.Len() {
		b := list.Record(i)
		bone, kind := int(le.Int32(b)), le.Int32(b[4:])
		c := world.BoneController{Number: int(le.Int32(b[20:])), Axis: axisOf(kind), Start: le.Float32(b[8:]), End: le.Float32(b[12:]),
			Wraps: kind&controllerWraps != 0}
		if bone < 0 || bone >= d.bones.Len() || c.Axis == "" || !modelfile.InRange(float64(c.Start), float64(c.End)) {
			continue
		}
		c.Bone = entlump.Text(le.String(d.bones.Record(bone)[:32]))
		c.Rest = max(min(c.Start, c.End), min(max(c.Start, c.End), 0))
		out = append(out, c)
	}
	return out, nil
}

// Parts returns the body parts of a file with their variants. It fails as Decode does.
func Parts(data []byte) ([]world.BodyPart, error) {
	f := file{Data: data, What: "the model"}
	if err := check(&f, "IDST"); err != nil {
		return nil, err
	}
	parts, err := f.Table("body parts", f.Int32(atParts), int64(f.Int32(atParts+4)), partSize)
	if err != nil {
		return nil, err
	}
	return bodyNames(f, parts)
}

// bodyNames returns the names of body parts and their variants, or none if there are too many.
func bodyNames(f file, parts modelfile.Table) (out []world.BodyPart, err error) {
	names := 0
	for i := range parts.Len() {
		b := parts.Record(i)
		variants, err := f.Table("variants", le.Int32(b[64:]), int64(le.Int32(b[72:])), variantSize)
		if err != nil {
			return nil, err
		}
		if names += 1 + variants.Len(); names > maxNames {
			return nil, nil
		}
		p := world.BodyPart{Name: entlump.Text(le.String(b[:64])), Base: int(max(1, le.Int32(b[68:])))}
		for k := range variants.Len() {
			p.Variants = append(p.Variants, entlump.Text(le.String(variants.Record(k)[:64])))
		}
		out = append(out, p)
	}
	return out, nil
}

// hit adds the hit boxes. Those of missing bones and those without volume are left out. If their table is broken, all
// are left out, which is an issue.
func (d *decoder) hit(to *world.Skeleton) error {
	list, err := d.file.Table("hit boxes", d.file.Int32(156), int64(d.file.Int32(160)), hitBoxSize)
	if err != nil {
		d.decoding.Note("model-skeleton", "%v: its hit boxes are left out", err)
		return nil
	}
	if err := d.decoding.memory.Reserve(limit.Bytes[world.HitBox](list.Len())); err != nil {
		return err
	}
	for i := range list.Len() {
		b := list.Record(i)
		h := world.HitBox{Bone: int(le.Int32(b)), Group: int(le.Int32(b[4:])), Mins: space.Vector64(le.Vector(b[8:])),
			Maxs: space.Vector64(le.Vector(b[20:]))}
		if h.Bone >= 0 && h.Bone < len(to.Bones) && skeleton.ValidBox(h.Mins, h.Maxs) {
			to.HitBoxes = append(to.HitBoxes, h)
		}
	}
	return nil
}
