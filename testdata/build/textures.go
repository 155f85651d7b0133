package main

import "math"

// demoTextures returns the pictures of testdata/demo, each in the format of its extension.
func demoTextures() map[string]func() []byte {
	const t = "demo/textures/demo/"
	m := map[string]func() []byte{
		t + "brick.jpg":      func() []byte { return brick().jpg(92) },
		t + "plaster.jpg":    func() []byte { return plaster().jpg(92) },
		t + "stone.jpg":      func() []byte { return stone().jpg(92) },
		t + "tiles.jpg":      func() []byte { return tiles().jpg(92) },
		t + "wood.jpg":       func() []byte { return wood().jpg(92) },
		t + "marble.jpg":     func() []byte { return marble().jpg(92) },
		t + "dais.jpg":       func() []byte { return dais().jpg(90) },
		t + "rock.jpg":       func() []byte { return rock(0x7a6b5c, 3).jpg(90) },
		t + "grass.jpg":      func() []byte { return grass().jpg(90) },
		t + "magma.jpg":      func() []byte { return magma().jpg(92) },
		t + "crate.jpg":      func() []byte { return crateFace().jpg(92) },
		t + "door.png":       func() []byte { return door().png() },
		t + "vase.jpg":       func() []byte { return vase().jpg(92) },
		t + "water.jpg":      func() []byte { return water().jpg(90) },
		t + "clouds.jpg":     func() []byte { return cloudLayer(11).jpg(90) },
		t + "sky.jpg":        func() []byte { return skyDome().jpg(92) },
		t + "wisps.jpg":      func() []byte { return cloudLayer(23).jpg(90) },
		t + "chrome.jpg":     func() []byte { return chrome().jpg(90) },
		t + "noscript.png":   func() []byte { return noscript().png() },
		t + "pooltile.tga":   func() []byte { return pooltile().tga(false, 24) },
		t + "metal.tga":      func() []byte { return metal().tga(false, 24) },
		t + "trim.tga":       func() []byte { return trim().tga(true, 24) },
		t + "grate.tga":      func() []byte { return grate().tga(true, 32) },
		t + "glass.tga":      func() []byte { return glass().tga(false, 32) },
		t + "waterfall.png":  func() []byte { return waterfall().png() },
		t + "cube.jpg":       func() []byte { return cubeFace(false).jpg(92) },
		t + "cube_glow.tga":  func() []byte { return cubeFace(true).tga(true, 24) },
		t + "lamp.png":       func() []byte { return lampFace(0xffd9a0, false).png() },
		t + "lamp_glow.png":  func() []byte { return lampFace(0xffc680, true).png() },
		t + "lampcool.png":   func() []byte { return lampFace(0xa8f0ff, false).png() },
		t + "lampcool_g.png": func() []byte { return lampFace(0x70d8ff, true).png() },
		t + "strip.png":      func() []byte { return strip().png() },
		t + "banner.png":     func() []byte { return banner().png() },
		t + "decal.png":      func() []byte { return decal().png() },
		t + "sign.png":       func() []byte { return sign().png() },
		t + "fan.png":        func() []byte { return fan().png() },
		t + "flare.png":      func() []byte { return flare().png() },
		t + "detail.png":     func() []byte { return detail().png() },
	}
	for i := range 4 {
		m[t+"screen"+string(rune('1'+i))+".png"] = func() []byte { return screen(i).png() }
	}
	for side, dir := range skySides {
		m["demo/env/demo/dusk_"+side+".jpg"] = func() []byte {
			return solidPaint(256, 256, func(u, v float64) vec { return dusk(dir(2*u-1, 1-2*v).unit()) }).jpg(92)
		}
	}
	return m
}

