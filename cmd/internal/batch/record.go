package batch

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"
)

// Record is the outcome of a map's conversion: a line of the manifest.
type Record struct {
	Time     time.Time `json:"time"`
	Path     string    `json:"path"`   // of the map, as the user named it
	Source   string    `json:"source"` // the absolute path of the map
	Output   string    `json:"output"` // the main file, relative to the output folder, with forward slashes
	SHA256   string    `json:"sha256"` // of the map; "" if it could not be read
	Stamp    Stamp     `json:"stamp"`  // of the map's file or its archive
	Options  string    `json:"options"`
	Tool     string    `json:"tool"`
	Reason   Reason    `json:"reason,omitempty"` // "" if it was converted
	Message  string    `json:"message,omitempty"`
	Attempts int       `json:"attempts"`
	Files    []File    `json:"files,omitempty"`
	Summary  *Summary  `json:"summary,omitempty"`
}

// File describes one file of an output.
type File struct {
	Name   string `json:"name"` // relative to the output folder, with forward slashes
	SHA256 string `json:"sha256"`
	Stamp  Stamp  `json:"stamp"`
}

// Summary holds the parts of a conversion report that the manifest keeps.
type Summary struct {
	Map      string         `json:"map"`
	Format   string         `json:"format"` // like IBSP 46
	Game     string         `json:"game"`
	Title    string         `json:"title,omitempty"` // the worldspawn's message
	Bytes    int64          `json:"bytes"`           // of the map
	Written  int64          `json:"written"`         // bytes
	Faces    int            `json:"faces"`
	Kept     int            `json:"kept"`
	Tris     int            `json:"triangles"`
	Carrier  string         `json:"carrier"`
	Light    string         `json:"light"`
	Pages    int            `json:"pages"`
	Missing  []string       `json:"missing,omitempty"` // names of missing materials, at most maxMissing
	Lacking  int            `json:"lacking"`           // count of all missing materials
	Found    int            `json:"found"`             // count of materials found
	Issues   map[string]int `json:"issues,omitempty"`  // count by code
	Warnings int            `json:"warnings"`          // count of issues that are not notes
	Seconds  float64        `json:"seconds"`
}

// maxMissing is how many names of missing materials a record keeps at most.
const maxMissing = 500

// Reason is why a map was not converted.
type Reason string

// The reasons. Those that would recur on every attempt are Final.
const (
	Corrupt     Reason = "corrupt"     // the map violates its format, or --strict found an issue
	Unsupported Reason = "unsupported" // a format or feature that is not read
	Limited     Reason = "limit"       // exceeds a limit
	Unreadable  Reason = "unreadable"  // the file is missing or can't be read
	NoOutput    Reason = "output"      // the output can't be created
	NoWrite     Reason = "write"       // writing the output failed
	Internal    Reason = "internal"    // a bug in this program that was caught
	Usage       Reason = "usage"       // options that don't fit the map
	Crash       Reason = "crash"       // the process died
	Timeout     Reason = "timeout"     // not finished within the timeout
	Memory      Reason = "memory"      // the job exceeded its memory
	Canceled    Reason = "canceled"    // the batch was stopped; never in a manifest
)

// Final reports whether another attempt with the same map, options and version would fail in the same way.
func (r Reason) Final() bool { return r == Corrupt || r == Unsupported || r == Limited || r == Usage }

// Shard is part N of a batch split into Of parts; N is 0 to Of-1. The zero Shard is the whole batch.
type Shard struct{ N, Of int }

// OfQueue is the Of of a queue worker's shard. In a folder, the shard gets the first N from its own on that no other
// worker uses.
const OfQueue = -1

// part reports whether other processes may write into the folder at the same time.
func (s Shard) part() bool { return s.Of > 1 || s.Of == OfQueue }

// Has reports whether an input belongs to the shard. The shard depends only on the input's Rel.
func (s Shard) Has(i *Input) bool { return s.Of <= 1 || int(hash(i.Rel)%uint32(s.Of)) == s.N }

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // a hash never fails
	return h.Sum32()
}

// lineOf returns a record as a line of a manifest.
func lineOf(r *Record) ([]byte, error) {
	line, err := json.Marshal(r)
	return append(line, '\n'), err
}

// File returns the name of a file of the shard in the state folder.
func (s Shard) File(name, ext string) string {
	switch {
	case s.Of == OfQueue:
		name = fmt.Sprintf("%s-worker-%d", name, s.N)
	case s.Of > 1:
		name = fmt.Sprintf("%s-%d-of-%d", name, s.N, s.Of)
	}
	return name + ext
}
