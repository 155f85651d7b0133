package thumb

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// The size of the grid of samples that rates a view, and the largest number of triangles projected to rate the views of one kind of place.
const (
	gridWidth, gridHeight = 48, 27
	worthJudging          = 3_000_000
)

// fair is the rating below which a map's own light shows too little.
const fair = 6

// enough is the rating at which a view is accepted without trying others.
const enough = 10

// eyeKinds are the kinds of places from which views are tried, in their order. A view from a later kind must exceed one from a start by
// its margin. Invented places may lie in walls.
var eyeKinds = []struct {
	eyes     func(s *scene.Scene, d *drawing, n int) []scene.Eye
	margin   float64
	invented bool
}{
	{eyes: func(s *scene.Scene, _ *drawing, _ int) []scene.Eye { return startEyes(s) }},
	{eyes: func(_ *scene.Scene, d *drawing, n int) []scene.Eye { return floors(d, n) }, margin: 0.7, invented: true},
	{eyes: func(s *scene.Scene, _ *drawing, _ int) []scene.Eye { return entityEyes(s) }, margin: 1},
	{eyes: func(_ *scene.Scene, d *drawing, n int) []scene.Eye { return things(d, n) }, margin: 1.3, invented: true},
	{eyes: func(_ *scene.Scene, d *drawing, _ int) []scene.Eye { return corners(d.bounds()) }, margin: 1.3},
}

// sketches is the number of best views that are drawn as small pictures.
const sketches = 6

// find returns the eye with the best view. It tries the map's cameras and spawn points in several directions; if these show little,
// floors, the places of other entities, single surfaces, and then the corners of the map.
//
// If all views show little, it tries again without the map's light. The returned drawing is then one without that light, else d.
func find(ctx context.Context, s *scene.Scene, d *drawing, o Options) (e scene.Eye, shown *drawing, err error) {
	d.scene.Background = outside
	best, err := findLit(ctx, s, d, o)
	if err != nil || best.dull <= poor && best.rating >= fair {
		return best.Eye, d, err
	}
	shaded := d.shaded()
	other, err := findLit(ctx, s, shaded, o)
	if err == nil && (other.dull < best.dull-1 || other.rating > best.rating+1) {
		return other.Eye, shaded, nil
	}
	return best.Eye, d, err
}

// findLit is find by the light of a drawing.
func findLit(ctx context.Context, s *scene.Scene, d *drawing, o Options) (ratedView, error) {
	triangles := 1
	for i := range d.scene.Instances {
		triangles += len(d.scene.Meshes[d.scene.Instances[i].Mesh].Indices) / 3
	}
	most := min(max(worthJudging/triangles, 4), 48)
	looker, sketch := raster.NewLooker(d.scene), d.sketch()
	through := raster.NewLooker(d.bothSides())
	best := ratedView{rating: math.Inf(-1)}
	for _, k := range eyeKinds {
		var list []ratedView
		for _, e := range sampleEyes(k.eyes(s, d, most), most) {
			hits, err := looker.Look(ctx, camera(&e, o.FovY), gridWidth, gridHeight)
			if err != nil {
				return best, err
			}
			shown := make([]float64, len(hits))
			for i := range hits {
				shown[i] = hits[i].Brightness
			}
			shape := structure(s, hits)
			list = append(list, ratedView{Eye: e, hits: hits, shape: shape, rating: shape + clear(shown)})
		}
		slices.SortStableFunc(list, func(a, b ratedView) int { return cmp.Compare(b.rating, a.rating) })
		for _, v := range list[:min(len(list), sketches)] {
			im, err := raster.Draw(ctx, sketch, camera(&v.Eye, o.FovY), gridWidth, gridHeight)
			if err != nil {
				return best, err
			}
			brighten(im, surfaces(s, v.hits))
			v.dull = dull(im) + blackness(s, v.hits, im)
			v.rating = v.shape + clear(brightness(im)) - v.dull - k.margin
			if k.invented {
				veiled, err := veil(ctx, through, &v, o)
				if err != nil {
					return best, err
				}
				v.rating -= dullest * veiled
			}
			if v.rating > best.rating {
				best = v
			}
		}
		if best.rating >= enough {
			break
		}
	}
	return best, nil
}

// ratedView is an eye with the rating of its view, and the part of the rating that does not depend on light.
type ratedView struct {
	scene.Eye
	shape, rating float64
	hits          []raster.Hit
	dull          float64 // how much of the picture is black or of one colour
}

// structure rates the content of a view. It prefers depth, many materials and edges, little sky and nothing close to the eye. A wall is
// rated about 2, a hall 7.
func structure(s *scene.Scene, hits []raster.Hit) float64 {
	var materials []int
	score, sky := 0.0, 0
	var sum, squares float64 // of the logarithms of the distances
	const far = 60
	for _, h := range hits {
		depth := math.Log2(1 + math.Min(h.Distance, far))
		if h.Material == raster.None || s.Materials[h.Material].Sky != nil {
			depth = math.Log2(1 + far)
		}
		sum, squares = sum+depth, squares+float64(depth*depth)
		switch {
		case h.Material == raster.None:
			score -= 0.5
		case s.Materials[h.Material].Sky != nil:
			if sky++; float64(sky) <= maxSky*float64(len(hits)) {
				score += 2.5
			}
		case h.Distance < 0.5:
			score -= 2
		case h.Distance < armsLength, s.Materials[h.Material].Name == scene.PlaceholderProp && h.Distance < 4*armsLength:
			score-- // a crate, a sign, the box of a missing model
		default:
			score += depth
			materials = append(materials, h.Material)
		}
	}
	slices.Sort(materials)
	const most = 0.3 // share of samples at an edge; more is noise
	n := float64(len(hits))
	edged := min(edges(hits)/most, 1)
	// Edges between near and far say more than those between the walls of a plain room.
	spread := min(math.Sqrt(max(squares/n-float64(sum/n*sum/n), 0)), 1.5)
	return score/n + 0.15*float64(min(len(slices.Compact(materials)), 20)) + 2*edged*(1+spread)
}