// skySides gives each side of a sky its direction at (s, t) of -1 to 1, right and up, as the engines have them: tr_sky.c of
// Quake III, and gl_warp.cpp of Source with the same table.
var skySides = map[string]func(s, t float64) vec{
	"rt": func(s, t float64) vec { return vec{1, -s, t} },
	"lf": func(s, t float64) vec { return vec{-1, s, t} },
	"bk": func(s, t float64) vec { return vec{s, 1, t} },
	"ft": func(s, t float64) vec { return vec{-s, -1, t} },
	"up": func(s, t float64) vec { return vec{-t, -s, 1} },
	"dn": func(s, t float64) vec { return vec{t, -s, -1} },
}

// brickHeight returns how far the bricks stand out, in pixels.
func brickHeight(u, v float64) float64 {
	_, _, _, _, e := cell(u, v, 4, 8, 0.5)
	e += 0.006 * (clouds(u, v, 16, 2, 4) - 0.5)
	return 5*smooth(0.004, 0.016, e) + 2.2*clouds(u, v, 24, 3, 8)
}

func brick() *picture {
	return solidPaint(256, 256, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 4, 8, 0.5)
		e += 0.006 * (clouds(u, v, 16, 2, 4) - 0.5)
		h := hash(i, j, 1)
		c := rgb(0xa06a50).lerp(rgb(0x7a5044), h).lerp(rgb(0xc09878), 0.55*hash(i, j, 2)*hash(i, j, 3))
		c = c.mul(0.78 + 0.42*clouds(u, v, 8, 4, 7))
		return rgb(0xa09688).mul(0.75+0.4*clouds(u, v, 32, 2, 9)).lerp(c, smooth(0.005, 0.011, e))
	}).relief(brickHeight)
}

func plaster() *picture {
	return solidPaint(256, 256, func(u, v float64) vec {
		return rgb(0xc9bda6).lerp(rgb(0xa9977c), smooth(0.42, 0.75, clouds(u, v, 4, 5, 3))).mul(0.93 + 0.12*noise(u, v, 96, 2))
	}).relief(func(u, v float64) float64 { return 2.5 * clouds(u, v, 12, 5, 6) })
}

func stone() *picture {
	return solidPaint(256, 256, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 2, 4, 0.5)
		c := rgb(0x8b8d94).lerp(rgb(0x747068), hash(i, j, 5)).mul(0.7 + 0.55*clouds(u, v, 8, 5, 31))
		return rgb(0x4c4a48).lerp(c, smooth(0.003, 0.01, e))
	}).relief(func(u, v float64) float64 {
		_, _, _, _, e := cell(u, v, 2, 4, 0.5)
		return 6*smooth(0.002, 0.022, e+0.006*(noise(u, v, 24, 8)-0.5)) + 4*clouds(u, v, 16, 4, 32)
	})
}

func tiles() *picture {
	return solidPaint(256, 256, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 4, 4, 0)
		c := rgb(0xa39a8a)
		if (i+j)&1 == 1 {
			c = rgb(0x7d7770)
		}
		c = c.mul(0.9 + 0.2*hash(i, j, 3)).mul(0.82 + 0.32*clouds(u, v, 6, 5, 12))
		vein := math.Abs(clouds(u, v, 5, 4, 77+(i+2*j)%3) - 0.5)
		c = c.mul(0.88 + 0.12*smooth(0, 0.02, vein))
		return rgb(0x3f3b37).lerp(c, smooth(0.0025, 0.007, e))
	}).relief(func(u, v float64) float64 {
		_, _, _, _, e := cell(u, v, 4, 4, 0)
		return 3*smooth(0.002, 0.012, e) + 0.8*clouds(u, v, 20, 3, 5)
	})
}

func wood() *picture {
	rings := func(u, v float64) float64 {
		_, j, _, _, _ := cell(u, v, 1, 4, 0)
		w := clouds(u, v, 3, 3, 40+j)
		return 0.5 + 0.5*math.Sin(2*math.Pi*(v*26+5*w+2*hash(j, 1, 1)))
	}
	return solidPaint(256, 256, func(u, v float64) vec {
		_, j, _, cv, _ := cell(u, v, 1, 4, 0)
		c := rgb(0x8a5d36).lerp(rgb(0x5d3a20), 0.55*rings(u, v)).mul(0.8 + 0.3*hash(j, 7, 7)).mul(0.85 + 0.3*clouds(u, v, 16, 3, 9))
		return c.mul(0.35 + 0.65*smooth(0, 0.05, math.Min(cv, 1-cv)))
	}).relief(func(u, v float64) float64 {
		_, _, _, cv, _ := cell(u, v, 1, 4, 0)
		return 4*smooth(0, 0.08, math.Min(cv, 1-cv)) + 0.8*rings(u, v)
	})
}

