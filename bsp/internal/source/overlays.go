package source

import (
	"context"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// overlay is doverlay_t and dwateroverlay_t. Corners are at origin + basis·x + V·y, where V is normal × basis,
// negated if flipped.
type overlay struct {
	texinfo        int
	order          int // 0 to 3
	count          int // number of faces, as stored
	faces          []byte
	u, v           [2]float32
	corners        [4][2]float32
	basis          [3]float32
	flipped        bool
	origin, normal [3]float32
	tint           [4]uint8
}

// overlayV1 is doverlay_t, waterOverlayV1 dwateroverlay_t, with room for more faces. Source SDK 2013, public/bspfile.h.
// Dota 2's betas append a number; the others have 32-bit texinfos, followed by 16 bits of face count and order and two
// unused bytes (Strata), or by 32 bits of both (Vindictus).
var (
	overlayV1 = record.Layout[overlay]{Size: 352, Fields: "4 2*2 4*64 4*22", Decode: func(b []byte) overlay {
		return narrowOverlay(b, 64)
	}}
	waterOverlayV1 = record.Layout[overlay]{Size: 1120, Fields: "4 2*2 4*256 4*22",
		Decode: func(b []byte) overlay { return narrowOverlay(b, 256) }}
	overlayDota = record.Layout[overlay]{Size: 356, Fields: "4 2*2 4*64 4*22 4", Decode: func(b []byte) overlay {
		return narrowOverlay(b, 64)
	}}

	overlayStrata1 = record.Layout[overlay]{Size: 356, Fields: "4*2 2*2 4*64 4*22", Version: 1,
		Decode: func(b []byte) overlay { return wideOverlay(b, 64) }}
	waterOverlayStrata = record.Layout[overlay]{Size: 1124, Fields: "4*2 2*2 4*256 4*22", Version: 1,
		Decode: func(b []byte) overlay { return wideOverlay(b, 256) }}
	overlayStrata2 = record.Layout[overlay]{Size: 360, Fields: "4*2 2*2 4*64 4*22 1*4", Version: 2, Decode: func(b []byte) overlay {
		o := wideOverlay(b, 64)
		o.tint = [4]uint8(b[356:])
		return o
	}}
	overlayVindictus = record.Layout[overlay]{Size: 356, Fields: "4*3 4*64 4*22", Decode: func(b []byte) overlay {
		o := wideOverlay(b, 64)
		o.order, o.count = record.I32(b[8:])>>30&3, record.I32(b[8:])&(1<<30-1)
		return o
	}}
)

// untinted is the tint of an overlay with unchanged colours.
var untinted = [4]uint8{255, 255, 255, 255}

// narrowOverlay and wideOverlay decode an overlay with room for a number of faces.
func narrowOverlay(b []byte, faces int) overlay {
	o := decodeOverlay(b[8:], faces)
	o.texinfo, o.order, o.count = record.I16(b[4:]), record.U16(b[6:])>>14, record.U16(b[6:])&0x3fff
	return o
}

func wideOverlay(b []byte, faces int) overlay {
	o := decodeOverlay(b[12:], faces)
	o.texinfo, o.order, o.count = record.I32(b[4:]), record.U16(b[8:])>>14, record.U16(b[8:])&0x3fff
	return o
}

// decodeOverlay decodes the fields after the number of faces. The third coordinates of the corners hold the basis, and a 1
// if V is flipped.
func decodeOverlay(b []byte, faces int) overlay {
	o := overlay{faces: b[:4*faces], tint: untinted}
	b = b[4*faces:]
	for k := range 2 {
		o.u[k], o.v[k] = le.Float32(b[4*k:]), le.Float32(b[8+4*k:])
	}
	for k := range o.corners {
		corner := record.V3(b[16+12*k:])
		o.corners[k] = [2]float32(corner[:2])
		if k < 3 {
			o.basis[k] = corner[2]
		} else {
			o.flipped = corner[2] == 1
		}
	}
	o.origin, o.normal = record.V3(b[64:]), record.V3(b[76:])
	return o
}

// Flags of Strata's overlays of version 3.
const (
	overlayFlipped  = 1
	overlayVariable = 2 // the tint is the index of a colour that the game's code may change
)

// longOverlays reads Strata's overlays of version 3: a shared list of their faces precedes them. The lump starts with both
// counts. If its length contradicts them, the list is not a whole number of records, which fails when it is decoded.
func longOverlays(l le.Lump) record.List[overlay] {
	var faces []byte
	if len(l.Data) >= 8 && record.U32(l.Data[4:]) <= (len(l.Data)-8)/4 {
		faces = l.Data[8:][:4*record.U32(l.Data[4:])]
		if rest := l.Data[8+len(faces):]; len(rest) == record.U32(l.Data)*overlayStrata3.Size {
			l.Data = rest
		}
	}
	r := overlayStrata3
	r.Decode = func(b []byte) overlay {
		o := overlayStrata3.Decode(b)
		if first := record.U32(b[12:]); first <= len(faces)/4-o.count {
			o.faces = faces[4*first:][:4*o.count]
		} else {
			o.count = 0
		}
		return o
	}
	return record.List[overlay]{Layout: r, Lump: l}
}

// overlayStrata3 is a record of version 3 without its faces.
var overlayStrata3 = record.Layout[overlay]{Size: 108, Fields: "4*2 2*2 4*2 4*21 1*4", Version: 3, Decode: func(b []byte) overlay {
	o := overlay{texinfo: record.I32(b[4:]), order: min(record.U16(b[10:]), 3), count: record.U32(b[16:]),
		flipped: record.U16(b[8:])&overlayFlipped != 0, tint: untinted}
	if record.U16(b[8:])&overlayVariable == 0 {
		o.tint = [4]uint8(b[104:])
	}
	for k := range 2 {
		o.u[k], o.v[k] = le.Float32(b[20+4*k:]), le.Float32(b[28+4*k:])
	}
	for k := range o.corners {
		o.corners[k] = [2]float32{le.Float32(b[36+8*k:]), le.Float32(b[40+8*k:])}
	}
	o.basis, o.origin, o.normal = record.V3(b[68:]), record.V3(b[80:]), record.V3(b[92:])
	return o
}}

// fadeV1 is doverlayfade_t: the squared distances from the viewer.
var fadeV1 = record.Layout[[2]float32]{Size: 8, Fields: "4*2", Decode: func(b []byte) [2]float32 {
	return [2]float32{le.Float32(b), le.Float32(b[4:])}
}}

// overlays adds overlays to the models.
type overlays struct {
	dc        *decoding.Context
	texinfos  []texinfo
	materials *valve.Materials
	models    []world.Model
	spots     []valve.Spot // by face
	layers    layers
}

// layers counts the overlays on a surface, by render order.
type layers map[valve.Spot]*[4]int

// next returns the first layer above all those of the hosts, and assigns it to them.
func (l layers) next(hosts []valve.Spot, order int) int {
	layer := 0
	for _, h := range hosts {
		if l[h] == nil {
			l[h] = &[4]int{}
		}
		layer = max(layer, l[h][order])
	}
	for _, h := range hosts {
		l[h][order] = layer + 1
	}
	return layer
}

// maxFaces is the most faces of an overlay, except in Strata.
const maxFaces = 256

// add decodes the overlays of a lump, the first of which fade. Each becomes a surface on each of its faces. Faces is the number of faces
// of the map.
func (d *overlays) add(ctx context.Context, lump int, from *record.List[overlay], fades [][2]float32, faces int) error {
	records, err := decodeOptional(d.dc, from)
	if err != nil {
		return err
	}
	looks := 4 * faces // in a hostile map every overlay could be on every face
	for i := range records {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		o := &records[i]
		where := fmt.Sprintf("%s, overlay %d", lumpName(lump), i)
		if looks -= max(0, len(o.faces)/4-maxFaces); looks < 0 {
			d.dc.Issue("overlay", where, "it and what follows is left out: the overlays have more faces than the map")
			return nil
		}
		if o.tint != untinted {
			d.dc.Issue("overlay-tint", where, "its tint of %d is left out", o.tint)
		}
		hosts := d.hosts(o)
		if o.texinfo < 0 || o.texinfo >= len(d.texinfos) {
			d.dc.Issue("overlay", where, "texinfo %d of %d", o.texinfo, len(d.texinfos))
			continue
		}
		if len(hosts) == 0 {
			d.dc.Issue("overlay", where, "none of its %d faces is drawn", o.count)
			continue
		}
		shape, ok := o.shape()
		if !ok {
			d.dc.Issue("overlay", where, "its corners don't form a convex quadrilateral: %g on %g and %g, at %g", o.corners, o.basis,
				o.normal, o.origin)
			continue
		}
		if i < len(fades) {
			shape.Fade = valve.Fade(root(fades[i][0]), root(fades[i][1]))
		}
		// Within a render order, later overlays in the file are drawn over earlier ones: each render order has 64
		// layers, and an overlay gets the first layer above those on its hosts.
		if err := d.dc.Borrow(int64(len(hosts)) * 96); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		shape.Order = 64*o.order + min(d.layers.next(hosts, o.order), 63)
		for _, h := range hosts {
			if err := d.lay(shape, h, o.texinfo, i); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
		}
	}
	return nil
}

// hosts returns the surfaces on which an overlay lies, without duplicates.
func (d *overlays) hosts(o *overlay) []valve.Spot {
	var hosts []valve.Spot
	seen := map[valve.Spot]bool{}
	for k := range min(o.count, len(o.faces)/4) {
		face := int(le.Int32(o.faces[4*k:]))
		if face >= 0 && face < len(d.spots) && d.spots[face].Model >= 0 && !seen[d.spots[face]] {
			hosts = append(hosts, d.spots[face])
			seen[d.spots[face]] = true
		}
	}
	return hosts
}

// lay adds an overlay to a surface. It is hidden if its host is.
func (d *overlays) lay(shape world.Overlay, host valve.Spot, texinfo, record int) error {
	m := &d.models[host.Model]
	under := &m.Surfaces[host.Surface]
	lighting := world.Fullbright
	if under.Chart != world.NoChart {
		lighting = world.Lightmap
	}
	material, flags, err := d.texinfos[texinfo].material(d.materials, lighting)
	if err != nil {
		return err
	}
	if err := d.dc.Reserve(limit.Bytes[world.Overlay](1)); err != nil {
		return err
	}
	shape.Host = int(host.Surface)
	m.Surfaces, err = limit.Append(d.dc.Budget, m.Surfaces, "", world.Surface{
		Shape: &shape, Material: material, Chart: under.Chart, Fog: -1, Flags: flags | under.Flags, Record: record,
	})
	return err
}

// shape returns the overlay's quadrilateral. ok is false if it is not convex, in either orientation, or a number is not
// finite.
func (o *overlay) shape() (s world.Overlay, ok bool) {
	s.Normal = record.UnitOrZero(o.normal)
	if s.Normal == ([3]float32{}) || !record.Sane(o.origin[:]...) || !record.Sane(o.u[0], o.u[1], o.v[0], o.v[1]) {
		return s, false
	}
	u := across(o.basis, s.Normal)
	v := space.Cross(s.Normal, u)
	up := float32(1)
	if o.flipped {
		up = -1
	}
	var flat [4][2]float64 // with V as Normal × U
	for k, c := range o.corners {
		if !record.Sane(c[:]...) {
			return s, false
		}
		x, y := c[0], c[1]*up
		flat[k] = [2]float64{float64(x), float64(y)}
		for i := range 3 {
			s.Corners[k].Position[i] = o.origin[i] + float32(u[i]*x) + float32(v[i]*y)
		}
		if !record.Sane(s.Corners[k].Position[:]...) {
			return s, false
		}
	}
	s.Corners[0].UV = [2]float32{o.u[0], o.v[0]}
	s.Corners[1].UV = [2]float32{o.u[0], o.v[1]}
	s.Corners[2].UV = [2]float32{o.u[1], o.v[1]}
	s.Corners[3].UV = [2]float32{o.u[1], o.v[0]}
	left, right := turns(flat)
	if right > 0 {
		s.Corners[1], s.Corners[3] = s.Corners[3], s.Corners[1]
	}
	return s, (left == 0) != (right == 0)
}

// turns counts the corners at which a quadrilateral turns left and right. Nearly straight corners count as neither.
func turns(q [4][2]float64) (left, right int) {
	for k := range q {
		a, b, c := q[k], q[(k+1)%4], q[(k+2)%4]
		turn := float64((b[0]-a[0])*(c[1]-b[1])) - float64((b[1]-a[1])*(c[0]-b[0]))
		switch {
		case turn > 1e-3:
			left++
		case turn < -1e-3:
			right++
		}
	}
	return left, right
}

// across returns the unit vector perpendicular to normal that is nearest to v, or any perpendicular if v is
// parallel.
func across(v, normal [3]float32) [3]float32 {
	for _, v := range [][3]float32{v, {1, 0, 0}, {0, 1, 0}} {
		along := float32(space.Dot(v, normal))
		for k := range v {
			v[k] -= float32(along * normal[k])
		}
		v = record.UnitOrZero(v)
		if lean := space.Dot(v, normal); space.Dot(v, v) > 0.5 && lean > -0.01 && lean < 0.01 {
			return v
		}
	}
	return [3]float32{0, 0, 1}
}

// root returns the square root of x, or 0 if x is negative.
func root(x float32) float32 {
	if x > 0 {
		return float32(math.Sqrt(float64(x)))
	}
	return x
}

// addOverlays adds the overlays of surfaces and of water to the models. spots are where the faces are in them.
func addOverlays(ctx context.Context, m *file, l *lists, r *records, materials *valve.Materials, models []world.Model,
	spots []valve.Spot) error {
	d := &overlays{dc: m.dc, texinfos: r.texinfos, materials: materials, models: models, spots: spots, layers: layers{}}
	fades, err := decodeOptional(m.dc, &record.List[[2]float32]{Layout: fadeV1, Lump: m.lumps[lumpOverlayFades]})
	if err != nil {
		return err
	}
	if err := d.add(ctx, lumpOverlays, &l.overlays, fades, len(r.faces)); err != nil {
		return err
	}
	return d.add(ctx, lumpWaterOverlays, &l.waterOverlays, nil, len(r.faces))
}
