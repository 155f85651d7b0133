package valve

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// describe puts a material's parameters into its extras, unless bare is set.
func describe(m *pbr.Material, e *lookup.Entry, bare bool) {
	if bare {
		return
	}
	x := m.Extras
	x["vmt_file"], x["vmt_shader"] = e.File, e.Material.Shader
	for _, p := range e.Material.Params {
		if _, taken := x[p.Name]; !taken && !plan.OwnExtras[p.Name] {
			x[p.Name] = p.Value
		}
	}
	var proxies []string
	for _, p := range e.Material.Proxies {
		words := []string{p.Name}
		for _, q := range p.Params {
			words = append(words, fmt.Sprintf("%s=%s", q.Name, q.Value))
		}
		proxies = append(proxies, strings.Join(words, " "))
	}
	if len(proxies) > 0 {
		x["vmt_proxies"] = strings.Join(proxies, "; ")
	}
}