// maxSky is the share of samples up to which sky is worth seeing.
const maxSky = 0.5

// surfaces reports, for each sample, whether a surface other than the sky is seen.
func surfaces(s *scene.Scene, hits []raster.Hit) []bool {
	out := make([]bool, len(hits))
	for i, h := range hits {
		out[i] = h.Material != raster.None && s.Materials[h.Material].Sky == nil
	}
	return out
}

// veil returns the share of samples at which the back of a surface, which is not drawn, lies in front of what is seen: all of them for
// an eye in a wall. Through sees both sides of all surfaces.
func veil(ctx context.Context, through *raster.Looker, v *ratedView, o Options) (float64, error) {
	hits, err := through.Look(ctx, camera(&v.Eye, o.FovY), gridWidth, gridHeight)
	if err != nil {
		return 0, err
	}
	n := 0
	for i, h := range hits {
		if h.Material != raster.None && (v.hits[i].Material == raster.None || h.Distance < 0.99*v.hits[i].Distance) {
			n++
		}
	}
	return float64(n) / float64(len(hits)), nil
}

// armsLength is the distance in metres below which things obstruct the view.
const armsLength = 1.5

// What makes a picture poor: too large a share of its pixels that are nearly black, or that have one colour. A view of nothing else loses
// dullest in its rating.
const (
	maxBlack, maxOfOne = 0.25, 0.4
	nearlyBlack        = 12
	dullest            = 5
)

// dull returns from 0 to 2·dullest how much of a picture is black or of one colour.
func dull(im *image.NRGBA) float64 {
	colours := map[[3]uint8]int{}
	black, most, n := 0, 0, 0
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		n++
		if max(p[0], p[1], p[2]) < nearlyBlack {
			black++
		}
		c := [3]uint8{p[0] >> 4, p[1] >> 4, p[2] >> 4}
		colours[c]++
		most = max(most, colours[c])
	}
	excess := func(count int, free float64) float64 { return max(float64(count)/float64(n)-free, 0) / (1 - free) }
	return dullest * (excess(black, maxBlack) + excess(most, maxOfOne))
}

// blackness returns from 0 to dullest how many surfaces in the samples are black, if many are. It counts surfaces, because with much bright
// sky they are few pixels.
func blackness(s *scene.Scene, hits []raster.Hit, im *image.NRGBA) float64 {
	surfaces, black := 1, 0
	for i, h := range hits {
		if h.Material == raster.None || s.Materials[h.Material].Sky != nil {
			continue
		}
		surfaces++
		if p := im.Pix[4*i:]; max(p[0], p[1], p[2]) < nearlyBlack {
			black++
		}
	}
	const free = 0.3
	return dullest * max(float64(black)/float64(surfaces)-free, 0) / (1 - free)
}

// edges returns the share of samples whose neighbour to the right or below differs in material or distance, or where a surface is bent: in
// the picture of a plane the inverse of the distance rises evenly.
func edges(hits []raster.Hit) float64 {
	const bend = 0.03
	bent := func(a, b, c raster.Hit) bool {
		if a.Material != b.Material || b.Material != c.Material || b.Material == raster.None {
			return false
		}
		middle := 1 / b.Distance
		return math.Abs(1/a.Distance-2*middle+1/c.Distance) > bend*middle
	}
	differ := func(a, b raster.Hit) bool {
		return a.Material != b.Material || math.Abs(a.Distance-b.Distance) > 0.2*min(a.Distance, b.Distance)
	}
	n := 0
	for y := range gridHeight - 1 {
		for x := range gridWidth - 1 {
			i := y*gridWidth + x
			if differ(hits[i], hits[i+1]) || differ(hits[i], hits[i+gridWidth]) ||
				x > 0 && bent(hits[i-1], hits[i], hits[i+1]) || y > 0 && bent(hits[i-gridWidth], hits[i], hits[i+gridWidth]) {
				n++
			}
		}
	}
	return float64(n) / float64(len(hits))
}

// The mean brightness, the distance of the mean from white, and the standard deviation from which on a picture is easy to read.
const (
	wellLit  = 0.15
	contrast = 0.1
)

// clear rates from 0 to 4 how readable a picture is, by the brightness of its pixels from 0 to 1.
func clear(brightness []float64) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(brightness))
	for _, b := range brightness {
		sum += b
		squares += float64(b * b)
	}
	mean := sum / n
	deviation := math.Sqrt(max(squares/n-float64(mean*mean), 0))
	return 2*min(mean/wellLit, (1-mean)/wellLit, 1) + 2*min(deviation/contrast, 1)
}

// brightness returns the brightness of each pixel, 0 to 1, with the weights of ITU-R BT.709.
func brightness(im *image.NRGBA) []float64 {
	out := make([]float64, 0, len(im.Pix)/4)
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		out = append(out, (float64(0.2126*float64(p[0]))+float64(0.7152*float64(p[1]))+float64(0.0722*float64(p[2])))/255)
	}
	return out
}
