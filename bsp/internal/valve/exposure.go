package valve

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// usualExposure is that of a map that says nothing about it (mat_autoexposure_min, _max, mat_tonemap_percent_target and
// _percent_bright_pixels). Source SDK 2013, viewpostprocess.cpp.
var usualExposure = world.Exposure{Min: 0.5, Max: 2, Target: 0.6, Bright: 0.02}

// tonemapper is the class whose inputs change the exposure.
const tonemapper = "env_tonemap_controller"

// StartExposure returns how pictures of a map's HDR light are exposed when the map starts: as usual, changed by the inputs that the
// outputs of a logic_auto send to a controller. Of Source SDK 2013, env_tonemap_controller.cpp; the two percentages are inputs of later
// games.
func StartExposure(entities []world.Entity) *world.Exposure {
	names := map[string]bool{tonemapper: true}
	for i := range entities {
		if e := &entities[i]; strings.EqualFold(e.Class(), tonemapper) {
			names[strings.ToLower(e.Value("targetname"))] = true
		}
	}
	out := usualExposure
	for s := range startInputs(entities) {
		if names[s.target] {
			input(&out, s.input, s.value)
		}
	}
	out.Max = max(out.Max, out.Min)
	return &out
}

// input changes an exposure as an input of a controller does. Only numbers above 0 count.
func input(e *world.Exposure, name, text string) {
	if name == "usedefaultautoexposure" {
		e.Min, e.Max = usualExposure.Min, usualExposure.Max
		return
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x > 0 && x <= 1000) {
		return
	}
	switch name {
	case "setautoexposuremin":
		e.Min = x
	case "setautoexposuremax":
		e.Max = x
	case "settonemappercenttarget":
		e.Target = min(x, 100) / 100
	case "settonemappercentbrightpixels":
		e.Bright = min(x, 100) / 100
	}
}
