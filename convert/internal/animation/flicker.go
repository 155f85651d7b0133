package animation

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A pattern has a letter for each tenth of a second: a is dark, m shows the lamp as it is.
const (
	letter = 0.1
	asItIs = 'm' - 'a'
)

// flickers returns how the intensity of lamps changes whose style flickers.
func (in *Input) flickers() (list []propertyTrack) {
	times := map[uint8][]float32{} // shared by the lamps of a style
	for i := range in.World.Lights {
		node, style := in.Placed.Lamps[i], in.World.Lights[i].Style&^world.NightStyle
		pattern := strings.ToLower(in.World.Baked.Patterns[style])
		if node == scene.None || len(pattern) < 2 {
			continue
		}
		lamp := in.Placed.Nodes[node].Light
		if lamp == scene.None {
			continue
		}
		p := propertyTrack{size: 1, step: !in.World.Baked.Smooth, period: letter * float64(len(pattern))}
		p.pointer = fmt.Sprintf("/extensions/KHR_lights_punctual/lights/%d/intensity", lamp)
		intensity := in.Placed.Lights[lamp].Intensity
		if times[style] == nil {
			for k := range len(pattern) + 1 {
				times[style] = append(times[style], float32(letter*float64(k)))
			}
		}
		p.times = times[style]
		for k := range len(pattern) + 1 {
			level := max(int(pattern[k%len(pattern)])-'a', 0)
			p.values = append(p.values, float32(intensity*float64(level)/asItIs))
		}
		if p.changes() {
			list = append(list, p)
		}
	}
	return list
}
