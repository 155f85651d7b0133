//go:build unix

package convert

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// The peak is the process's own, not that of the larger program that started it: here a child of one that holds 200 MB.
func TestPeakMemoryIsTheProcesss(t *testing.T) {
	if os.Getenv("PRINT_PEAK") != "" {
		fmt.Print("peak=", peakMemory(), ";")
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux hands the peak on")
	}
	large := make([]byte, 200<<20)
	for i := 0; i < len(large); i += 4096 {
		large[i] = 1
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPeakMemoryIsTheProcesss$")
	cmd.Env = append(os.Environ(), "PRINT_PEAK=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(out), "peak=")
	text, _, _ := strings.Cut(rest, ";")
	if peak, err := strconv.ParseInt(text, 10, 64); err != nil || peak < 1<<20 || peak > 150<<20 {
		t.Errorf("%q: the peak is %d bytes, %v", out, peak, err)
	}
	runtime.KeepAlive(large)
}

func TestHighWater(t *testing.T) {
	for text, want := range map[string]int64{
		"Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t  12345 kB\nVmRSS:\t 1 kB\n": 12345 << 10,
		"Name:\tx\n": 0, "Name:\tx\nVmHWM:\tmany kB\n": 0, "Name:\tx\nVmHWM:": 0, "Name:\tx\nVmHWM:\t5 MB\n": 0,
	} {
		if got, ok := highWater(text); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
}
