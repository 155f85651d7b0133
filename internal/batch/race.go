//go:build race

package batch

// raceEnabled: the detector reserves more addresses than any limit has room for.
const raceEnabled = true
