//go:build !unix

package regular

// Flags for opening, which are none here: opening a file does not wait.
const (
	noWait     = 0
	onlyFolder = 0
)
