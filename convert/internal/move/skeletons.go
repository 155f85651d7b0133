package move

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/place"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Skeletal is what the skeletons of models add to a scene.
type Skeletal struct {
	Nodes      []scene.Node // the joints: they follow place.Placed.Nodes
	Skins      []scene.Skin
	Worn       map[int]int // the skin of each node that has one
	Animations []scene.Animation
}

// jointSize is the approximate memory of a joint's node, including its JSON.
const jointSize = 1024

// Skeletons returns the joints, skins and sequences of the props whose models have a skeleton. Coarser levels of detail wear the skin of
// the finest. It fails if a limit is exceeded or ctx ends.
func Skeletons(ctx context.Context, w *world.World, placed *place.Placed, to axes.Axes) (out Skeletal, err error) {
	unique := names.NewNamer()
	for i := range placed.Nodes {
		unique.Node(placed.Nodes[i].Name)
	}
	out.Worn = map[int]int{}
	for i := range w.Props {
		p := &w.Props[i]
		if p.Index == world.NoModel || placed.Props[i].Node == scene.None || w.Models[p.Index].Skeleton == nil {
			continue
		}
		if p.Level > 0 {
			out.Worn[placed.Props[i].Node] = len(out.Skins) - 1
			continue
		}
		meshed := placed.Props[i].As == place.AsMesh // a file of sequences has bones alone
		s := w.Models[p.Index].Skeleton
		if err := limit.From(ctx).Reserve(jointSize * int64(len(s.Bones)+len(s.Attached))); err != nil {
			return out, err
		}
		first := len(placed.Nodes) + len(out.Nodes)
		joints, skin := rig(s.Bones, first, unique, to)
		skin.Name = placed.Nodes[placed.Props[i].Node].Name
		out.Nodes = append(append(out.Nodes, joints...), attached(s.Attached, first, unique, to)...)
		if meshed {
			out.Worn[placed.Props[i].Node] = len(out.Skins)
			out.Skins = append(out.Skins, skin)
		}
		animations, err := sequences(ctx, s, first, to)
		if err != nil {
			return out, err
		}
		out.Animations = append(out.Animations, animations...)
	}
	return out, nil
}

// rig returns the nodes of bones, of which the first has a given index, and the skin of these joints.
func rig(bones []world.Bone, first int, unique *names.Namer, to axes.Axes) (nodes []scene.Node, skin scene.Skin) {
	for i := range bones {
		b := &bones[i]
		n := scene.NewNode(unique.Node(b.Name), 0)
		if b.Parent >= 0 {
			n.Parent = first + b.Parent
		}
		if n.Name != b.Name && b.Name != "" {
			n.Extras = map[string]any{"bone": b.Name}
		}
		n.Translation, n.Rotation = to.Point64(b.Position), turned(b.Turn)
		nodes = append(nodes, n)
		skin.Joints = append(skin.Joints, first+i)
		skin.Inverse = append(skin.Inverse, inverse(&b.Inverse, to.Unit))
	}
	return nodes, skin
}

// attached returns the nodes of attachments, below the joints of which the first has a given index.
func attached(list []world.Attachment, first int, unique *names.Namer, to axes.Axes) (nodes []scene.Node) {
	for i := range list {
		a := &list[i]
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("attachment_%d", i)
		}
		n := scene.NewNode(unique.Node(name), first+a.Bone)
		n.Extras = map[string]any{"attachment": name}
		n.Translation, n.Rotation = to.Point64(a.Position), turned(a.Turn)
		nodes = append(nodes, n)
	}
	return nodes
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

// reel makes the animations of a skeleton.
type reel struct {
	first        int // the node of the first bone
	to           axes.Axes
	times        map[string][]float32   // by frames and speed
	still        map[any]*scene.Channel // channels of one key, by their value
	bones        []world.Bone
	moves, turns []bool // by bone: whether any sequence changes its position, or its rotation
}

// sequences returns the animations of a skeleton, of which the first bone has a given node.
func sequences(ctx context.Context, s *world.Skeleton, first int, to axes.Axes) (out []scene.Animation, err error) {
	r := &reel{
		first: first, to: to, times: map[string][]float32{}, still: map[any]*scene.Channel{}, bones: s.Bones,
		moves: make([]bool, len(s.Bones)), turns: make([]bool, len(s.Bones)),
	}
	for i := range s.Sequences {
		for k := range s.Sequences[i].Tracks {
			t := &s.Sequences[i].Tracks[k]
			r.moves[k] = r.moves[k] || len(t.Positions) > 1 || apart(t.Positions[0][:], s.Bones[k].Position[:])
			r.turns[k] = r.turns[k] || len(t.Turns) > 1 || apart(t.Turns[0][:], s.Bones[k].Turn[:])
		}
	}
	unique := names.NewNamer()
	for i := range s.Sequences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q := &s.Sequences[i]
		a := scene.Animation{Name: unique.Material(q.Name), Extras: about(q)}
		size := int64(0)
		for k := range q.Tracks {
			t := &q.Tracks[k]
			size += 28*int64(len(t.Positions)+len(t.Turns)) + 2*jointSize
			a.Channels = append(a.Channels, r.channels(k, t, q.FPS)...)
		}
		if err := limit.From(ctx).Reserve(size); err != nil {
			return nil, err
		}
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
func (r *reel) channels(bone int, t *world.Track, fps float64) (out []scene.Channel) {
	node := r.first + bone
	if r.moves[bone] {
		c := scene.Channel{Times: r.timesOf(t.PositionFrames, fps)}
		for _, p := range t.Positions {
			c.Translations = append(c.Translations, r.to.Point(p))
		}
		if len(t.Positions) == 1 {
			c = r.shared(c.Translations[0], c)
		}
		c.Node = node
		out = append(out, c)
	}
	if r.turns[bone] {
		c := scene.Channel{Times: r.timesOf(t.TurnFrames, fps)}
		for _, q := range t.Turns {
			c.Rotations = append(c.Rotations, turned(q))
		}
		if len(t.Turns) == 1 {
			c = r.shared(c.Rotations[0], c)
		}
		c.Node = node
		out = append(out, c)
	}
	return out
}

// shared returns the channel with the same single key that came first.
func (r *reel) shared(key any, c scene.Channel) scene.Channel {
	if r.still[key] == nil {
		r.still[key] = &c
	}
	return *r.still[key]
}

// timesOf returns the times of frames. Tracks of the same frames share them.
func (r *reel) timesOf(frames []int, fps float64) []float32 {
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
