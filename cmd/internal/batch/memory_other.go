//go:build !linux

package batch

import "runtime"

// AvailableMemory returns how many bytes a batch may take: 2 GiB for each core, without asking the system. --memory
// overrides it.
func AvailableMemory() int64 { return int64(2<<30) * int64(runtime.NumCPU()) }

// limitAddressSpace does nothing; watchMemory alone enforces the limit.
func limitAddressSpace(int64) {}
