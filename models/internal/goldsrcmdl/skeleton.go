package goldsrcmdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skeletonKey identifies a skeleton by the sequence and frame of its pose.
type skeletonKey struct{ sequence, frame int }

// skeletonAt returns the skeleton in the pose of values, which are those of a frame of a sequence, or nil if the rig
// wants none.
func (d *decoder) skeletonAt(v values, key skeletonKey) (*world.Skeleton, error) {
	out, have := d.rigs[key]
	if have {
		return out, nil
	}
	out, err := d.skeleton(v, key.sequence)
	if err != nil {
		return nil, err
	}
	d.rigs[key] = d.rig.Usable(out, d.decoding.Note)
	return d.rigs[key], nil
}

// skeleton returns the bones in the pose of values, and the sequences that the rig wants. shown is the sequence of
// the pose.
func (d *decoder) skeleton(v values, shown int) (*world.Skeleton, error) {
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Bone](len(v))); err != nil {
		return nil, err
	}
	out, rest := &world.Skeleton{Shown: -1}, d.matrices(d.rest())
	for i := range v {
		out.Bones = append(out.Bones, world.Bone{
			Name: entlump.Text(le.String(d.bones.Record(i)[:32])), Parent: d.parent(i), Joint: joint(v[i]), Inverse: rest[i].Inverse(),
		})
	}
	if d.rig.HitBoxes {
		if err := d.hit(out); err != nil {
			return nil, err
		}
	}
	if err := d.attach(out); err != nil {
		return nil, err
	}
	long := 0
	d.baker.Begin()
	for i := range d.sequences.Len() {
		if !d.rig.Wants(label(d.sequences.Record(i))) && !(d.rig.Shown && i == shown) {
			continue
		}
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		s, fits, err := d.sequence(i, blend{index: -1})
		switch {
		case limit.Fatal(err):
			return nil, err
		case err != nil:
			d.decoding.Note("model-sequence", "sequence %q: %v: it is left out", label(d.sequences.Record(i)), err)
		case !fits:
			long++
		default:
			if i == shown {
				out.Shown = len(out.Sequences)
			}
			out.Sequences = append(out.Sequences, s)
			if err := d.blends(out, i); err != nil {
				return nil, err
			}
		}
	}
	if long > 0 && len(d.rig.Sequences) > 0 {
		d.decoding.Note("model-sequence", "%d of its %d sequences are longer than can be made, or their file is missing: they are left out",
			long, d.sequences.Len())
	}
	return out, nil
}

// blends adds the blends of a sequence, if the rig wants them.
func (d *decoder) blends(to *world.Skeleton, i int) error {
	if !d.rig.Blends || d.rig.WithoutTracks {
		return nil
	}
	for _, b := range blends(d.sequences.Record(i)) {
		s, fits, err := d.sequence(i, b)
		switch {
		case limit.Fatal(err):
			return err
		case err != nil || !fits:
			d.decoding.Note("model-sequence", "sequence %q [%s] can't be made: it is left out", label(d.sequences.Record(i)), b.name)
		default:
			to.Sequences = append(to.Sequences, s)
		}
	}
	return nil
}

const attachmentSize = 88 // mstudioattachment_t

// attach adds the attachments, if the rig wants them. If their table is broken, all are left out, which is an issue.
func (d *decoder) attach(to *world.Skeleton) error {
	if !d.rig.Attachments {
		return nil
	}
	list, err := d.file.Table("attachments", d.file.Int32(212), int64(d.file.Int32(216)), attachmentSize)
	if err != nil {
		d.decoding.Note("model-skeleton", "%v: its attachments are left out", err)
		return nil
	}
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Attachment](list.Len())); err != nil {
		return err
	}
	for i := range list.Len() {
		b := list.Record(i)
		a := world.Attachment{Name: entlump.Text(le.String(b[:32])), Bone: int(le.Int32(b[36:])),
			Joint: world.Joint{Position: space.Vector64(le.Vector(b[40:])), Rotation: [4]float64{3: 1}}}
		if a.Bone >= 0 && a.Bone < len(to.Bones) && modelfile.InRange(a.Position[:]...) {
			to.Attachments = append(to.Attachments, a)
		}
	}
	return nil
}

// joint returns the transform of a bone by its values. Its rotation is about X, then Y, then Z.
func joint(v [6]float64) world.Joint {
	return world.Joint{Position: [3]float64(v[:3]), Rotation: space.FromAngles([3]float64(v[3:]))}
}

const (
	flagLoops = 1 // of a sequence

	sequenceCost = 256 // estimated bytes of a sequence without its tracks and events
	eventSize    = 76  // mstudioevent_t
)

// sequence returns a blend of a sequence, or its rest blend if of.index is -1; fits is false if it is left out.
func (d *decoder) sequence(i int, of blend) (out world.Sequence, fits bool, err error) {
	b := d.sequences.Record(i)
	out = world.Sequence{
		Name: label(b), Activity: activityName(le.Int32(b[40:])), Frames: max(1, int(le.Int32(b[56:]))), FPS: 30,
		Loops: le.Int32(b[36:])&flagLoops != 0, Blend: of.name,
	}
	if of.name != "" {
		out.Name += " [" + of.name + "]"
	}
	if fps := float64(le.Float32(b[32:])); fps > 1e-3 && fps < 1e4 {
		out.FPS = fps
	}
	if err := d.decoding.memory.Reserve(sequenceCost); err != nil {
		return out, false, err
	}
	if out.Events, err = d.events(b); err != nil || d.rig.WithoutTracks {
		return out, true, err
	}
	a, err := d.animation(i, of.index)
	if err != nil || a.data == nil {
		return out, false, err
	}
	read := int64(len(d.file.Data))
	for _, f := range d.groups {
		read += int64(len(f.Data))
	}
	if !d.baker.Fits(out.Frames, out.Frames*d.bones.Len(), read) {
		return out, false, nil
	}
	out.Tracks, err = d.tracks(a, out.Frames)
	return out, true, err
}

// tracks returns the tracks of a sequence.
func (d *decoder) tracks(a *animation, frames int) ([]world.Track, error) {
	places, parents := make([]world.Joint, d.bones.Len()), make([]int, d.bones.Len())
	for i := range parents {
		parents[i] = d.parent(i)
	}
	return d.baker.Tracks(parents, frames, func(k int) ([]world.Joint, error) {
		v, err := d.frame(a, k)
		for i := range v {
			if !modelfile.InRange(v[i][:]...) {
				return nil, modelfile.Fault("range", "sequences", "bone %d is at %g", i, v[i])
			}
			places[i] = joint(v[i])
		}
		return places, err
	})
}

// events returns the events of a sequence.
func (d *decoder) events(sequence []byte) (out []world.Event, err error) {
	list, err := d.file.Table("events", le.Int32(sequence[48:]), int64(le.Int32(sequence[52:])), eventSize)
	if err != nil {
		return nil, err
	}
	if err := d.decoding.memory.Reserve(3 * int64(len(list.Data))); err != nil {
		return nil, err
	}
	for i := range list.Len() {
		b := list.Record(i)
		out = append(out, world.Event{Frame: float64(le.Int32(b)), Number: int(le.Int32(b[4:])),
			Options: entlump.Text(le.String(b[12:76]))})
	}
	return out, nil
}
