//go:build !linux

package batch

import "runtime"

// AvailableMemory is the bytes that a batch may take. Nothing is asked of the system here: --memory says more.
func AvailableMemory() int64 { return int64(2<<30) * int64(runtime.NumCPU()) }

// limitAddressSpace does nothing: the memory is watched.
func limitAddressSpace(int64) {}
