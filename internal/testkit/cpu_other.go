//go:build !unix

package testkit

import "time"

// CPU returns 0: it is not measured on this system.
func CPU() time.Duration { return 0 }
