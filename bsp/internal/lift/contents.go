package lift

import "strings"

// Contents is a bit of contents with its name.
type Contents = struct {
	Bit  uint32
	Name string
}

// ContentsNames returns the names of bits, separated by spaces.
func ContentsNames(bits uint32, of []Contents) string {
	var names []string
	for _, c := range of {
		if bits&c.Bit != 0 {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, " ")
}
