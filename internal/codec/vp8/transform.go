package vp8

// The cosines of the transform, √2·cos(π/8) and √2·sin(π/8): in 4096ths for the forward transform, in 65536ths for
// the inverse.
const (
	cos4096, sin4096   = 5352, 2217
	cos65536, sin65536 = 85627, 35468
)

// forward transforms the difference between 4 x 4 pixels and their prediction. RFC 6386 defines only the inverse
// (section 14.4), which multiplies by 4 in each direction and divides by 8; so forward multiplies by a half.
func forward(src, predicted []uint8, stride int, out *[16]int32) {
	var t [16]int32
	for y := range 4 {
		s, p := src[y*stride:y*stride+4:y*stride+4], predicted[y*stride:y*stride+4:y*stride+4]
		d0, d1, d2, d3 := int32(s[0])-int32(p[0]), int32(s[1])-int32(p[1]), int32(s[2])-int32(p[2]), int32(s[3])-int32(p[3])
		a, b, c, d := d0+d3, d1+d2, d1-d2, d0-d3
		t[y*4], t[y*4+1] = (a+b)<<3, (d*cos4096+c*sin4096+256)>>9
		t[y*4+2], t[y*4+3] = (a-b)<<3, (d*sin4096-c*cos4096+256)>>9
	}
	for x := range 4 {
		a, b, c, d := t[x]+t[12+x], t[4+x]+t[8+x], t[4+x]-t[8+x], t[x]-t[12+x]
		out[x], out[4+x] = (a+b+8)>>4, (d*cos4096+c*sin4096+1<<15)>>16
		out[8+x], out[12+x] = (a-b+8)>>4, (d*sin4096-c*cos4096+1<<15)>>16
	}
}

// back adds the inverse transform of coefficients to 4 x 4 pixels.
func back(in *[16]int32, pixels []uint8, stride int) {
	var m [16]int32
	for i := range 4 {
		a, b := in[i]+in[8+i], in[i]-in[8+i]
		c := in[4+i]*sin65536>>16 - in[12+i]*cos65536>>16
		d := in[4+i]*cos65536>>16 + in[12+i]*sin65536>>16
		m[i*4], m[i*4+1], m[i*4+2], m[i*4+3] = a+d, b+c, b-c, a-d
	}
	for y := range 4 {
		dc := m[y] + 4
		a, b := dc+m[8+y], dc-m[8+y]
		c := m[4+y]*sin65536>>16 - m[12+y]*cos65536>>16
		d := m[4+y]*cos65536>>16 + m[12+y]*sin65536>>16
		p := pixels[y*stride : y*stride+4 : y*stride+4]
		p[0], p[1] = clip(int32(p[0])+(a+d)>>3), clip(int32(p[1])+(b+c)>>3)
		p[2], p[3] = clip(int32(p[2])+(b-c)>>3), clip(int32(p[3])+(a-d)>>3)
	}
}

// backFlat is back for a block whose coefficients after the first are 0.
func backFlat(dc int32, pixels []uint8, stride int) {
	dc = (dc + 4) >> 3
	for y := range 4 {
		p := pixels[y*stride : y*stride+4 : y*stride+4]
		p[0], p[1], p[2], p[3] = clip(int32(p[0])+dc), clip(int32(p[1])+dc), clip(int32(p[2])+dc), clip(int32(p[3])+dc)
	}
}

func clip(v int32) uint8 {
	if uint32(v) < 256 {
		return uint8(v)
	}
	return uint8(min(max(v, 0), 255))
}

// hadamard transforms the first coefficients of a macroblock's 16 blocks, and multiplies by a half.
func hadamard(in *[16]int32, out *[16]int32) {
	var m [16]int32
	for i := range 4 {
		m[i], m[4+i], m[8+i], m[12+i] = butterfly(in[i], in[4+i], in[8+i], in[12+i])
	}
	for i := 0; i < 16; i += 4 {
		a, b, c, d := butterfly(m[i], m[i+1], m[i+2], m[i+3])
		out[i], out[i+1], out[i+2], out[i+3] = (a+1)>>1, (b+1)>>1, (c+1)>>1, (d+1)>>1
	}
}

// hadamardBack is the inverse of hadamard. RFC 6386, section 14.3.
func hadamardBack(in *[16]int32, out *[16]int32) {
	var m [16]int32
	for i := range 4 {
		m[i], m[4+i], m[8+i], m[12+i] = butterfly(in[i], in[4+i], in[8+i], in[12+i])
	}
	for i := 0; i < 16; i += 4 {
		a, b, c, d := butterfly(m[i]+3, m[i+1], m[i+2], m[i+3])
		out[i], out[i+1], out[i+2], out[i+3] = a>>3, b>>3, c>>3, d>>3
	}
}

func butterfly(a, b, c, d int32) (int32, int32, int32, int32) {
	return a + b + c + d, a + b - c - d, a - b - c + d, a - b + c - d
}
