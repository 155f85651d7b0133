package outfile

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// begun returns when a process began. It is not ok where that is not known.
//
// Its place in /proc/PID/stat, field 22, counts hundredths of a second since the machine was started, as does /proc/uptime in seconds: proc(5).
func begun(pid int) (t time.Time, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	uptime, err2 := os.ReadFile("/proc/uptime")
	if err != nil || err2 != nil {
		return t, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before may have spaces; they start with field 3
	up, _, _ := bytes.Cut(uptime, []byte(" "))
	seconds, err := strconv.ParseFloat(string(up), 64)
	if err != nil || len(fields) < 20 {
		return t, false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return t, false
	}
	return time.Now().Add(time.Duration(ticks)*10*time.Millisecond - time.Duration(seconds*float64(time.Second))), true
}
