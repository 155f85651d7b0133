package animation

import (
	"context"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/same"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// SceneSkeletons is what the skeletons of models add to a scene.
type SceneSkeletons struct {
	Nodes      []scene.Node // the joints: they follow nodes.Placed.Nodes
	Skins      []scene.Skin
	NodeSkins  map[int]int // the skin of each node that has one
	Animations []scene.Animation
	Plays      []Played // what plays when the map starts
}

// jointSize is the approximate memory of a joint's node, including its JSON.
const jointSize = 1024

// skeletonBuilder adds the skeletons of props to a scene.
type skeletonBuilder struct {
	to     axes.Axes
	unique *names.Namer
	made   map[*world.Skeleton]*sharedSkeleton
	out    SceneSkeletons
}

// sharedSkeleton is what the props of one skeleton share.
type sharedSkeleton struct {
	inverse    [][4][4]float32
	animations []scene.Animation // of joints numbered from 0
	first      int               // of the Animations; those of further props are added to them
	name       string            // of the model, if the map has others
	start      *clip             // or nil
	last       scene.Skin        // of the last prop of a model by itself
	skin       int               // the index of that skin, or scene.None while no node has it
}

// Skeletons returns the joints, skins and sequences of the props whose models have a skeleton. The props of a map stand at their nodes,
// and props of one model move in its animations together. Coarser levels of detail have the skin of the finest. It fails if a limit is
// exceeded or ctx ends.
func Skeletons(ctx context.Context, w *world.World, placed *nodes.Placed, to axes.Axes) (SceneSkeletons, error) {
	r := &skeletonBuilder{
		to: to, unique: names.NewNamer(), made: map[*world.Skeleton]*sharedSkeleton{}, out: SceneSkeletons{NodeSkins: map[int]int{}},
	}
	for i := range placed.Nodes {
		r.unique.Node(placed.Nodes[i].Name)
	}
	titles := names.NewNamer()
	for i := range w.Props {
		p, at := &w.Props[i], &placed.Props[i]
		if p.Index == world.NoModel || at.Node == scene.None || w.Models[p.Index].Skeleton == nil {
			continue
		}
		if p.Level > 0 {
			r.out.NodeSkins[at.Node] = len(r.out.Skins) - 1
			continue
		}
		if p.Kind != world.FileProp && at.Skin == scene.None {
			continue // none of it is drawn
		}
		s := w.Models[p.Index].Skeleton
		if p.Appearance.Group != nil {
			if shared := r.made[s]; shared != nil && at.Skin != scene.None {
				r.out.NodeSkins[at.Skin] = r.skinOf(shared)
			}
			continue
		}
		if err := limit.From(ctx).Reserve(jointSize * int64(len(s.Bones)+len(s.Attachments)+len(s.HitBoxes)+len(s.Eyeballs))); err != nil {
			return r.out, err
		}
		shared := r.made[s]
		if shared == nil {
			shared = &sharedSkeleton{first: len(r.out.Animations), skin: scene.None}
			if r.made[s] = shared; p.Kind != world.FileProp {
				shared.name = path.Base(p.Model) + " "
			}
			if err := r.build(ctx, shared, s, p); err != nil {
				return r.out, err
			}
			for _, a := range shared.animations {
				r.out.Animations = append(r.out.Animations, scene.Animation{Name: titles.Material(shared.name + a.Name), Extras: a.Extras})
			}
		}
		r.addProp(shared, s, p, placed, i)
	}
	return r.out, nil
}

// build makes what the props of a skeleton share.
func (r *skeletonBuilder) build(ctx context.Context, shared *sharedSkeleton, s *world.Skeleton, p *world.Prop) (err error) {
	for i := range s.Bones {
		shared.inverse = append(shared.inverse, inverse(&s.Bones[i].Inverse, r.to.Unit))
	}
	list := newSequenceBuilder(s, r.to)
	if s.Shown >= 0 && p.Appearance.Plays != world.Still {
		q := &s.Sequences[s.Shown]
		shared.start = &clip{
			channels: list.sequence(q), seconds: float64(q.Frames-1) / q.FPS / rateOf(p), once: p.Appearance.Plays == world.Once &&
				!q.Loops,
		}
		shared.start.slow(rateOf(p))
	}
	if p.Kind != world.FileProp && len(s.Sequences) == 1 && shared.start != nil {
		return nil // it plays in the animation of the start
	}
	shared.animations, err = sequences(ctx, s, list)
	return err
}

// addProp adds the joints of prop i below its node, its skin, and its part in the animations.
func (r *skeletonBuilder) addProp(shared *sharedSkeleton, s *world.Skeleton, p *world.Prop, placed *nodes.Placed, i int) {
	at, parent := &placed.Props[i], 0
	if p.Kind != world.FileProp {
		parent = at.Node
	}
	first := len(placed.Nodes) + len(r.out.Nodes)
	skin := scene.Skin{Name: placed.Nodes[at.Node].Name, Inverse: shared.inverse}
	for k := range s.Bones {
		r.out.Nodes = append(r.out.Nodes, r.joint(&s.Bones[k], first, parent))
		skin.Joints = append(skin.Joints, first+k)
	}
	r.out.Nodes = append(r.out.Nodes, attached(s.Attachments, first, r.unique, r.to)...)
	r.out.Nodes = append(r.out.Nodes, hit(s, first, r.unique, r.to)...)
	r.out.Nodes = append(r.out.Nodes, eyes(s.Eyeballs, first, r.unique, r.to)...)
	shared.last, shared.skin = skin, scene.None
	if at.As == nodes.AsMesh { // a file of sequences has bones alone
		r.out.NodeSkins[at.Skin] = r.skinOf(shared)
	}
	for k := range shared.animations {
		a, channels := &r.out.Animations[shared.first+k], shared.animations[k].Channels
		if p.Kind != world.FileProp {
			a.Channels = append(a.Channels, moved(channels, first)...)
			continue
		}
		for c := range channels { // nothing else has them
			channels[c].Node += first
		}
		a.Channels, shared.animations[k].Channels = channels, nil
	}
	if shared.start != nil {
		r.out.Plays = append(r.out.Plays, Played{shared.start, first})
	}
}

// skinOf returns the index of the last skin of a skeleton, which it adds if no node has it yet.
func (r *skeletonBuilder) skinOf(shared *sharedSkeleton) int {
	if shared.skin == scene.None {
		shared.skin = len(r.out.Skins)
		r.out.Skins = append(r.out.Skins, shared.last)
	}
	return shared.skin
}

// joint returns the node of a bone. first is the node of the first bone, parent the node for bones without a parent.
func (r *skeletonBuilder) joint(b *world.Bone, first, parent int) scene.Node {
	n := scene.NewNode(r.unique.Node(b.Name), parent)
	if b.Parent >= 0 {
		n.Parent = first + b.Parent
	}
	if n.Name != b.Name && b.Name != "" {
		n.Extras = map[string]any{"bone": b.Name}
	}
	n.Translation, n.Rotation = r.to.Point64(b.Position), turned(b.Rotation)
	return n
}

// turned returns a rotation in the scene's axes.
func turned[T float32 | float64](q [4]T) [4]T { return [4]T{q[0], q[2], 0 - q[1], q[3]} }

// inverse returns a matrix between the map's axes as one between the scene's.
func inverse(m *[3][4]float64, unit float64) (out [4][4]float32) {
	rows := [3][4]float64{m[0], m[2], {-m[1][0], -m[1][1], -m[1][2], -m[1][3]}}
	for i, r := range rows {
		for k, x := range [4]float64{r[0], r[2], -r[1], float64(r[3] * unit)} {
			out[i][k] = float32(x) + 0 // + 0 turns -0 into 0
		}
	}
	out[3][3] = 1
	return out
}

// sequenceBuilder makes the animations of a skeleton, of which the joints are numbered from 0.
type sequenceBuilder struct {
	to           axes.Axes
	times        map[string][]float32                 // by frames and speed
	positions    *same.Values[struct{}, [][3]float32] // each list of keys once: many sequences may have the same
	rotations    *same.Values[struct{}, [][4]float32]
	moves, turns []bool // by bone: whether any sequence changes its position, or its rotation
}

func newSequenceBuilder(s *world.Skeleton, to axes.Axes) *sequenceBuilder {
	r := &sequenceBuilder{
		to: to, times: map[string][]float32{}, moves: make([]bool, len(s.Bones)), turns: make([]bool, len(s.Bones)),
		positions: same.New[struct{}](hashKeys[[3]float32], slices.Equal[[][3]float32]),
		rotations: same.New[struct{}](hashKeys[[4]float32], slices.Equal[[][4]float32]),
	}
	for i := range s.Sequences {
		for k := range s.Sequences[i].Tracks {
			t := &s.Sequences[i].Tracks[k]
			r.moves[k] = r.moves[k] || len(t.Positions) > 1 || apart(t.Positions[0][:], s.Bones[k].Position[:])
			r.turns[k] = r.turns[k] || len(t.Rotations) > 1 || apart(t.Rotations[0][:], s.Bones[k].Rotation[:])
		}
	}
	return r
}

// sequence returns the channels of a sequence.
func (r *sequenceBuilder) sequence(q *world.Sequence) (out []scene.Channel) {
	for k := range q.Tracks {
		out = append(out, r.channels(k, &q.Tracks[k], q.FPS)...)
	}
	return out
}

// held returns the channels of a sequence, which last as long as it does: if nothing moves up to its end, one of them has a second key
// there. A sequence that moves no bone has a channel of the first one, so that glTF can name it.
func (r *sequenceBuilder) held(s *world.Skeleton, q *world.Sequence) []scene.Channel {
	out, last := r.sequence(q), float32(0)
	for i := range out {
		last = max(last, out[i].Times[len(out[i].Times)-1])
	}
	if len(out) == 0 {
		if len(s.Bones) == 0 {
			return nil
		}
		at := s.Bones[0].Position
		stands := r.to.Point(space.Vector32(at))
		out = []scene.Channel{{Times: []float32{0}, Translations: [][3]float32{stands}}}
	}
	if end := float32(float64(q.Frames-1) / q.FPS); q.FPS > 0 && end > last+instant {
		c := &out[0]
		c.Times = append(slices.Clip(c.Times), end)
		if c.Rotations != nil {
			c.Rotations = append(slices.Clip(c.Rotations), c.Rotations[len(c.Rotations)-1])
		} else {
			c.Translations = append(slices.Clip(c.Translations), c.Translations[len(c.Translations)-1])
		}
	}
	return out
}

// sequences returns the animations of a skeleton.
func sequences(ctx context.Context, s *world.Skeleton, r *sequenceBuilder) (out []scene.Animation, err error) {
	unique := names.NewNamer()
	for i := range s.Sequences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, size := &s.Sequences[i], int64(0)
		for k := range q.Tracks {
			size += 28*int64(len(q.Tracks[k].Positions)+len(q.Tracks[k].Rotations)) + 2*jointSize
		}
		if err := limit.From(ctx).Reserve(size); err != nil {
			return nil, err
		}
		a := scene.Animation{Name: unique.Material(q.Name), Extras: about(q), Channels: r.held(s, q)}
		if len(a.Channels) > 0 {
			out = append(out, a)
		}
	}
	return out, nil
}