func marble() *picture {
	return solidPaint(256, 256, func(u, v float64) vec {
		w := clouds(u, v, 4, 5, 51)
		a := math.Abs(noise(u+0.13*w, v+0.2*w, 5, 52) - 0.5)
		b := math.Abs(clouds(u, v, 7, 4, 53) - 0.5)
		c := rgb(0xdcd8d0).mul(0.86 + 0.2*w)
		c = c.lerp(rgb(0x8d8a90), 0.7*(1-smooth(0, 0.05, a)))
		return c.lerp(rgb(0xa08e78), 0.5*(1-smooth(0, 0.025, b)))
	})
}

// dais returns a round medallion: rings, a star of sixteen points, dark and light stone.
func dais() *picture {
	shape := func(u, v float64) (kind int, edge float64) {
		x, y := 2*u-1, 2*v-1
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		edge = 1
		for _, ring := range []float64{0.16, 0.62, 0.7, 0.9} {
			edge = math.Min(edge, math.Abs(r-ring))
		}
		if r < 0.16 {
			return 3, edge
		}
		if r < 0.62 {
			// The star: between a small and a great radius, eight times around.
			k := math.Abs(math.Mod(a/(2*math.Pi)*8+16, 1) - 0.5)
			limit := 0.2 + 0.42*math.Pow(2*k, 1.6)
			edge = math.Min(edge, math.Abs(r-limit)*0.5)
			if r < limit {
				return 1, edge
			}
			return 0, edge
		}
		if r < 0.7 {
			return 2, edge
		}
		if r < 0.9 {
			k := math.Mod(a/(2*math.Pi)*24+48, 1)
			edge = math.Min(edge, math.Min(k, 1-k)*0.2)
			return int(math.Floor(a/(2*math.Pi)*24+48)) & 1, edge
		}
		return 2, edge
	}
	return solidPaint(256, 256, func(u, v float64) vec {
		kind, e := shape(u, v)
		c := []vec{rgb(0xb5a98f), rgb(0x5c5a66), rgb(0x9c7a48), rgb(0xc9a25a)}[kind].mul(0.78 + 0.4*clouds(u, v, 8, 5, 61))
		return c.mul(0.5 + 0.5*smooth(0.004, 0.014, e))
	}).relief(func(u, v float64) float64 {
		_, e := shape(u, v)
		return 2.5 * smooth(0.002, 0.02, e)
	})
}

func rock(base, seed int) *picture {
	height := func(u, v float64) float64 {
		f, s, id := cracks(u+0.03*noise(u, v, 8, 1), v+0.03*noise(u, v, 8, 2), 6, seed)
		return 5*smooth(0, 0.25, s-f) + 3*hash(id, 1, seed) + 5*clouds(u, v, 10, 4, seed)
	}
	return solidPaint(128, 128, func(u, v float64) vec {
		f, s, id := cracks(u+0.03*noise(u, v, 8, 1), v+0.03*noise(u, v, 8, 2), 6, seed)
		return rgb(base).mul(0.7 + 0.3*hash(id, 2, seed)).mul(0.7 + 0.5*clouds(u, v, 8, 4, 5)).mul(0.5 + 0.5*smooth(0, 0.15, s-f))
	}).relief(height)
}

