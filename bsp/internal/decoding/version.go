package decoding

import "fmt"

// VersionText formats a version for people. Dark Messiah's and Apex Legends' have a second number in the upper half.
func VersionText(version int) string {
	if second := version >> 16; second > 0 && second < 1<<8 {
		return fmt.Sprintf("%d.%d", version&0xffff, second)
	}
	return fmt.Sprint(version)
}
