package batch

import (
	"runtime"
	"runtime/metrics"
)

// usedMemory is the bytes that this process has from the system, less what it has given back.
func usedMemory() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// leastMemory is what a job of any size may need.
const leastMemory = 64 << 20

// Weight estimates the bytes of memory that a conversion takes from the bytes of its map. Measured, most take less than
// half of it: what textures and models take is in it.
func Weight(size int64) int64 { return leastMemory + 16*size }

// Workers returns how many processes to run: as many as there are cores, but no more than memory has room for.
func Workers(memory int64) int {
	const each = 256 << 20
	return int(max(1, min(int64(runtime.GOMAXPROCS(0)), memory/each)))
}