func grass() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		blade := grain(u, v+0.03*noise(u, v, 8, 4), 64, 24, 17)
		return rgb(0x4f6a2a).lerp(rgb(0x8a9a48), blade*0.7*clouds(u, v, 8, 3, 3)).lerp(rgb(0x3a3d1c),
			smooth(0.5, 0.8, clouds(u, v, 5, 3, 8))*0.7)
	}).relief(func(u, v float64) float64 { return 3*noise(u, v, 48, 17) + 3*clouds(u, v, 10, 2, 9) })
}

func magma() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		f, s, id := cracks(u+0.05*clouds(u, v, 6, 2, 1), v+0.05*clouds(u, v, 6, 2, 2), 5, 21)
		hot := 1 - smooth(0, 0.28, s-f)
		crust := rgb(0x2a1410).mul(0.7 + 0.8*clouds(u, v, 12, 3, 6)).mul(0.7 + 0.6*hash(id, 4, 4))
		return crust.lerp(rgb(0xff5a10), hot).lerp(rgb(0xffe070), smooth(0.75, 1, hot))
	})
}

func crateFace() *picture {
	frame := func(u, v float64) float64 {
		e := math.Min(math.Min(u, 1-u), math.Min(v, 1-v))
		return math.Max(1-smooth(0.13, 0.14, e), 1-smooth(0.06, 0.07, math.Abs(u-v)/1.41))
	}
	plank := func(u, v float64) (float64, float64) {
		f := frame(u, v)
		k := math.Mod(u*5, 1)
		g := 0.5 + 0.5*math.Sin(2*math.Pi*(u*30+3*clouds(u, v, 3, 3, 14)))
		if f > 0.5 {
			k, g = 0.5, 0.5+0.5*math.Sin(2*math.Pi*(v*24+u*8+3*clouds(u, v, 3, 3, 15)))
		}
		return math.Min(k, 1-k), g
	}
	return solidPaint(128, 128, func(u, v float64) vec {
		k, g := plank(u, v)
		c := rgb(0x9a7040).lerp(rgb(0x6e4a26), 0.6*g).mul(0.85 + 0.25*clouds(u, v, 8, 3, 5))
		if frame(u, v) > 0.5 {
			c = c.mul(1.18)
			for _, q := range [][2]float64{{0.07, 0.07}, {0.93, 0.07}, {0.07, 0.93}, {0.93, 0.93}} {
				c = c.lerp(rgb(0x55585c), 1-smooth(0.025, 0.035, math.Hypot(u-q[0], v-q[1])))
			}
		}
		return c.mul(0.4 + 0.6*smooth(0, 0.08, k))
	}).relief(func(u, v float64) float64 { k, g := plank(u, v); return 4*frame(u, v) + 2*smooth(0, 0.1, k) + 0.5*g })
}

func door() *picture {
	height := func(u, v float64) float64 {
		e := math.Min(math.Min(u, 1-u), math.Min(v, 1-v))
		h := 4 * smooth(0.02, 0.05, e)
		h -= 3 * (1 - smooth(0.004, 0.012, math.Abs(u-0.5)))
		for _, q := range [][4]float64{{0.08, 0.1, 0.44, 0.42}, {0.56, 0.1, 0.92, 0.42}, {0.08, 0.66, 0.44, 0.9}, {0.56, 0.66, 0.92, 0.9}} {
			i := math.Min(math.Min(u-q[0], q[2]-u), math.Min(v-q[1], q[3]-v))
			h -= 4 * smooth(0, 0.025, i)
		}
		return h + 0.5*clouds(u, v, 20, 3, 4)
	}
	return solidPaint(128, 128, func(u, v float64) vec {
		c := rgb(0x70757e).mul(0.8 + 0.3*clouds(u, v, 8, 4, 4))
		if v > 0.48 && v < 0.6 {
			c = rgb(0xd8a520)
			if math.Mod(u*6+v*6, 1) < 0.5 {
				c = rgb(0x24242a)
			}
			c = c.mul(0.75 + 0.35*clouds(u, v, 16, 3, 6))
		}
		return c.lerp(rgb(0x6a4a34), 0.5*smooth(0.55, 0.75, clouds(u, v, 6, 4, 19)))
	}).relief(height)
}

