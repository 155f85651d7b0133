package batch

import (
	"bufio"
	stdbytes "bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Record is the outcome of a map's conversion: a line of the manifest.
type Record struct {
	Time     time.Time `json:"time"`
	Path     string    `json:"path"`   // of the map, as it was named
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

// stateDir is the folder in the output folder that holds the manifest and the lock.
const stateDir = ".bsp2gltf"

// Shard is part N of a batch split into Of parts; N is 0 to Of-1. The zero Shard is the whole batch.
type Shard struct{ N, Of int }

// Has reports whether an input belongs to the shard. The shard depends only on the input's Rel.
func (s Shard) Has(i *Input) bool { return s.Of <= 1 || int(hash32(i.Rel)%uint32(s.Of)) == s.N }

func hash32(s string) uint32 { // FNV-1a
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

func (s Shard) file(name, ext string) string {
	if s.Of > 1 {
		name = fmt.Sprintf("%s-%d-of-%d", name, s.N, s.Of)
	}
	return filepath.Join(stateDir, name+ext)
}

// Manifest holds the records of the outputs in a folder, and the lock that allows writing there.
type Manifest struct {
	Dir     string
	Records map[string]*Record // the latest record of each output, by Output
	file    *os.File
	locks   []*flock.Flock
	lines   int
	shard   Shard
}

// ErrLocked means that another batch writes into the folder.
var ErrLocked = errors.New("another batch writes into it")

// OpenManifest opens the manifest of a folder for writing and creates the folder if it is missing. It locks the folder, or
// the shard's part of it: each shard writes its own manifest and reads those of all shards. It fails with ErrOutput if the
// folder can't be created or written to, and with ErrLocked if another process holds the lock.
func OpenManifest(dir string, s Shard) (*Manifest, error) {
	m := &Manifest{Dir: dir, shard: s}
	fail := func(err error) (*Manifest, error) {
		m.Close()
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, bare(err))
	}
	if i, err := os.Stat(dir); err == nil && !i.IsDir() {
		return fail(errors.New("is not a folder"))
	}
	if err := os.MkdirAll(filepath.Join(dir, stateDir), 0o755); err != nil {
		return fail(err)
	}
	whole := flock.New(filepath.Join(dir, stateDir, "lock"))
	try := whole.TryLock
	if s.Of > 1 {
		try = whole.TryRLock
	}
	if err := m.lock(whole, try); err != nil {
		return fail(err)
	}
	if s.Of > 1 {
		own := flock.New(filepath.Join(dir, s.file("lock", "")))
		if err := m.lock(own, own.TryLock); err != nil {
			return fail(err)
		}
	}
	name := filepath.Join(dir, s.file("manifest", ".jsonl"))
	if err := m.read(); err != nil {
		return fail(err)
	}
	if err := m.compact(name); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fail(err)
	}
	m.file = f
	return m, nil
}

func (m *Manifest) lock(l *flock.Flock, try func() (bool, error)) error {
	ok, err := try()
	if err == nil && !ok {
		err = ErrLocked
	}
	if err != nil {
		return err
	}
	m.locks = append(m.locks, l)
	return nil
}

// ReadManifest returns the records of an output folder, sorted by output, without locking the folder.
func ReadManifest(dir string) ([]*Record, error) {
	m := &Manifest{Dir: dir}
	if _, err := os.Stat(filepath.Join(dir, stateDir)); err != nil {
		return nil, fmt.Errorf("%s: no batch has written into it: %w", dir, fs.ErrNotExist)
	}
	if err := m.read(); err != nil {
		return nil, err
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
	names, err := filepath.Glob(filepath.Join(globless(m.Dir), stateDir, "manifest*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		own := filepath.Base(name) == filepath.Base(m.shard.file("manifest", ".jsonl"))
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
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// globless escapes the characters of a path that have a special meaning in a glob pattern.
func globless(s string) string {
	if filepath.Separator == '\\' {
		return s // names on Windows can't contain * or ?
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// compact rewrites the manifest if most of its lines are superseded or the last line is incomplete.
func (m *Manifest) compact(name string) error {
	if m.shard.Of > 1 {
		return mend(name) // other shards read it
	}
	if m.lines <= 2*len(m.Records)+100 {
		return mend(name)
	}
	var b stdbytes.Buffer
	e := json.NewEncoder(&b)
	for _, r := range m.Records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	if err := replaceFile(name, b.Bytes()); err != nil {
		return err
	}
	m.lines = len(m.Records)
	// The new manifest includes the records of shards from earlier runs.
	shards, err := filepath.Glob(filepath.Join(globless(m.Dir), stateDir, "manifest-*.jsonl"))
	for _, s := range shards {
		os.Remove(s)
	}
	return err
}

// mend terminates the last line of a file, so that the next record starts on a new line.
func mend(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return err
	}
	if last[0] != '\n' {
		_, err = f.WriteString("\n")
	}
	return err
}

// replaceFile replaces a file atomically.
func replaceFile(name string, data []byte) error {
	temp := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp)
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
		return fmt.Errorf("%s: %w: %w", m.file.Name(), limit.ErrWrite, bare(err))
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
}

// bare returns an error without the name of the file, which means nothing to the user.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
