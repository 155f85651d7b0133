package q3shader_test

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
)

func Example() {
	library := q3shader.NewLibrary()
	library.Add("scripts/liquids.shader", []byte(`
textures/liquids/lava
{
	surfaceparm lava
	cull none
	{
		map textures/liquids/lava.tga
		tcMod scale 2 2
		tcMod scroll 0.5 0
	}
}`))
	s := library.Find(`Textures\Liquids\Lava.tga`)
	fmt.Printf("%s, line %d: sort %v, contents %#x\n", s.Name, s.Line, s.SortOrder(), s.Contents)
	fmt.Println(s.Stages[0].Maps, s.Stages[0].Matrix(1))
	// Output:
	// textures/liquids/lava, line 2: sort 3, contents 0x8
	// [textures/liquids/lava.tga] [2 0 0.5 0 2 0]
}
