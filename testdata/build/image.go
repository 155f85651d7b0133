package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
)

// picture holds colours of 0 to 1 as they are on the screen, and alpha.
type picture struct {
	w, h  int
	color []vec
	alpha []float64
}

// paint fills a picture. u and v go from 0 to 1, to the right and down.
func paint(w, h int, f func(u, v float64) (vec, float64)) *picture {
	p := &picture{w: w, h: h}
	for y := range h {
		for x := range w {
			c, a := f((float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h))
			p.color, p.alpha = append(p.color, c), append(p.alpha, a)
		}
	}
	return p
}

// solidPaint is paint without alpha.
func solidPaint(w, h int, f func(u, v float64) vec) *picture {
	return paint(w, h, func(u, v float64) (vec, float64) { return f(u, v), 1 })
}

// relief shades the picture as if it were as high as f says, in pixels, lit from above left. It repeats at the edges.
func (p *picture) relief(f func(u, v float64) float64) *picture {
	at := func(x, y int) float64 {
		x, y = (x+p.w)%p.w, (y+p.h)%p.h
		return f((float64(x)+0.5)/float64(p.w), (float64(y)+0.5)/float64(p.h))
	}
	for y := range p.h {
		for x := range p.w {
			dx, dy := at(x+1, y)-at(x-1, y), at(x, y+1)-at(x, y-1)
			n := vec{-dx / 2, -dy / 2, 1}.unit()
			l := n.dot(vec{-0.42, -0.55, 0.72}) / 0.72
			p.color[y*p.w+x] = p.color[y*p.w+x].mul(math.Min(math.Max(l, 0.35), 1.5))
		}
	}
	return p
}

func byteOf(f float64) uint8 { return uint8(math.Min(math.Max(math.Floor(f*255+0.5), 0), 255)) }

func (p *picture) nrgba() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, p.w, p.h))
	for i, c := range p.color {
		m.SetNRGBA(i%p.w, i/p.w, color.NRGBA{byteOf(c[0]), byteOf(c[1]), byteOf(c[2]), byteOf(p.alpha[i])})
	}
	return m
}

func (p *picture) png() []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, p.nrgba()); err != nil {
		panic(err) // a bytes.Buffer takes everything
	}
	return b.Bytes()
}

func (p *picture) jpg(quality int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.nrgba(), &jpeg.Options{Quality: quality}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// tga returns a Targa of type 2, or 10 if rle, bottom row first, with 24 or 32 bits.
func (p *picture) tga(rle bool, bits int) []byte {
	b := make([]byte, 18)
	b[2] = 2
	if rle {
		b[2] = 10
	}
	b[12], b[13], b[14], b[15], b[16] = byte(p.w), byte(p.w>>8), byte(p.h), byte(p.h>>8), byte(bits)
	if bits == 32 {
		b[17] = 8
	}
	for y := p.h - 1; y >= 0; y-- {
		row := make([][]byte, p.w)
		for x := range row {
			c, a := p.color[y*p.w+x], p.alpha[y*p.w+x]
			row[x] = []byte{byteOf(c[2]), byteOf(c[1]), byteOf(c[0]), byteOf(a)}[:bits/8]
		}
		if !rle {
			b = append(b, bytes.Join(row, nil)...)
			continue
		}
		for x := 0; x < p.w; {
			n := 1
			for n < 128 && x+n < p.w && bytes.Equal(row[x], row[x+n]) {
				n++
			}
			if n > 1 {
				b = append(append(b, byte(127+n)), row[x]...)
				x += n
				continue
			}
			for n < 128 && x+n < p.w && (x+n+1 == p.w || !bytes.Equal(row[x+n], row[x+n+1])) {
				n++
			}
			b = append(b, byte(n-1))
			b = append(b, bytes.Join(row[x:x+n], nil)...)
			x += n
		}
	}
	return b
}

// noise is smooth, from 0 to 1, and repeats with u and v every 1; n is the number of bumps.
func noise(u, v float64, n, seed int) float64 { return grain(u, v, n, n, seed) }

// grain is noise with nx bumps along u and ny along v.
func grain(u, v float64, nx, ny, seed int) float64 {
	x, y := u*float64(nx), v*float64(ny)
	i, j := math.Floor(x), math.Floor(y)
	fx, fy := x-i, y-j
	fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
	at := func(a, b int) float64 { return hash(((a%nx)+nx)%nx, ((b%ny)+ny)%ny, seed*31+nx) }
	x0, y0 := int(i), int(j)
	top := at(x0, y0)*(1-fx) + at(x0+1, y0)*fx
	low := at(x0, y0+1)*(1-fx) + at(x0+1, y0+1)*fx
	return top*(1-fy) + low*fy
}

// clouds adds up noise of finer and finer grain.
func clouds(u, v float64, n, octaves, seed int) float64 {
	sum, amp, total := 0.0, 1.0, 0.0
	for range octaves {
		sum += amp * noise(u, v, n, seed)
		total += amp
		amp /= 2
		n *= 2
	}
	return sum / total
}

// cracks returns how far the nearest and the second nearest of n × n scattered points are, in cells, and which is near.
func cracks(u, v float64, n, seed int) (first, second float64, id int) {
	first, second = 9, 9
	x, y := int(math.Floor(u*float64(n))), int(math.Floor(v*float64(n)))
	for j := y - 1; j <= y+1; j++ {
		for i := x - 1; i <= x+1; i++ {
			a, b := ((i%n)+n)%n, ((j%n)+n)%n
			px, py := float64(i)+0.1+0.8*hash(a, b, seed), float64(j)+0.1+0.8*hash(a, b, seed+1)
			d := math.Hypot(u*float64(n)-px, v*float64(n)-py)
			if d < first {
				first, second, id = d, first, b*n+a
			} else if d < second {
				second = d
			}
		}
	}
	return first, second, id
}

// smooth goes from 0 at a to 1 at b.
func smooth(a, b, x float64) float64 {
	t := math.Min(math.Max((x-a)/(b-a), 0), 1)
	return t * t * (3 - 2*t)
}

func rgb(hex int) vec {
	return vec{float64(hex>>16) / 255, float64(hex>>8&255) / 255, float64(hex&255) / 255}
}

// cell returns which of nx × ny cells a place is in, where in it (0 to 1), and how far from its edge in units of 1.
func cell(u, v float64, nx, ny int, shift float64) (i, j int, cu, cv, edge float64) {
	y := v * float64(ny)
	j = int(math.Floor(y))
	x := u*float64(nx) + shift*float64(j&1)
	i = int(math.Floor(x))
	cu, cv = x-math.Floor(x), y-math.Floor(y)
	edge = math.Min(math.Min(cu, 1-cu)/float64(nx), math.Min(cv, 1-cv)/float64(ny))
	return (i%nx + nx) % nx, j, cu, cv, edge
}
