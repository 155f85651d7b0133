package batch

import (
	"bufio"
	stdbytes "bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Record is the outcome of a map's conversion: a line of the manifest.
type Record struct {
	Time     time.Time `json:"time"`
	Path     string    `json:"path"`   // of the map, as it was named
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

// Has reports whether an input belongs to the shard. The shard depends only on the input's Rel.
func (s Shard) Has(i *Input) bool { return s.Of <= 1 || int(hash(i.Rel)%uint32(s.Of)) == s.N }

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // a hash never fails
	return h.Sum32()
}

// file returns the name of a file of the shard in the state folder.
func (s Shard) file(name, ext string) string {
	if s.Of > 1 {
		name = fmt.Sprintf("%s-%d-of-%d", name, s.N, s.Of)
	}
	return name + ext
}

// Manifest holds the records of the outputs in a folder, and the lock that allows writing there.
type Manifest struct {
	Dir     string
	Records map[string]*Record // the latest record of each output, by Output
	state   *os.Root           // the folder of its files
	file    *os.File
	locks   []*flock.Flock
	lines   int
	shard   Shard
}

// ErrLocked means that another batch writes into the folder.
var ErrLocked = errors.New("another batch writes into it")

// OpenManifest opens the manifest of a folder for writing and creates the folder if it is missing. It locks the folder, or
// the shard's part of it: each shard writes its own manifest and reads those of all shards. It fails with ErrOutput if the
// folder can't be created or written to, or if a file of the batch in it is a link, and with ErrLocked if another process holds the
// lock.
func OpenManifest(dir string, s Shard) (*Manifest, error) {
	m := &Manifest{Dir: dir, shard: s}
	if err := m.open(); err != nil {
		m.Close()
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, outfile.Cause(err))
	}
	return m, nil
}

func (m *Manifest) open() (err error) {
	if i, err := os.Stat(m.Dir); err == nil && !i.IsDir() {
		return errors.New("is not a folder")
	}
	if err := os.MkdirAll(m.Dir, 0o755); err != nil {
		return err
	}
	if m.state, err = openState(m.Dir, true); err != nil {
		return err
	}
	whole := (*flock.Flock).TryLock
	if m.shard.Of > 1 {
		whole = (*flock.Flock).TryRLock
	}
	if err := m.lock("lock", whole); err != nil {
		return err
	}
	if m.shard.Of > 1 {
		if err := m.lock(m.shard.file("lock", ""), (*flock.Flock).TryLock); err != nil {
			return err
		}
	}
	if err := m.read(); err != nil {
		return err
	}
	name := m.shard.file("manifest", ".jsonl")
	if err := m.compact(name); err != nil {
		return err
	}
	m.file, err = nolink.Open(m.state, name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	return err
}

func (m *Manifest) lock(name string, try func(*flock.Flock) (bool, error)) error {
	l, err := nolink.Lock(m.state, name)
	if err != nil {
		return err
	}
	ok, err := try(l)
	if err == nil && !ok {
		err = ErrLocked
	}
	if err != nil {
		return err
	}
	m.locks = append(m.locks, l)
	return nolink.Check(m.state, name, l)
}

// ReadManifest returns the records of an output folder, sorted by output, without locking the folder.
func ReadManifest(dir string) ([]*Record, error) {
	m := &Manifest{Dir: dir}
	defer m.Close()
	var err error
	if m.state, err = openState(dir, false); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no batch has written into it: %w", dir, fs.ErrNotExist)
	}
	if err == nil {
		err = m.read()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrInput, outfile.Cause(err))
	}
	all := make([]*Record, 0, len(m.Records))
	for _, r := range m.Records {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *Record) int { return cmp.Compare(a.Output, b.Output) })
	return all, nil
}

// read reads the manifests of all shards. It skips malformed lines, which a killed process or a full disk leaves behind;
// each costs converting one map again.
func (m *Manifest) read() error {
	m.Records = map[string]*Record{}
	names, err := manifests(m.state, "manifest*.jsonl")
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := nolink.Open(m.state, name, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		own := name == m.shard.file("manifest", ".jsonl")
		for lines.Scan() {
			var r Record
			if own {
				m.lines++
			}
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.Output == "" {
				continue
			}
			if old := m.Records[r.Output]; old == nil || !old.Time.After(r.Time) {
				m.Records[r.Output] = &r
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(m.state.Name(), name), err)
		}
	}
	return nil
}

// compact rewrites the manifest if most of its lines are superseded or the last line is incomplete.
func (m *Manifest) compact(name string) error {
	if m.shard.Of > 1 {
		return mend(m.state, name) // other shards read it
	}
	if m.lines <= 2*len(m.Records)+100 {
		return mend(m.state, name)
	}
	var b stdbytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range m.Records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	if err := replaceFile(m.state, name, b.Bytes()); err != nil {
		return err
	}
	m.lines = len(m.Records)
	// The new manifest includes the records of shards from earlier runs.
	shards, err := manifests(m.state, "manifest-*.jsonl")
	for _, s := range shards {
		_ = m.state.Remove(s)
	}
	return err
}

// Add writes a record. The record is on disk when Add returns.
func (m *Manifest) Add(r *Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = m.file.Write(append(line, '\n'))
	if err == nil {
		err = m.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", m.file.Name(), limit.ErrWrite, outfile.Cause(err))
	}
	m.Records[r.Output] = r
	return nil
}

// Close releases the lock. The lock file stays, because another process may have it open and wait for it.
func (m *Manifest) Close() {
	if m.file != nil {
		m.file.Close()
	}
	for _, l := range m.locks {
		_ = l.Close() // the end of the process would release it, too
	}
	if m.state != nil {
		m.state.Close()
	}
}
