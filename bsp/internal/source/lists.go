package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
)

// lists holds the lumps whose layout depends on the variant, each in the layout that fits.
type lists struct {
	faces                   record.List[face]
	texinfos                record.List[texinfo]
	models                  record.List[valve.Model]
	edges                   record.List[record.Edge]
	nodes                   record.List[node]
	leafs                   record.List[leaf]
	leafFaces, leafBrushes  record.List[int]
	sides                   record.List[brushSide]
	disps                   record.List[dispinfo]
	normalIndices           record.List[int]
	primitives              record.List[primitive]
	primIndices             record.List[int]
	waters                  record.List[waterBody]
	overlays, waterOverlays record.List[overlay]
	ambient                 record.List[ambientIndex]
	lamps                   record.List[valve.Lamp]

	used []layoutUse // in order of choice
}

// layoutUse is the layout of a lump that is not empty.
type layoutUse struct{ lump, size int }

// layoutScore rates how well a variant fits a map.
type layoutScore struct {
	ctx   context.Context
	m     *file
	score int
	used  []layoutUse
}

// choose selects the best fitting layout of a lump.
func choose[T any](t *layoutScore, lump int, rows []record.Layout[T], fits func(i, n int, record T) bool) record.List[T] {
	l := t.m.lumps[lump]
	var best record.List[T]
	top := -1
	for _, r := range rows {
		this := record.List[T]{Layout: r, Lump: l}
		score := 2 * this.Score(t.ctx, fits)
		if r.Version == t.m.entries[lump].version {
			score++
		}
		if score > top {
			best, top = this, score
		}
	}
	t.score += top / 2
	if len(l.Data) > 0 {
		t.used = append(t.used, layoutUse{lump, best.Size})
	}
	return best
}

// in reports whether count records from first lie within of records.
func in(first, count, of int) bool {
	return first >= 0 && count >= 0 && count <= of && first <= of-count
}

