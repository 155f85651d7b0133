package animation

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/keyframes"
)

const (
	// longestRound is the seconds that the animation of the start may take so that all of its loops end together.
	longestRound = 60

	// slightly is the part by which a loop may be faster or slower than in the game, so that the animation of the start can end sooner.
	slightly = 0.003

	// maxKeys bounds the keys of a loop that is repeated.
	maxKeys = 1 << 14
)

// duration is how many seconds something moves: once, then again and again.
type duration struct{ once, loop float64 }

// roundOf returns the seconds after which all loops end together, in tenths; if that is too long, those after which they nearly do: each
// is then a little faster or slower than in the game, and nothing jumps when the animation begins again.
func roundOf(list []duration) float64 {
	longest, loops := 0.0, make([]float64, len(list))
	for i, s := range list {
		longest, loops[i] = max(longest, s.once+s.loop), s.loop
	}
	if together, ok := keyframes.CommonPeriod(loops, longestRound); ok && together >= longest {
		return together
	}
	return nearlyTogether(list, longest)
}

// nearlyTogether returns a time at which the longest loop ends, and all others end if they are made slightly faster or slower: the first at
// which no loop changes by more than slightly, else the time at which the loop that changes most changes least.
func nearlyTogether(list []duration, longest float64) float64 {
	var main duration
	for _, s := range list {
		if s.loop > main.loop && (s.once == 0 || main.once > 0 || main.loop == 0) || s.loop > 0 && s.once == 0 && main.once > 0 {
			main = s
		}
	}
	best, least := longest, math.Inf(1)
	for turns := 1.0; main.loop > 0 && turns < 1<<12; turns++ {
		end := main.once + float64(turns*main.loop)
		if end > max(3*longest, longestRound) && least < math.Inf(1) {
			break
		}
		worst := 0.0
		for _, s := range list {
			if s.loop > 0 && s.once == 0 {
				_, stretch := fit(s.once, s.loop, end)
				worst = max(worst, math.Abs(stretch-1))
			}
		}
		if end >= longest && worst < least {
			best, least = end, worst
		}
		if least <= slightly {
			break
		}
	}
	return best
}

// fit returns how many times a loop is repeated until an end, and the factor of its times by which it ends just there. A loop that begins
// after some seconds is not stretched: the end cuts it off, because it jumps back to its start there in any case.
func fit(once, period, end float64) (times int, stretch float64) {
	if once > 0 {
		return int(min(max(math.Ceil((end-instant-once)/period), 0), 1<<20)), 1
	}
	n := min(max(math.Round(end/period), 1), 1<<20)
	if stretch = end / (n * period); math.Abs(stretch-1) < 1e-9 || !(stretch > 0) {
		stretch = 1
	}
	return int(n), stretch
}
