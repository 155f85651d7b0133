package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// ones is the tint that changes nothing.
var ones = [3]float32{1, 1, 1}

// tinted reports whether a tint is in a surface's picture.
func tinted(p *paint.Surface) bool { return p.Tint != ones || p.Places && p.Over > 0 }

// surfaceName returns the name of a surface's picture.
func surfaceName(p *images.Surface) string {
	name := images.NameOf(p.Base.File, images.Form{Frame: p.Base.Frame, Pixels: p.Paint.Pixels})
	if tinted(&p.Paint) {
		name += "_tint"
	}
	if p.Over.File != "" {
		name += "_detail"
	}
	if p.Paint.Glow > 0 {
		name += "_lit"
	}
	return name
}
