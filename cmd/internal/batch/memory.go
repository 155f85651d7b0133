package batch

import (
	"runtime"
	"runtime/metrics"
)

// usedMemory returns the bytes that this process holds from the system.
func usedMemory() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// leastMemory is the memory in bytes that a job of any size may need.
const leastMemory = 64 << 20

// Weight estimates the memory of a conversion in bytes from the size of its map in bytes. It includes textures and
// models; measured conversions mostly need less than half of it.
func Weight(size int64) int64 { return leastMemory + 16*size }

// Workers returns how many processes to run: one for each core, but no more than fit into memory bytes.
func Workers(memory int64) int {
	const each = 256 << 20
	return int(max(1, min(int64(runtime.GOMAXPROCS(0)), memory/each)))
}
