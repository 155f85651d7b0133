package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
)

func heightsOf(v *vmt.Material, n int) heights {
	at := fmt.Sprintf("$texture%d_", n)
	get := func(name string, otherwise float64) float32 { return float32(v.Float(name, otherwise)) }
	return heights{
		set: luminances(v, n) != nil, low: get(at+"lumstart", 0), high: get(at+"lumend", 1),
		start: get(at+"blendstart", 0), end: get(at+"blendend", 1), own: get(fmt.Sprintf("$lumblendfactor%d", n), 1),
	}
}
