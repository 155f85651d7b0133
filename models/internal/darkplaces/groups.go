package darkplaces

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
)

// maxGroups is the most sequences read of a .framegroups file.
const maxGroups = 4096

// parseGroups parses NAME.framegroups: a line per sequence, with the number of its first pose, the number of its
// poses, frames per second, 1 if it loops, and a name. Defaults are 20, 1 and a name made of the number. DarkPlaces,
// model_shared.c, Mod_FrameGroupify_ParseGroups. Nexuiz writes names as comments, which are used where there is no
// other name.
func parseGroups(data []byte, poses int) (list []sequence) {
	for line := range strings.Lines(string(data)) {
		line, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) < 2 || poses < 1 || len(list) == maxGroups {
			continue
		}
		number := func(i int, or float64) float64 {
			if i >= len(words) {
				return or
			}
			x, err := strconv.ParseFloat(words[i], 64)
			if err != nil || math.IsNaN(x) {
				return 0
			}
			return max(-1e9, min(x, 1e9))
		}
		s := sequence{first: max(0, min(int(number(0, 0)), poses-1)), fps: max(1, min(number(2, 20), 1e4)), loops: int(number(3, 1)) != 0}
		s.count = max(1, min(int(number(1, 1)), poses-s.first))
		switch {
		case len(words) > 4:
			s.name = entlump.Text(strings.Trim(words[4], `"`))
		case strings.TrimSpace(comment) != "":
			s.name = entlump.Text(strings.TrimSpace(comment))
		default:
			s.name = fmt.Sprintf("groupified_%d_anim", len(list))
		}
		list = append(list, s)
	}
	return list
}