// apart reports whether a key differs from where a bone stands.
func apart(key []float32, stands []float64) bool {
	const near = 1e-5
	for i := range key {
		if d := float64(key[i]) - stands[i]; !(d < near && d > -near) {
			return true
		}
	}
	return false
}

// channels returns the channels of a bone: for its position and its rotation, unless no sequence changes them.
func (r *sequenceBuilder) channels(bone int, t *world.Track, fps float64) (out []scene.Channel) {
	if r.moves[bone] {
		c := scene.Channel{Times: r.timesOf(t.PositionFrames, fps)}
		for _, p := range t.Positions {
			c.Translations = append(c.Translations, r.to.Point(p))
		}
		c.Translations, _ = r.positions.Add(struct{}{}, c.Translations)
		c.Node = bone
		out = append(out, c)
	}
	if r.turns[bone] {
		c := scene.Channel{Times: r.timesOf(t.RotationFrames, fps)}
		for _, q := range t.Rotations {
			c.Rotations = append(c.Rotations, turned(q))
		}
		c.Rotations, _ = r.rotations.Add(struct{}{}, c.Rotations)
		c.Node = bone
		out = append(out, c)
	}
	return out
}

func hashKeys[T comparable](h *maphash.Hash, keys []T) {
	for _, k := range keys {
		maphash.WriteComparable(h, k)
	}
}

// timesOf returns the times of frames. Tracks of the same frames share them.
func (r *sequenceBuilder) timesOf(frames []int, fps float64) []float32 {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString(strconv.Itoa(f))
		b.WriteByte(' ')
	}
	if len(frames) > 1 {
		fmt.Fprint(&b, fps)
	}
	out, ok := r.times[b.String()]
	if !ok {
		for _, f := range frames {
			out = append(out, float32(float64(f)/fps))
		}
		r.times[b.String()] = out
	}
	return out
}

// about returns the extras of a sequence's animation. Each event is its frame, its number or name, and its options.
func about(s *world.Sequence) map[string]any {
	out := map[string]any{"fps": s.FPS, "frames": float64(s.Frames), "loops": s.Loops}
	if s.Activity != "" {
		out["activity"] = s.Activity
	}
	if s.Blend != "" {
		out["blend"] = s.Blend
	}
	var events []string
	for _, e := range s.Events {
		what := strconv.Itoa(e.Number)
		if e.Name != "" {
			what = e.Name
		}
		events = append(events, strings.TrimSpace(fmt.Sprintf("%g %s %s", e.Frame, what, e.Options)))
	}
	if len(events) > 0 {
		out["events"] = strings.Join(events, "; ")
	}
	return out
}
