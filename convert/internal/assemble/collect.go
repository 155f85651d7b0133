package assemble

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// place is the range of jobs of a model's visible or hidden mesh.
type place struct {
	model       int
	hidden      bool
	room        room
	first, last int // of the jobs
}

// collector groups the surfaces of one model, or of one room of the world.
type collector struct {
	jobs  []job
	index map[group]int
}

// collect groups the surfaces of all models, and counts each as kept or dropped.
func (a *mesher) collect(ctx context.Context) (jobs []job, places []place, err error) {
	skipped, split := a.skippedModels(), a.splitter()
	for i := range a.w.Models {
		if i > 0 {
			split = splitter{}
		}
		seen, hidden := newCollectors(), &collector{index: map[group]int{}}
		for k := range a.w.Models[i].Surfaces {
			s := &a.w.Models[i].Surfaces[k]
			why := a.why(i, s)
			drop := ""
			switch {
			case skipped[i] != "":
				drop = skipped[i]
			case len(a.meshes[i][k].Indices) == 0:
				drop = "invalid"
			case !a.p.Output.Hidden || why == "sky":
				drop = why
			}
			a.count(i, s, drop)
			if drop != "" {
				continue
			}
			if why != "" {
				if err := a.surface(ctx, hidden, i, k, &a.meshes[i][k], false); err != nil {
					return nil, nil, err
				}
				continue
			}
			for _, part := range split.split(&a.meshes[i][k], a.own(i, k) > 0) {
				if err := a.keepPart(ctx, part.mesh, &a.meshes[i][k]); err != nil {
					return nil, nil, err
				}
				if err := a.surface(ctx, seen.of(part.room), i, k, part.mesh, true); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := limit.From(ctx).Reserve(int64(len(seen)-1) * nodeSize); err != nil {
			return nil, nil, err
		}
		for _, r := range seen.rooms() {
			c := seen[r]
			places = append(places, place{i, false, r, len(jobs), len(jobs) + len(c.jobs)})
			jobs = append(jobs, c.jobs...)
		}
		places = append(places, place{i, true, room{}, len(jobs), len(jobs) + len(hidden.jobs)})
		jobs = append(jobs, hidden.jobs...)
	}
	return jobs, places, nil
}

// collectors holds the collectors of a model's rooms.
type collectors map[room]*collector

// newCollectors returns the collector of surfaces outside of rooms.
func newCollectors() collectors { return collectors{room{}: {index: map[group]int{}}} }

// of returns the collector of a room.
func (c collectors) of(r room) *collector {
	if c[r] == nil {
		c[r] = &collector{index: map[group]int{}}
	}
	return c[r]
}

// rooms returns the existing rooms in order.
func (c collectors) rooms() []room { return slices.SortedFunc(maps.Keys(c), room.compare) }

// keepPart reserves the memory of a part that was cut from a mesh.
func (a *mesher) keepPart(ctx context.Context, m, whole *geometry.Mesh) error {
	if m == whole {
		return nil
	}
	b := limit.From(ctx)
	if err := b.Vertices(int64(len(m.Vertices))); err != nil {
		return err
	}
	return b.Reserve(meshBytes(m))
}

// surface adds surface k of model i, or a part of it, whose mesh is m: the surface, the layers of its material, cut into bands of
// opacity, and the fog on it. Hidden surfaces have neither layers nor fog.
func (a *mesher) surface(ctx context.Context, c *collector, i, k int, m *geometry.Mesh, shown bool) error {
	s := &a.w.Models[i].Surfaces[k]
	chart, own, layers := a.chart(i, s), a.own(i, k), 1
	if shown && own == 0 {
		layers += len(a.set.Materials[s.Material].Layers)
	}
	b := limit.From(ctx)
	cut := func(l look, m geometry.Mesh) error {
		if len(m.Indices) == 0 {
			return nil
		}
		a.add(c, k, part{s, chart, &m}, l)
		return b.Reserve(meshBytes(&m)) // one surface's: the next is refused
	}
	for layer := range layers {
		l := a.look(s, chart, layer)
		switch {
		case own > 0:
			l.own = own
			if err := cut(l, onGrid(m, s)); err != nil {
				return err
			}
		case layer == 0:
			a.add(c, k, part{s, chart, m}, l)
		default:
			for l.band = 1; l.band <= bands; l.band++ {
				if err := cut(l, a.band(l, m)); err != nil {
					return err
				}
			}
		}
	}
	if l, fogged, ok := a.fog(s, m); ok && shown {
		for l.band = 1; l.band <= bands; l.band++ {
			if err := cut(l, fogBand(&fogged, l.band)); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a part, of surface k, to the job of its look and skins.
func (a *mesher) add(c *collector, k int, p part, l look) {
	g := group{look: l}
	if p.surface.Skins != nil {
		g.skins = fmt.Sprint(p.surface.Skins)
	}
	n, ok := c.index[g]
	if !ok {
		n = len(c.jobs)
		c.index[g] = n
		c.jobs = append(c.jobs, job{group: g, skins: a.skins(p.surface, l)})
	}
	j := &c.jobs[n]
	j.parts = append(j.parts, p)
	if l.layer == 0 && !l.baked {
		j.spans = appendSpan(j.spans, k, p.mesh)
	}
}

// build makes the primitives of the jobs, over all cores. The scene's materials are in the order of the jobs.
func (a *mesher) build(ctx context.Context, jobs []job) ([]scene.Primitive, error) {
	if err := a.headroom(ctx, jobs); err != nil {
		return nil, err
	}
	variants := make([][]int, len(jobs))
	for i, j := range jobs {
		a.material(j.look)
		for _, l := range j.skins {
			variants[i] = append(variants[i], a.material(l))
		}
	}
	return par.Map(ctx, len(jobs), func(i int) (scene.Primitive, error) {
		p, err := a.primitive(ctx, jobs[i].look, jobs[i].parts)
		p.Variants = variants[i]
		if a.glows(jobs[i].look) || slices.ContainsFunc(jobs[i].skins, a.glows) {
			p.UV2 = p.UV // any coordinates will do for the white image
		}
		return p, err
	})
}

// placeMeshes makes meshes from the primitives and returns each model's.
func (a *mesher) placeMeshes(jobs []job, places []place, primitives []scene.Primitive) []built {
	out := make([]built, len(a.w.Models))
	for _, p := range places {
		to, name := &out[p.model].mesh, a.w.Models[p.model].Name
		if p.hidden {
			to, name = &out[p.model].hidden, name+" hidden"
		}
		if p.room != (room{}) {
			name += " " + p.room.name()
			out[p.model].rooms = append(out[p.model].rooms, builtRoom{p.room, len(a.scene.Meshes)})
			a.scene.Meshes = append(a.scene.Meshes, scene.Mesh{Name: name, Primitives: primitives[p.first:p.last]})
			continue
		}
		*to = scene.None
		if p.first == p.last {
			continue
		}
		*to = len(a.scene.Meshes)
		a.scene.Meshes = append(a.scene.Meshes, scene.Mesh{Name: name, Primitives: primitives[p.first:p.last]})
		if !p.hidden {
			for _, j := range jobs[p.first:p.last] {
				out[p.model].spans = append(out[p.model].spans, j.spans)
			}
		}
	}
	return out
}

// models builds a mesh per model, with its primitives in the order of their materials' first use.
func (a *mesher) models(ctx context.Context) ([]built, error) {
	jobs, places, err := a.collect(ctx)
	if err != nil {
		return nil, err
	}
	primitives, err := a.build(ctx, jobs)
	if err != nil {
		return nil, err
	}
	return a.placeMeshes(jobs, places, primitives), nil
}
