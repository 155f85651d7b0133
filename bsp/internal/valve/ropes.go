package valve

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine simulates a rope as a chain of nodes joined by springs that only pull. It falls for five seconds before it is
// first shown. Source SDK 2013, rope_shared.h, c_rope.cpp, rope_physics.cpp, simple_physics.cpp.
const (
	ropeSlack   = -100 // units, added to the length: springs stretch, and a rope without slack should not sag much
	ropeFall    = 1500 // units per second squared
	ropeStep    = 1.0 / 50
	ropeDamping = 0.98 // factor on the speed per step
	ropeSteps   = 250
	ropePasses  = 3    // passes over the springs per step
	ropeRest    = 0.01 // movement in units per step below which the rope is at rest

	ropeTexels  = 4 // texture pixels per unit at TextureScale 1
	ropeWidth   = 2
	ropeSubdivs = 2
	maxSubdivs  = 8
	widestRope  = 256
)

// ropeNodes maps a rope's Type to its number of nodes: normal, semi-rigid, rigid.
var ropeNodes = [...]int{10, 4, 2}

// ropeShaders lists the materials of ropes that have RopeShader, a number, instead of RopeMaterial.
var ropeShaders = [...]string{"cable/cable", "cable/rope", "cable/chain"}

// ropeColor is used for a rope without its material.
var ropeColor = [3]float32{0.02, 0.02, 0.02}

// ropes decodes the ropes, each from an entity to the one that its NextKey names.
func (p *entityCollector) ropes(ctx context.Context) error {
	var names map[string]int // the first entity of each name
	for i := range p.entities {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := &p.entities[i]
		class := strings.ToLower(e.Class())
		next := entlump.Lower(strings.TrimSpace(e.Value("NextKey")))
		if class != "keyframe_rope" && class != "move_rope" || next == "" || p.later[e] {
			continue // the last of a chain
		}
		if names == nil {
			names = p.targetNames()
		}
		where := fmt.Sprintf("entity %d", i)
		from, ok := e.Vector("origin")
		end, known := names[next]
		if !known {
			p.dc.Issue("rope", where, "its NextKey is %q, but no entity has that name", next)
			continue
		}
		to, fixed := p.entities[end].Vector("origin")
		if !ok || !fixed || !record.Sane(from[:]...) || !record.Sane(to[:]...) {
			p.dc.Issue("rope", where, "one of its ends has no position")
			continue
		}
		m, err := p.materials.Add(world.Material{Name: ropeMaterial(e), Lighting: world.PerVertex, Color: ropeColor, Colored: true})
		if err != nil {
			return err
		}
		r := world.Rope{Entity: i, Material: m, Points: hang(e, from, to), Width: ropeWidth, Texels: ropeTexels}
		if s, ok := e.Float("Width"); ok && s > 0 {
			r.Width = float32(min(s, widestRope))
		}
		if s, ok := e.Float("TextureScale"); ok && s > 0 {
			r.Texels = float32(min(ropeTexels/s, 1024))
		}
		if err := p.dc.Reserve(limit.Bytes[[3]float32](len(r.Points))); err != nil {
			return err
		}
		if p.out.Ropes, err = limit.Append(p.dc.Budget, p.out.Ropes, "", r); err != nil {
			return err
		}
	}
	return nil
}

// targetNames returns the first entity of each name, by lower-case name.
func (p *entityCollector) targetNames() map[string]int {
	names := map[string]int{}
	for i := range p.entities {
		name := entlump.Lower(p.entities[i].Value("targetname"))
		if _, taken := names[name]; !taken && name != "" {
			names[name] = i
		}
	}
	return names
}

// ropeMaterial returns the name of a rope's material.
func ropeMaterial(e *world.Entity) string {
	if name := MaterialName(e.Value("RopeMaterial")); name != "" {
		return name
	}
	if n, ok := e.Float("RopeShader"); ok && n >= 0 && int(n) < len(ropeShaders) {
		return ropeShaders[int(n)]
	}
	return ropeShaders[0]
}