func vase() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		c := rgb(0xb8643a).mul(0.85 + 0.25*clouds(u, v, 8, 3, 2))
		y := 1 - v
		band := math.Abs(y-0.45) < 0.12
		key := math.Mod(u*4, 1)
		if band && (math.Abs(key-0.5) < 0.3) != (math.Abs(y-0.45) < 0.06 && math.Abs(key-0.5) < 0.18) {
			c = rgb(0x231a1c)
		}
		for _, l := range []float64{0.3, 0.6, 0.8} {
			if math.Abs(y-l) < 0.015 {
				c = rgb(0xe0c080)
			}
		}
		return c
	})
}

func water() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		f, s, _ := cracks(u+0.06*clouds(u, v, 5, 2, 1), v+0.06*clouds(u, v, 5, 2, 2), 5, 33)
		g, h, _ := cracks(u+0.05*clouds(u, v, 7, 2, 5), v, 9, 34)
		k := 0.75*math.Pow(1-math.Min(s-f, 1), 5) + 0.35*math.Pow(1-math.Min(h-g, 1), 5)
		return rgb(0x0c4450).lerp(rgb(0x9fe8e8), k*0.8)
	})
}

func waterfall() *picture {
	return paint(64, 128, func(u, v float64) (vec, float64) {
		n := 0.6*grain(u, v, 20, 4, 3) + 0.4*grain(u, v, 32, 16, 4)
		n = math.Pow(n, 1.6) * (0.7 + 0.6*noise(u, v, 4, 7))
		return rgb(0x4fa8b8).lerp(rgb(0xe8ffff), smooth(0.2, 0.7, n)), smooth(0.06, 0.6, n)
	})
}

func cloudLayer(seed int) *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		n := smooth(0.42, 0.78, clouds(u, v, 4, 6, seed))
		return vec{}.lerp(rgb(0xffe8d0), n)
	})
}

// skyDome returns the plain blue under the clouds.
func skyDome() *picture {
	return solidPaint(32, 32, func(u, v float64) vec { return rgb(0x5a7ab8).mul(0.97 + 0.06*clouds(u, v, 4, 2, 3)) })
}

func chrome() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		y := v + 0.05*math.Sin(2*math.Pi*(u*2+0.3*clouds(u, v, 3, 2, 3)))
		if y < 0.5 {
			return rgb(0x2a5a9a).lerp(rgb(0xf4faff), math.Pow(y*2, 2.2))
		}
		return rgb(0x302c40).lerp(rgb(0xb0a0c0), math.Pow(y*2-1, 1.3))
	})
}

func noscript() *picture {
	return solidPaint(64, 64, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 4, 4, 0)
		c := rgb(0x3a6a5a)
		if (i+j)&1 == 1 {
			c = rgb(0xc8d0a8)
		}
		return c.mul(0.6 + 0.4*smooth(0, 0.02, e))
	})
}

func pooltile() *picture {
	return solidPaint(128, 128, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 8, 8, 0)
		c := rgb(0x3f9aa6).lerp(rgb(0x2a6f86), hash(i, j, 1)).lerp(rgb(0x9ad8cc), 0.6*hash(i, j, 2)*hash(i, j, 3))
		return rgb(0xb8c4c0).lerp(c, smooth(0.004, 0.012, e))
	}).relief(func(u, v float64) float64 {
		_, _, _, _, e := cell(u, v, 8, 8, 0)
		return 2 * smooth(0.003, 0.02, e)
	})
}

