package valve

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
)

func heightsOf(v *vmt.Material, n int) paint.Heights {
	at := fmt.Sprintf("$texture%d_", n)
	get := func(name string, otherwise float64) float32 { return float32(v.Float(name, otherwise)) }
	return paint.Heights{
		Set: luminances(v, n) != nil, Low: get(at+"lumstart", 0), High: get(at+"lumend", 1),
		Start: get(at+"blendstart", 0), End: get(at+"blendend", 1), Balance: get(fmt.Sprintf("$lumblendfactor%d", n), 1),
	}
}
