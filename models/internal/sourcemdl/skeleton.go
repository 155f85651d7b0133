package sourcemdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skeleton returns the model's bones in pose p, that of the given sequence, and the sequences that the rig wants.
func (d *poseBuilder) skeleton(p, sequence int, rig skeleton.Options) (*world.Skeleton, error) {
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Bone](len(d.bones))); err != nil {
		return nil, err
	}
	out := &world.Skeleton{Bones: make([]world.Bone, len(d.bones)), Shown: -1}
	for i := range d.bones {
		b := &d.bones[i]
		out.Bones[i] = world.Bone{Name: b.label, Parent: b.parent, Joint: normal(d.frames[p][i]), Inverse: b.toBone}
	}
	if rig.HitBoxes {
		if err := d.hit(out); err != nil {
			return out, err
		}
	}
	if rig.Attachments {
		if err := d.eyeballs(out); err != nil {
			return out, err
		}
	}
	if err := d.attach(out, rig); err != nil || len(rig.Sequences) == 0 && !rig.Shown {
		return out, err
	}
	if d.motion == nil {
		return out, nil // the model has no bones
	}
	if len(rig.Sequences) > 0 {
		if err := d.motion.include(); err != nil {
			return out, err
		}
	}
	var err error
	out.Sequences, out.Shown, err = d.motion.wanted(rig, sequence)
	return out, err
}

// attach adds the attachments, if the rig wants them. If one is broken, all are left out, which is an issue.
func (d *poseBuilder) attach(to *world.Skeleton, rig skeleton.Options) error {
	if !rig.Attachments {
		return nil
	}
	t, err := d.file.header("attachments", attachments, attachmentSize)
	if err == nil {
		err = d.file.pay(int64(len(t.Data)))
	}
	if err != nil {
		d.decoding.Note("model-skeleton", "%v: its attachments are left out", err)
		return nil
	}
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Attachment](t.Len())); err != nil {
		return err
	}
	for i := range t.Len() {
		b := t.Record(i)
		bone, m := int(le.Int32(b[8:])), newMatrix(b[12:])
		if a := skeleton.JointOf(&m); bone >= 0 && bone < len(to.Bones) && modelfile.InRange(a.Position[:]...) {
			to.Attachments = append(to.Attachments, world.Attachment{Name: d.file.text(t.Offset(i) + int64(le.Int32(b))), Bone: bone,
				Joint: a})
		}
	}
	return nil
}

// normal returns a joint with its rotation normalised.
func normal(j world.Joint) world.Joint {
	j.Rotation = space.UnitQuaternion(j.Rotation)
	return j
}