func metal() *picture {
	height := func(u, v float64) float64 {
		_, _, cu, cv, e := cell(u, v, 2, 2, 0)
		h := 3*smooth(0.004, 0.02, e) + 0.6*clouds(u, v, 16, 3, 4)
		for _, q := range [][2]float64{{0.12, 0.12}, {0.88, 0.12}, {0.12, 0.88}, {0.88, 0.88}} {
			h += 3 * (1 - smooth(0.03, 0.075, math.Hypot(cu-q[0], cv-q[1])))
		}
		return h
	}
	return solidPaint(128, 128, func(u, v float64) vec {
		i, j, _, _, e := cell(u, v, 2, 2, 0)
		c := rgb(0x6d7078).mul(0.85 + 0.15*hash(i, j, 2)).mul(0.8 + 0.3*clouds(u, v, 4, 5, 3)).mul(0.95 + 0.1*grain(u, v, 64, 12, 8))
		c = c.lerp(rgb(0x7a4a2c), 0.55*smooth(0.56, 0.75, clouds(u, v, 6, 4, 41)))
		return c.mul(0.45 + 0.55*smooth(0.003, 0.012, e))
	}).relief(height)
}

func trim() *picture {
	height := func(u, v float64) float64 {
		e := math.Min(v, 1-v)
		h := 3*smooth(0.03, 0.08, e) - 2*smooth(0.16, 0.2, e)
		return h + 2.5*(1-smooth(0.03, 0.06, math.Hypot(math.Mod(u*2, 1)-0.5, (v-0.5)*2)/2))
	}
	return solidPaint(64, 64, func(u, v float64) vec {
		return rgb(0x5c5f6a).mul(0.85 + 0.25*clouds(u, v, 8, 3, 3))
	}).relief(height)
}

func grate() *picture {
	bar := func(u, v float64) float64 {
		a := math.Abs(math.Mod(u*4, 1) - 0.5)
		b := math.Abs(math.Mod(v*2, 1) - 0.5)
		return math.Max(math.Max(1-smooth(0.10, 0.16, a), 1-smooth(0.07, 0.1, b)), 1-smooth(0.05, 0.06, math.Min(v, 1-v)))
	}
	p := paint(64, 64, func(u, v float64) (vec, float64) {
		a := 0.0
		if bar(u, v) > 0.3 {
			a = 1
		}
		return rgb(0x84807a).mul(0.85 + 0.25*clouds(u, v, 8, 2, 2)), a
	})
	p.relief(func(u, v float64) float64 { return 3 * bar(u, v) })
	for i, a := range p.alpha {
		if a == 0 {
			p.color[i] = rgb(0x3c3a38)
		}
	}
	return p
}

func glass() *picture {
	return paint(32, 32, func(u, v float64) (vec, float64) {
		e := math.Min(math.Min(u, 1-u), math.Min(v, 1-v))
		shine := 1 - smooth(0.02, 0.12, math.Abs(u+v-0.8)/1.4)
		return rgb(0x9fd0dc), 0.16 + 0.3*(1-smooth(0.03, 0.1, e)) + 0.25*shine
	})
}

func cubeFace(glow bool) *picture {
	rune := func(u, v float64) float64 {
		x, y := math.Abs(2*u-1), math.Abs(2*v-1)
		d := math.Abs(x + y - 0.62)
		d = math.Min(d, math.Max(math.Abs(x), 0)+math.Max(y-0.3, 0)*3)
		d = math.Min(d, math.Abs(math.Max(x, y)-0.78))
		return d
	}
	if glow {
		return solidPaint(64, 64, func(u, v float64) vec {
			d := rune(u, v)
			c := rgb(0x30d8ff).mul(1-smooth(0.01, 0.16, d)).lerp(rgb(0xe8ffff), 1-smooth(0.02, 0.05, d))
			return vec{math.Floor(c[0]*15) / 15, math.Floor(c[1]*15) / 15, math.Floor(c[2]*15) / 15}
		})
	}
	return solidPaint(128, 128, func(u, v float64) vec {
		return rgb(0x50525e).mul(0.8 + 0.35*clouds(u, v, 8, 4, 5)).mul(0.5 + 0.5*smooth(0.02, 0.06, rune(u, v)))
	}).relief(func(u, v float64) float64 {
		e := math.Min(math.Min(u, 1-u), math.Min(v, 1-v))
		return 6*smooth(0, 0.07, e) + 4*smooth(0.02, 0.06, rune(u, v))
	})
}