// hang returns the points of a rope between two positions: a smooth curve through its nodes.
func hang(e *world.Entity, from, to [3]float32) [][3]float32 {
	n, smooth := ropeNodes[0], ropeSubdivs
	if t, ok := e.Float("Type"); ok && t >= 0 && t < float64(len(ropeNodes)) {
		n = ropeNodes[int(t)]
	}
	if s, ok := e.Float("Subdiv"); ok && s >= 0 {
		smooth = int(min(s, maxSubdivs))
	}
	slack, _ := e.Float("Slack")
	dangling, _ := e.Float("Dangling")
	return curve(settle(wide(from), wide(to), n, slack, dangling != 0), smooth+1)
}

// wide converts a point to float64.
func wide(p [3]float32) [3]float64 { return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])} }

// settle returns the nodes of a rope at rest, as in the engine: the springs stretch, so even a rope that is shorter than
// its span sags. The end of a dangling rope is free.
func settle(from, to [3]float64, n int, slack float64, dangling bool) [][3]float64 {
	var way [3]float64
	sum := 0.0
	for k := range way {
		way[k] = to[k] - from[k]
		sum += float64(way[k] * way[k])
	}
	length := math.Trunc(math.Sqrt(sum)) // the engine uses whole units
	spring := math.Trunc(max(0, length+math.Trunc(min(max(slack, -1<<15), 1<<15))+ropeSlack) / float64(n-1))
	// It starts near its final shape: on a parabola of its length.
	deep := math.Sqrt(max(0, 3.0/8*length*(float64(spring*float64(n-1))-length)))
	at := make([][3]float64, n)
	for i := range at {
		t := float64(i) / float64(n-1)
		for k := range way {
			at[i][k] = from[k] + float64(way[k]*t)
		}
		at[i][2] -= float64(4 * deep * t * (1 - t))
		if dangling {
			at[i] = [3]float64{from[0], from[1], from[2] - float64(spring*float64(i))}
		}
	}
	free := n - 1
	if dangling {
		free = n
	}
	before := append([][3]float64(nil), at...)
	for step := range ropeSteps {
		moved := 0.0
		for i := 1; i < free; i++ {
			last := at[i]
			for k := range last {
				speed := last[k] - before[i][k]
				moved = max(moved, math.Abs(speed))
				at[i][k] += float64(speed * ropeDamping)
			}
			at[i][2] -= ropeFall * ropeStep * ropeStep / 2
			before[i] = last
		}
		if step > 1 && moved < ropeRest {
			return before
		}
		for range ropePasses {
			for i := 1; i < n; i++ {
				pull(&at[i-1], &at[i], spring)
			}
			at[0] = from
			if !dangling {
				at[n-1] = to
			}
		}
	}
	return at
}

// pull moves two nodes toward each other, each by half of their excess distance.
func pull(a, b *[3]float64, spring float64) {
	var way [3]float64
	sum := 0.0
	for k := range way {
		way[k] = b[k] - a[k]
		sum += float64(way[k] * way[k])
	}
	if sum <= float64(spring*spring) {
		return
	}
	part := (1 - spring/math.Sqrt(sum)) / 2
	for k := range way {
		step := float64(way[k] * part)
		a[k] += step
		b[k] -= step
	}
}

// curve returns the points of a Catmull-Rom spline through nodes, in steps from each to the next.
func curve(nodes [][3]float64, steps int) [][3]float32 {
	last := len(nodes) - 1
	node := func(i, k int) float64 { // extrapolated beyond the ends
		switch {
		case i < 0:
			return 2*nodes[0][k] - nodes[1][k]
		case i > last:
			return 2*nodes[last][k] - nodes[last-1][k]
		}
		return nodes[i][k]
	}
	out := make([][3]float32, 0, last*steps+1)
	for i := range last {
		for s := range steps {
			t := float64(s) / float64(steps)
			var p [3]float32
			for k := range p {
				a, b, c, d := node(i-1, k), node(i, k), node(i+1, k), node(i+2, k)
				cubic := float64(3*b) - float64(3*c) + d - a
				square := float64(2*a) - float64(5*b) + float64(4*c) - d
				p[k] = float32(b + float64(t*(float64(t*(float64(t*cubic)+square))+(c-a)))/2)
			}
			out = append(out, p)
		}
	}
	end := nodes[last]
	return append(out, space.Vector32(end))
}
