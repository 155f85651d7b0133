package outfile

import (
	"bytes"
	"os"
	"strconv"
)

// begun returns when a process began, in ticks since the system did, and whether it has ended and only waits for its parent to notice,
// which may take seconds in a container. Ok is false if that is unknown.
//
// In /proc/PID/stat, field 3 is the state and field 22 the start. See proc(5).
func begun(pid int) (ticks int64, ended, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // from field 3; the name before it may contain spaces
	if len(fields) < 20 {
		return 0, false, false
	}
	ticks, err = strconv.ParseInt(string(fields[19]), 10, 64)
	return ticks, fields[0][0] == 'Z' || fields[0][0] == 'X', err == nil
}