func lampFace(hex int, glow bool) *picture {
	return solidPaint(32, 64, func(u, v float64) vec {
		e := math.Min(math.Min(u, 1-u), math.Min(v, 1-v)*2)
		in := smooth(0.12, 0.2, e)
		slat := smooth(0.06, 0.12, math.Abs(math.Mod(v*5, 1)-0.5))
		if glow {
			return rgb(hex).mul(in * slat * (0.75 + 0.25*e*2))
		}
		return rgb(0x4a4a50).mul(0.8+0.5*smooth(0.0, 0.1, e)).lerp(rgb(hex), in*slat)
	})
}

func strip() *picture {
	return solidPaint(64, 16, func(u, v float64) vec {
		arrow := math.Mod(u*2+math.Abs(v-0.5)*0.7+1, 1)
		k := (1 - smooth(0.3, 0.5, math.Abs(arrow-0.5)*1.6)) * (1 - smooth(0.38, 0.48, math.Abs(v-0.5)))
		return rgb(0x20b8e0).mul(k)
	})
}

func banner() *picture {
	return paint(64, 128, func(u, v float64) (vec, float64) {
		c := rgb(0x8c1c24).mul(0.85 + 0.3*noise(u, v, 64, 3)*noise(v, u, 64, 2))
		e := math.Min(u, 1-u)
		if e > 0.06 && e < 0.11 || v > 0.03 && v < 0.05 {
			c = rgb(0xd8b050)
		}
		x, y := (u-0.5)*2, (v-0.4)*4
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		if r < 0.55*(0.62+0.38*math.Cos(5*(a+math.Pi/2))) || r > 0.6 && r < 0.68 {
			c = rgb(0xe8c868)
		}
		alpha := 1.0
		if v > 0.86+0.13*(1-math.Abs(2*u-1)) {
			alpha = 0
		}
		return c, alpha
	})
}

func decal() *picture {
	return paint(128, 128, func(u, v float64) (vec, float64) {
		x, y := 2*u-1, 2*v-1
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		k := 0.0
		if r > 0.8 && r < 0.9 || r > 0.68 && r < 0.71 {
			k = 1
		}
		if r < 0.62*(0.45+0.55*math.Abs(math.Cos(2*a))) && r > 0.14 {
			k = 1
		}
		worn := smooth(0.36, 0.52, clouds(u, v, 12, 4, 3))
		return rgb(0xe0b040), 0.85 * k * worn
	})
}

func sign() *picture {
	return paint(128, 64, func(u, v float64) (vec, float64) {
		e := math.Min(math.Min(u, 1-u)*2, math.Min(v, 1-v))
		c := rgb(0x12302c)
		if e < 0.06 {
			c = rgb(0xb8c0c0)
		}
		// An arrow to the right and three bars.
		x, y := u*2, v
		if x > 1.2 && x < 1.8 && math.Abs(y-0.5) < 0.3*(1.8-x)/0.6 || x > 0.75 && x <= 1.2 && math.Abs(y-0.5) < 0.09 {
			c = rgb(0x70f0b0)
		}
		for i := range 3 {
			if math.Abs(x-0.25-0.17*float64(i)) < 0.045 && math.Abs(y-0.5) < 0.26 {
				c = rgb(0x70f0b0).mul(0.5 + 0.25*float64(i))
			}
		}
		return c, 1
	})
}

func fan() *picture {
	return paint(128, 128, func(u, v float64) (vec, float64) {
		x, y := 2*u-1, 2*v-1
		r, a := math.Hypot(x, y), math.Atan2(y, x)
		k := math.Mod(a/(2*math.Pi)*5+10+0.25*r, 1)
		if r > 0.94 {
			return vec{}, 0
		}
		if r < 0.2 {
			return rgb(0x8a8c92).mul(1.1 - 2*r), 1
		}
		if k < 0.6 {
			return rgb(0x6c7078).mul(0.6 + 0.8*k), 1
		}
		return rgb(0x0a0a0c), 1
	})
}