// try reads the map's lumps in a variant's layouts and scores the fit: the sum over all lumps of the share of plausible
// records. The score is negative if the map can't be of the variant.
func (m *file) try(ctx context.Context, v *variant) (l lists, score int) {
	t := &layoutScore{ctx: ctx, m: m}
	if v.mark != nil {
		if !v.mark(m) {
			return l, -1
		}
		t.score += record.All
	}
	records := func(lump int) int { return len(m.lumps[lump].Data) / lumps[lump].size }
	planes, texdatas, vertices, surfedges := records(lumpPlanes), records(lumpTexdata), records(lumpVertices), records(lumpSurfedges)
	l.texinfos = choose(t, lumpTexinfo, v.layouts.texinfos,
		func(_, _ int, x texinfo) bool { return x.texdata >= -1 && x.texdata < texdatas })
	infos := l.texinfos.Count()
	l.edges = choose(t, lumpEdges, v.layouts.edges, func(_, _ int, e record.Edge) bool { return e[0] < vertices && e[1] < vertices })
	l.primIndices = choose(t, lumpPrimIndices, v.layouts.primIndices, func(_, _ int, i int) bool { return i < 1<<16 })
	l.primitives = choose(t, lumpPrimitives, v.layouts.primitives, func(_, _ int, p primitive) bool {
		return p.kind <= primFan && in(p.firstIndex, p.indices, l.primIndices.Count()) &&
			in(p.firstVertex, p.vertices, records(lumpPrimVertices))
	})
	primitives, owned := l.primitives.Count(), 0 // each belongs to one face
	l.faces = choose(t, m.light.faces, v.layouts.faces, func(i, n int, f face) bool {
		if i == 0 {
			owned = 0
		}
		owned += f.primCount
		if i == n-1 && owned != primitives {
			return false
		}
		return f.plane < planes && f.edges >= 3 && in(f.firstEdge, f.edges, surfedges) && f.texinfo >= -1 && f.texinfo < infos &&
			(f.primCount == 0 || in(f.firstPrim, f.primCount, primitives)) && (f.lightOfs <= 0 || plausible(f.styles))
	})
	faces := l.faces.Count()
	l.models = choose(t, lumpModels, v.layouts.models,
		func(i, _ int, m valve.Model) bool { return in(m.FirstFace, m.Faces, faces) && (i > 0 || m.Head == 0) })
	l.disps = choose(t, lumpDispinfo, v.layouts.disps, func(i, _ int, r dispinfo) bool {
		return r.power >= minPower && r.power <= maxPower && r.face < faces && l.faces.At(r.face).disp == i
	})
	l.leafFaces = choose(t, lumpLeafFaces, v.layouts.leafFaces, func(_, _ int, f int) bool { return f < faces })
	l.leafBrushes = choose(t, lumpLeafBrushes, v.layouts.leafBrushes, func(_, _ int, b int) bool { return b < records(lumpBrushes) })
	l.leafs = choose(t, lumpLeafs, v.layouts.leafs, func(_, _ int, x leaf) bool {
		return in(x.firstFace, x.faces, l.leafFaces.Count()) && in(x.firstBrush, x.brushes, l.leafBrushes.Count())
	})
	leafs := l.leafs.Count()
	l.nodes = choose(t, lumpNodes, v.layouts.nodes, func(_, nodes int, n node) bool {
		return n.plane >= 0 && n.plane < planes && max(n.children[0], n.children[1]) < nodes && min(n.children[0], n.children[1]) >= -leafs
	})
	l.sides = choose(t, lumpBrushSides, v.layouts.sides,
		func(_, _ int, s brushSide) bool { return s.plane < planes && s.texinfo >= -1 && s.texinfo < infos })
	l.normalIndices = choose(t, lumpNormalIndices, v.layouts.normalIndices, func(_, _ int, n int) bool { return n < records(lumpNormals) })
	l.waters = choose(t, lumpWaterData, v.layouts.waters, func(_, _ int, w waterBody) bool { return w.texinfo >= -1 && w.texinfo < infos })
	overlay := func(_, _ int, o overlay) bool {
		if o.texinfo < -1 || o.texinfo >= infos || o.count > len(o.faces)/4 {
			return false
		}
		for k := range o.count {
			if f := record.I32(o.faces[4*k:]); f < 0 || f >= faces {
				return false
			}
		}
		return true
	}
	l.overlays = choose(t, lumpOverlays, v.layouts.overlays, overlay)
	if v.layouts.longOverlays && m.entries[lumpOverlays].version == 3 {
		l.overlays = longOverlays(m.lumps[lumpOverlays])
	}
	l.waterOverlays = choose(t, lumpWaterOverlays, v.layouts.waterOverlays, overlay)
	samples := len(m.lumps[m.light.ambient].Data) / sampleSize
	if v.pages { // lumps 51 and 52 are the pages and the rectangles on them
		l.ambient = record.List[ambientIndex]{Layout: v.layouts.ambient[0]}
	} else {
		l.ambient = choose(t, m.light.index, v.layouts.ambient,
			func(_, _ int, x ambientIndex) bool { return x.count == 0 || in(x.first, x.count, samples) })
	}
	l.lamps = choose(t, m.light.lamps, v.layouts.lamps, valve.Known)
	l.used = t.used
	return l, t.score
}

// plausible reports whether styles is a list of distinct styles, followed only by noStyle.
func plausible(styles [8]uint8) bool {
	for i, s := range styles {
		if slices.Contains(styles[:i], s) && s != noStyle || i > 0 && styles[i-1] == noStyle && s != noStyle {
			return false
		}
	}
	return true
}

// odd lists up to three lumps whose records differ in size from the plain ones.
func (l *lists) odd() string {
	var words []string
	for _, u := range l.used {
		if plain := lumps[u.lump].size; plain > 0 && u.size != plain {
			words = append(words, fmt.Sprintf("%s of %d bytes", lumps[u.lump].name, u.size))
		}
	}
	if more := len(words) - 3; more > 0 {
		words = append(words[:3], fmt.Sprintf("%d more lumps of other records", more))
	}
	return strings.Join(words, ", ")
}

// countRecords sets the numbers of records in the directory's table.
func (l *lists) countRecords(table []decoding.Lump, entries *[lumpCount]entry) {
	size := [lumpCount]int{}
	for i := range lumps {
		size[i] = lumps[i].size
	}
	for _, u := range l.used {
		size[u.lump] = u.size
	}
	size[lumpFaces], size[lumpFacesHDR], size[lumpOriginalFaces] = l.faces.Size, l.faces.Size, l.faces.Size
	for i := range table {
		if e := entries[i]; size[i] > 0 && e.real == 0 && e.length > 0 {
			table[i].Records = int(e.length) / size[i]
		}
	}
	if l.overlays.Size == overlayStrata3.Size { // preceded by their faces
		table[lumpOverlays].Records = l.overlays.Count()
	}
}
