package valve

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// scroll sets the movement of a material's texture by the proxy TextureScroll. The proxy replaces the transform that the material
// states. Source SDK 2013, game/client/texturescrollmaterialproxy.cpp.
func scroll(m *pbr.Material, v *vmt.Material) {
	p := proxyOf(v, "texturescroll", "texturescrollvar", firstParameters.transform)
	if p == nil {
		return
	}
	rate, angle, scale := argument(v, p, "texturescrollrate", 1), argument(v, p, "texturescrollangle", 0), argument(v, p, "texturescale", 1)
	if rate == 0 || scale == 0 {
		return
	}
	sin, cos := math.Sincos(math.Mod(angle, 360) * math.Pi / 180)
	m.Base.UV = [6]float64{scale, 0, 0, 0, scale, 0}
	rest := m.Base.UV
	m.Move().Rest = &rest
	m.Motion.Base = []pbr.Change{{Kind: "scale", Numbers: []float64{scale, scale}},
		{Kind: "scroll", Numbers: []float64{dropRoundingError(rate * cos), dropRoundingError(rate * sin)}}}
}

// dropRoundingError returns a number without the rounding error of a sine.
func dropRoundingError(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// maxFrames bounds the pictures of an animated texture.
const maxFrames = 256

// animatedRate returns the frame rate of the base texture by the proxy AnimatedTexture, or 0 without one. Source SDK 2013,
// game/client/baseanimatedtextureproxy.cpp.
func animatedRate(v *vmt.Material, n parameters) float64 {
	if p := proxyOf(v, "animatedtexture", "animatedtexturevar", n.base); p != nil {
		return argument(v, p, "animatedtextureframerate", 15)
	}
	return 0
}

// turn requests the frames of an animated texture with a frame rate. work returns the image of a frame and its name.
func (vp *Planner) turn(to plan.Target, fps float64, file string, alpha bool, work func(frame int) (images.Work, string)) {
	count := vp.Files.VTFFrames(file)
	if count < 2 || count > maxFrames || !(fps > 0) || !vp.Options.Frames {
		return
	}
	m := to.Of(vp.Into.Materials).Move()
	m.FPS, m.Frames = fps, make([]pbr.Slot, count)
	for k := range m.Frames {
		m.Frames[k] = pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}
		picture, name := work(k)
		vp.Into.Use(picture, name, plan.User{To: to, Role: plan.AsFrame, Side: k, Alpha: alpha})
	}
}

// proxyOf returns a material's last proxy of a name that changes a parameter, or nil.
func proxyOf(v *vmt.Material, name, key, parameter string) (found *vmt.Proxy) {
	for i := range v.Proxies {
		p := &v.Proxies[i]
		if p.Name == name && strings.EqualFold(text(p, key), parameter) {
			found = p
		}
	}
	return found
}

// argument returns a number of a proxy. It may refer to one of the material's parameters.
func argument(v *vmt.Material, p *vmt.Proxy, key string, otherwise float64) float64 {
	value := text(p, key)
	if strings.HasPrefix(value, "$") {
		return v.Float(strings.ToLower(value), otherwise)
	}
	return (&vmt.Material{Params: p.Params}).Float(key, otherwise)
}

// text returns a value of a proxy as written, or "".
func text(p *vmt.Proxy, key string) string {
	for _, x := range p.Params {
		if x.Name == key {
			return strings.TrimSpace(x.Value)
		}
	}
	return ""
}
