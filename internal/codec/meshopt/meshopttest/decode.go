// Package meshopttest decodes the streams of package meshopt, for tests. It was written from the specification, not from
// the encoder. It may panic on a broken stream.
package meshopttest

import "errors"

var errStream = errors.New("the stream is broken")

const tailBytes = 32

// Vertices unpacks count vertices of stride bytes. It does not undo filters.
func Vertices(in []byte, count, stride int) ([]byte, error) {
	if len(in) < 1+max(stride, tailBytes) || in[0] != 0xa0 {
		return nil, errStream
	}
	last := append([]byte(nil), in[len(in)-stride:]...)
	in = in[1:]
	out := make([]byte, count*stride)
	block := min(8192/stride&^15, 256)
	for start := 0; start < count; start += block {
		n := min(block, count-start)
		groups := (n + 15) / 16
		for k := range stride {
			head := in[:(groups+3)/4]
			in = in[len(head):]
			for g := range groups {
				var group [16]byte
				switch bits := [4]int{0, 2, 4, 8}[head[g/4]>>(g%4*2)&3]; bits {
				case 8:
					in = in[copy(group[:], in):]
				case 2, 4:
					packed := in[:2*bits]
					in = in[2*bits:]
					for i := range group {
						group[i] = packed[i*bits/8] >> (8 - bits - i*bits%8) & (1<<bits - 1)
						if group[i] == 1<<bits-1 {
							group[i], in = in[0], in[1:]
						}
					}
				}
				for i, z := range group {
					if at := g*16 + i; at < n {
						last[k] += z>>1 ^ -(z & 1)
						out[(start+at)*stride+k] = last[k]
					}
				}
			}
		}
	}
	if len(in) != max(stride, tailBytes) {
		return nil, errStream
	}
	return out, nil
}

// Triangles unpacks count indices.
func Triangles(in []byte, count int) ([]uint32, error) {
	if len(in) < 1+count/3+16 || in[0] != 0xe1 {
		return nil, errStream
	}
	codes, data, table := in[1:1+count/3], in[1+count/3:len(in)-16], in[len(in)-16:]
	var edges [][2]uint32 // the latest last
	var vertices []uint32
	var next, last uint32
	explicit := func() uint32 {
		var z uint32
		z, data = varint(data)
		last += z>>1 ^ -(z & 1)
		return last
	}
	fresh := func() uint32 { next++; return next - 1 }
	var out []uint32
	for _, code := range codes {
		if code < 0xf0 {
			edge := edges[len(edges)-1-int(code>>4)]
			var c uint32
			keep := true
			switch f := int(code & 15); f {
			case 0:
				c = fresh()
			case 15:
				c = explicit()
			case 13:
				last--
				c = last
			case 14:
				last++
				c = last
			default:
				c, keep = vertices[len(vertices)-1-f], false
			}
			if keep {
				vertices = append(vertices, c)
			}
			edges = append(edges, [2]uint32{c, edge[1]}, [2]uint32{edge[0], c})
			out = append(out, edge[0], edge[1], c)
			continue
		}
		f := [3]int{}
		if code < 0xfe {
			f[1], f[2] = int(table[code&15]>>4), int(table[code&15]&15)
		} else {
			f = [3]int{int(code&1) * 15, int(data[0] >> 4), int(data[0] & 15)}
			if data[0] == 0 {
				next = 0
			}
			data = data[1:]
		}
		var t [3]uint32
		known := len(vertices)
		for k := range t {
			if f[k] == 0 {
				t[k] = fresh()
			} else if f[k] < 15 {
				t[k] = vertices[known-f[k]]
			}
		}
		for k := range t {
			if f[k] == 15 {
				t[k] = explicit()
			}
			if f[k] == 0 || f[k] == 15 {
				vertices = append(vertices, t[k])
			}
		}
		edges = append(edges, [2]uint32{t[1], t[0]}, [2]uint32{t[2], t[1]}, [2]uint32{t[0], t[2]})
		out = append(out, t[:]...)
	}
	if len(data) != 0 {
		return nil, errStream
	}
	return out, nil
}

// varint reads a number with seven bits per byte, the lowest first.
func varint(data []byte) (n uint32, rest []byte) {
	for shift := 0; ; shift += 7 {
		b := data[0]
		data = data[1:]
		n |= uint32(b&127) << shift
		if b < 128 {
			return n, data
		}
	}
}
