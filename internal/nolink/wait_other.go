//go:build !unix

package nolink

// noWait is no flag here: opening a file does not wait.
const noWait = 0
