package lift

import "fmt"

// VersionText is a version as people have it. Dark Messiah's and Apex Legends' have a second number in the upper half.
func VersionText(version int) string {
	if second := version >> 16; second > 0 && second < 1<<8 {
		return fmt.Sprintf("%d.%d", version&0xffff, second)
	}
	return fmt.Sprint(version)
}
