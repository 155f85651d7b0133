package sourcemdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The kinds of rules of procedural bones. Bones of kind 5 (jiggle bones) are simulated by the engine; here they stay
// as animations move them.
const (
	byAxis      = 1
	byTurn      = 2
	aimsAtBone  = 3
	aimsAtPlace = 4
	maxTriggers = 32 // the engine's limit
	triggerSize = 48
	byAxisSize  = 176
	byTurnSize  = 12
	aimsSize    = 44
)

const followerCost = 256 // estimated bytes

// flagFollows is the flag of a bone that the engine always places by its rule.
const flagFollows = 0x4

// followers returns the procedural bones of a model, in order. One whose rule can't be read stays as animated, which
// is an issue.
func followers(j *decoding, f *file, bones []bone) (out []joints.ProceduralBone, err error) {
	for i := range bones {
		b := &bones[i]
		if b.flags&flagFollows == 0 || b.rule < byAxis || b.rule > aimsAtPlace || b.ruleAt == 0 {
			continue
		}
		if err := j.memory.Borrow(followerCost); err != nil {
			return nil, err
		}
		var rule joints.Rule
		var err error
		switch b.rule {
		case byAxis:
			rule, err = f.readByAxis(b, len(bones))
		case byTurn:
			rule, err = f.readByTurn(j, b, bones)
		default:
			rule, err = f.readAim(i, bones)
		}
		switch {
		case limit.Fatal(err):
			return nil, err
		case err != nil:
			j.issue("model-animation", "%v: bone %d does not follow another", err, i)
		case rule != nil:
			out = append(out, joints.ProceduralBone{Bone: i, Rule: rule})
		}
	}
	return out, nil
}

// readByAxis reads mstudioaxisinterpbone_t.
func (f *file) readByAxis(b *bone, bones int) (joints.Rule, error) {
	data, err := f.Bytes("a rule of a bone", b.ruleAt, byAxisSize)
	if err != nil {
		return nil, err
	}
	r := &joints.ByAxis{Control: int(le.Int32(data)), Axis: int(le.Int32(data[4:]))}
	if r.Control < 0 || r.Control >= bones || r.Axis < 0 || r.Axis > 2 {
		return nil, modelfile.Fault("index-range", f.What, "a rule by axis %d of bone %d", r.Axis, r.Control)
	}
	for k := range r.At {
		r.At[k] = world.Joint{Position: space.Vector64(le.Vector(data[8+12*k:])), Rotation: newQuaternion(data[80+16*k:])}
	}
	return r, nil
}

// readByTurn reads mstudioquatinterpbone_t. If the controlling bone has no parent, the engine's result is undefined;
// then the bone gets no rule and stays as animated.
func (f *file) readByTurn(j *decoding, b *bone, bones []bone) (joints.Rule, error) {
	data, err := f.Bytes("a rule of a bone", b.ruleAt, byTurnSize)
	if err != nil {
		return nil, err
	}
	control, n := int(le.Int32(data)), le.Int32(data[4:])
	if control < 0 || control >= len(bones) || n < 1 || n > maxTriggers {
		return nil, modelfile.Fault("index-range", f.What, "a rule of %d triggers by bone %d", n, control)
	}
	t, err := f.Table("triggers", n, b.ruleAt+int64(le.Int32(data[8:])), triggerSize)
	if err == nil {
		err = f.pay(int64(len(t.Data)))
	}
	if err != nil || bones[control].parent < 0 {
		return nil, err
	}
	if err := j.memory.Borrow(4 * int64(len(t.Data))); err != nil {
		return nil, err
	}
	r := &joints.ByTurn{Control: control, Triggers: make([]joints.Trigger, n)}
	for i := range r.Triggers {
		b := t.Record(i)
		r.Triggers[i] = joints.Trigger{Nearness: float64(le.Float32(b)), When: space.UnitQuaternion(newQuaternion(b[4:])),
			At: world.Joint{Position: space.Vector64(le.Vector(b[20:])), Rotation: space.UnitQuaternion(newQuaternion(b[32:]))}}
	}
	return r, nil
}

// readAim reads mstudioaimatbone_t, the rule of bone i. It points at another bone, or at an attachment.
func (f *file) readAim(i int, bones []bone) (joints.Rule, error) {
	data, err := f.Bytes("a rule of a bone", bones[i].ruleAt, aimsSize)
	if err != nil {
		return nil, err
	}
	a := &joints.Aim{Bone: i, At: int(le.Int32(data[4:])), Axis: space.Vector64(le.Vector(data[8:])),
		Up:       space.Vector64(le.Vector(data[20:])),
		Position: space.Vector64(le.Vector(data[32:])), Rest: bones[i].turn, Place: space.NewMatrix([3]float64{}, [4]float64{0, 0, 0, 1})}
	if bones[i].rule == aimsAtPlace {
		t, err := f.header("attachments", attachments, attachmentSize)
		if err != nil {
			return nil, err
		}
		if a.At < 0 || a.At >= t.Len() {
			return nil, modelfile.Fault("index-range", f.What, "attachment %d of %d", a.At, t.Len())
		}
		r := t.Record(a.At)
		a.At, a.Place = int(le.Int32(r[8:])), newMatrix(r[12:])
	}
	if a.At < 0 || a.At >= len(bones) || !modelfile.InRange(a.Axis[:]...) || !modelfile.InRange(a.Up[:]...) ||
		!modelfile.InRange(a.Position[:]...) {
		return nil, modelfile.Fault("index-range", f.What, "bone %d points at bone %d of %d", i, a.At, len(bones))
	}
	return a, nil
}
