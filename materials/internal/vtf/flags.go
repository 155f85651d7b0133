package vtf

import "fmt"

// flagNames are the bits of Flags that have the same meaning in most branches of the engine. Source SDK 2013,
// public/vtf/vtf.h.
var flagNames = [32]string{
	0: "point sampled", 1: "trilinear", 2: "clamped along s", 3: "clamped along t", 4: "anisotropic", 5: "hint for DXT5", 7: "normal map",
	8: "no mips", 9: "no level of detail", 10: "all mips", 11: "procedural", 12: "one bit of alpha", 13: "eight bits of alpha",
	14: "cubemap", 15: "render target", 16: "depth render target", 17: "no debug override", 18: "single copy", 19: "sRGB",
	23: "no depth buffer", 25: "clamped along u", 26: "vertex texture", 27: "self-shadowed bump map", 29: "border",
}

// FlagNames returns the names of the flags that are set, lowest bit first. A flag without a name is named by its bit.
func (f *File) FlagNames() (names []string) {
	for bit, name := range flagNames {
		switch {
		case f.Flags>>bit&1 == 0:
		case name == "":
			names = append(names, fmt.Sprintf("%#x", 1<<bit))
		default:
			names = append(names, name)
		}
	}
	return names
}
