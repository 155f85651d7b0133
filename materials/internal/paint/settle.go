package paint

// settle writes a row of base colour and alpha, and of emission if glow is not nil. If masked, the alpha is already
// written. It reports whether nothing behind shows through.
func (c *Canvas) settle(row, glow []byte, gain float32, masked bool) bool {
	covered := true
	lit, added, through := &c.Planes[LitPlane], &c.Planes[GlowPlane], &c.Planes[throughPlane]
	if masked || !through.Set {
		store(row, lit.Values, gain)
		if !masked {
			for i := 3; i < len(row); i += 4 {
				row[i] = 255
			}
		}
		if glow != nil {
			store(glow, added.Values, 1)
		}
		return true
	}
	for x := range len(row) / 4 {
		v := [3]float32{lit.Values[3*x], lit.Values[3*x+1], lit.Values[3*x+2]}
		p := row[4*x : 4*x+4 : 4*x+4]
		p[3] = 255
		if c.tints(x) {
			covered = false
			c.tint(x, p)
			continue
		}
		opacity := c.opacity(x)
		if opacity < 0.998 {
			covered = false
			if p[3] = Value(opacity); p[3] == 0 {
				p[0], p[1], p[2] = 0, 0, 0
				continue
			}
			v[0], v[1], v[2] = v[0]/opacity, v[1]/opacity, v[2]/opacity
		}
		p[0], p[1], p[2] = Value(v[0]/gain), Value(v[1]/gain), Value(v[2]/gain)
		if glow != nil {
			for k := range 3 {
				glow[4*x+k] = Value(added.Values[3*x+k] / opacity)
			}
		}
	}
	return covered
}

// store writes the colours of a row, divided by gain, and leaves its alpha.
func store(row []byte, values []float32, gain float32) {
	for x := range len(row) / 4 {
		v, p := values[3*x:3*x+3:3*x+3], row[4*x:4*x+4:4*x+4]
		if gain == 1 {
			p[0], p[1], p[2] = Value(v[0]), Value(v[1]), Value(v[2])
		} else {
			p[0], p[1], p[2] = Value(v[0]/gain), Value(v[1]/gain), Value(v[2]/gain)
		}
	}
}

// tints reports whether a pixel tints or brightens the background, which an opacity can't express. With light on
// top of it no single colour would do.
func (c *Canvas) tints(x int) bool {
	const same = 1.0 / 255
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	return c.unlit && !c.apart && (max(t[0], t[1], t[2])-min(t[0], t[1], t[2]) > same || t[0] > 1+same)
}

// tint approximates glow + through·D by a blend D·(1-a) + b·a that is the same for a grey D of one half. a is the
// greatest distance of through from 1, or more if b would be out of range otherwise.
func (c *Canvas) tint(x int, px []byte) {
	t := c.Planes[throughPlane].Values[3*x : 3*x+3 : 3*x+3]
	var added [3]float32
	if p := &c.Planes[LitPlane]; p.Set { // draw has put it there
		added = [3]float32(p.Values[3*x:])
	}
	a := float32(0)
	for k, o := range added {
		a = max(a, 1-t[k], t[k]-1, float32(2*o)+t[k]-1)
	}
	a = min(a, 1)
	for k, o := range added {
		px[k] = Value((o + float32((t[k]-1+a)/2)) / a)
	}
	px[3] = Value(a)
}

// opacity returns the share of the background that is hidden, which is at least enough to keep the colour in range.
func (c *Canvas) opacity(x int) float32 {
	through, most := float32(0), float32(0)
	for k := 3 * x; k < 3*x+3; k++ {
		through += c.Planes[throughPlane].Values[k] / 3
		sum := float32(0)
		for i := range 2 {
			if c.Planes[i].Set {
				sum += c.Planes[i].Values[k]
			}
		}
		most = max(most, sum)
	}
	return min(max(1-through, min(most, 1)), 1)
}
