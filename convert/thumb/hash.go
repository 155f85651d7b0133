package thumb

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// look returns a hash of everything that a picture of a scene depends on.
func look(s *scene.Scene, model bool) []byte {
	sum := sha256.New()
	h := bufio.NewWriterSize(sum, 1<<16)
	fmt.Fprintln(h, model)
	for i := range s.Skins {
		fmt.Fprintln(h, s.Skins[i].Joints, s.Skins[i].Inverse)
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		fmt.Fprintln(h, n.Parent, n.Mesh, n.Skin, n.Camera, n.Translation, n.Rotation, n.Scale, n.Scenery, n.Unseen, n.Extras["classname"])
	}
	for i := range s.Materials {
		m := &s.Materials[i]
		fmt.Fprintln(h, m.Sky != nil, m.Base, m.BaseColor, m.Alpha, m.Cutoff, m.Draw.DoubleSided, m.Unlit, m.Draw.Unlit, m.Lightmap,
			m.Intensity, m.Emission.Color,
			m.Emission.Slot, m.Emission.Strength)
		if d := m.Display; d != nil {
			fmt.Fprintln(h, d.Albedo, d.Exponent, d.Gain, d.Emission != nil && *d.Emission != [3]float64{})
		}
	}
	for i := range s.Meshes {
		for k := range s.Meshes[i].Primitives {
			p := &s.Meshes[i].Primitives[k]
			fmt.Fprintln(h, p.Material, len(p.Indices))
			for _, v := range p.Positions {
				hashFloats(h, v[:])
			}
			for _, v := range p.UV {
				hashFloats(h, v[:])
			}
			for i := range p.Weights {
				_, _ = h.Write(p.Joints[i][:])
				hashFloats(h, p.Weights[i][:])
			}
		}
	}
	for i := range s.Images {
		_, _ = h.Write(s.Images[i].Data)
	}
	_ = h.Flush()
	return sum.Sum(nil)
}

// hashFloats hashes numbers by their bits.
func hashFloats(h *bufio.Writer, v []float32) {
	var b [4]byte
	for _, x := range v {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(x))
		_, _ = h.Write(b[:])
	}
}
