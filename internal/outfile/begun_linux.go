package outfile

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// begun returns when a process began, and whether it has ended and only waits for its parent to notice, which may take seconds in
// a container. Ok is false if that is unknown.
//
// In /proc/PID/stat, field 3 is the state and field 22 the start time in hundredths of a second since boot. /proc/uptime
// gives the time since boot in seconds. See proc(5).
func begun(pid int) (t time.Time, ended, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	uptime, err2 := os.ReadFile("/proc/uptime")
	if err != nil || err2 != nil {
		return t, false, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // from field 3; the name before it may contain spaces
	up, _, _ := bytes.Cut(uptime, []byte(" "))
	seconds, err := strconv.ParseFloat(string(up), 64)
	if err != nil || len(fields) < 20 {
		return t, false, false
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return t, false, false
	}
	ended = fields[0][0] == 'Z' || fields[0][0] == 'X'
	return time.Now().Add(time.Duration(ticks)*10*time.Millisecond - time.Duration(seconds*float64(time.Second))), ended, true
}
