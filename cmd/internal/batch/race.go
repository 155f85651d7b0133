//go:build race

package batch

// raceEnabled is set under the race detector, which reserves more addresses than any address space limit allows.
const raceEnabled = true
