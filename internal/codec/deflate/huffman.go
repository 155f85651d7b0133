package deflate

import "github.com/bsp2gltf/bsp2gltf/internal/codec/huffman"

// codes holds the Huffman codes of a block.
type codes struct {
	lit  [286]huffman.Code
	dist [30]huffman.Code

	packed [256]uint32 // of the literals: the bits, and their number in the lowest byte
	maker  huffman.Maker
}

func (c *codes) make(lits *[286]uint32, dists *[30]uint32) {
	c.maker.Assign(c.lit[:], lits[:], 14) // the format allows 15: see bitWriter.literals
	c.maker.Assign(c.dist[:], dists[:], 15)
}

// size returns how many bits a block takes, without its header.
func (c *codes) size(lits *[286]uint32, dists *[30]uint32) (n int) {
	for i, k := range lits {
		n += int(k) * int(c.lit[i].N)
		if i > 256 {
			n += int(k) * int(lengthExtra[i-257])
		}
	}
	for i, k := range dists {
		n += int(k) * (int(c.dist[i].N) + max(i/2-1, 0))
	}
	return n
}
