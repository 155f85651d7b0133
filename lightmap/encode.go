package lightmap

import "math"

// encodeTable turns linear light into the nearest 8-bit sRGB value: the float's upper bits give the value at the start
// of their interval, and comparisons with the next values' thresholds make it exact.
type encodeTable struct {
	start     [12 << tableBits]uint8 // for 2^-12 to 1
	threshold [256]float32           // the least light that becomes the value
}

const (
	tableBits = 8 // mantissa bits of the index
	least     = 1.0 / (1 << 12)
)

var srgb = newEncodeTable()

func newEncodeTable() *encodeTable {
	t := &encodeTable{}
	for i := 1; i < 256; i++ {
		exact := decodeSRGB((float64(i) - 0.5) / 255)
		t.threshold[i] = float32(exact)
		if float64(t.threshold[i]) < exact {
			t.threshold[i] = math.Nextafter32(t.threshold[i], 1)
		}
	}
	v := 0
	for i := range t.start {
		light := math.Float32frombits(math.Float32bits(least) + uint32(i)<<(23-tableBits))
		for v < 255 && t.threshold[v+1] <= light {
			v++
		}
		t.start[i] = uint8(v)
	}
	return t
}

// value is the 8-bit sRGB value nearest to linear light; below 0 is 0 and above 1 is 255.
func (t *encodeTable) value(light float32) uint8 {
	switch {
	case !(light >= least): // NaN too
		if light >= t.threshold[1] {
			return 1
		}
		return 0
	case light >= 1:
		return 255
	}
	v := t.start[(math.Float32bits(light)-math.Float32bits(least))>>(23-tableBits)]
	for v < 255 && light >= t.threshold[v+1] {
		v++
	}
	return v
}

func decodeSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}