func flare() *picture {
	return solidPaint(64, 64, func(u, v float64) vec {
		x, y := 2*u-1, 2*v-1
		r := math.Hypot(x, y)
		k := math.Pow(math.Max(0, 1-r), 2.5) + 0.3*math.Max(0, 1-r)*math.Exp(-60*x*x*y*y-6*math.Min(x*x, y*y)*8)
		return vec{1, 1, 1}.mul(math.Min(k, 1))
	})
}

func detail() *picture {
	return solidPaint(64, 64, func(u, v float64) vec {
		return vec{1, 1, 1}.mul(0.5 + 0.28*(clouds(u, v, 16, 3, 2)-0.5))
	})
}

// screen is one of four frames of a display: a moving wave over a grid.
func screen(frame int) *picture {
	return solidPaint(128, 64, func(u, v float64) vec {
		c := rgb(0x061a1c)
		if math.Mod(u*16, 1) < 0.1 || math.Mod(v*8, 1) < 0.1 {
			c = rgb(0x0e3a38)
		}
		y := 0.5 + 0.26*math.Sin(2*math.Pi*(u*2+float64(frame)/4))*math.Sin(math.Pi*u)
		c = c.lerp(rgb(0x60ffc8), 1-smooth(0.015, 0.05, math.Abs(v-y)))
		y = 0.5 + 0.16*math.Sin(2*math.Pi*(u*3-float64(frame)/4)+1)
		c = c.lerp(rgb(0xffb050), 0.8*(1-smooth(0.01, 0.035, math.Abs(v-y))))
		e := math.Min(math.Min(u, 1-u)*2, math.Min(v, 1-v))
		return c.mul(smooth(0, 0.05, e)).mul(1 - 0.15*float64(int(v*64)&1))
	})
}

// dusk is the sky along a unit direction: mountains, a warm rim, a blue dome with stars, thin clouds, and the sun.
func dusk(d vec) vec {
	az := math.Atan2(d[1], d[0])/(2*math.Pi) + 0.5
	el := math.Asin(math.Min(math.Max(d[2], -1), 1)) / (math.Pi / 2)
	c := rgb(0xffb070).lerp(rgb(0xc06a88), smooth(0.0, 0.22, el)).lerp(rgb(0x54589c), smooth(0.12, 0.5, el)).lerp(rgb(0x22407e),
		smooth(0.4, 1, el))
	// Clouds on a plane above; they fade to the rim.
	if d[2] > 0.05 {
		x, y := d[0]/(d[2]+0.15)*0.16, d[1]/(d[2]+0.15)*0.16
		k := smooth(0.46, 0.72, clouds(x+7, y+7, 6, 5, 5)) * smooth(0.05, 0.25, d[2])
		c = c.lerp(rgb(0xffc8a0).lerp(rgb(0xb0b8d8), smooth(0.2, 0.9, el)), 0.65*k)
		if n := 220.0; el > 0.3 {
			i, j := math.Floor(d[0]*n), math.Floor(d[1]*n)
			if h := hash(int(i), int(j), 3); h > 0.993 {
				c = c.add(vec{1, 1, 1}.mul((h - 0.993) * 90 * (1 - k) * smooth(0.3, 0.8, el)))
			}
		}
	}
	sun := vec{-0.30, -0.30, 0.9}.unit()
	k := math.Max(0, d.dot(sun))
	c = c.add(rgb(0xffd090).mul(0.55*math.Pow(k, 14) + 0.9*math.Pow(k, 300)))
	for layer, tone := range []vec{rgb(0x8a5a7c), rgb(0x54406c), rgb(0x2c2844)} {
		top := 0.20 - 0.055*float64(layer) + 0.14*(clouds(az, 0.37+0.2*float64(layer), 8<<layer, 5, 60+layer)-0.5)
		c = c.lerp(tone.lerp(rgb(0xc88878), 0.35*smooth(-0.1, top, el)), smooth(-0.004, 0.004, top-el))
	}
	return c.lerp(rgb(0x1a1826), smooth(0.02, -0.2, el))
}
