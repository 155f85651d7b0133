package batch

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Index finds the latest record of each output. It holds positions of records, not records: those of a hundred
// thousand maps would take more memory than everything else.
type Index struct {
	from   Outputs
	latest map[string]position // by output
	files  []string            // the manifests
	open   map[int32]*os.File
	lines  []int // in each manifest
}

// position is where a manifest has a record's line.
type position struct {
	time   time.Time
	offset int64
	length int32
	file   int32
}

// longestLine is the size in bytes of the longest line of a manifest that is read.
const longestLine = 16 << 20

// maxOpen is how many manifests are open at a time.
const maxOpen = 8

// ReadIndex reads the manifests of all shards. It skips malformed lines, which a killed process or a full disk leaves
// behind: the map of such a line is converted again.
func ReadIndex(ctx context.Context, from Outputs) (*Index, error) {
	x := &Index{from: from, latest: map[string]position{}, open: map[int32]*os.File{}}
	var err error
	if x.files, err = from.Manifests(ctx); err != nil {
		return nil, err
	}
	for i := range x.files {
		if err := x.read(ctx, int32(i)); err != nil {
			x.Close()
			return nil, err
		}
	}
	return x, nil
}

// read adds the records of a manifest.
func (x *Index) read(ctx context.Context, file int32) error {
	f, err := x.from.Manifest(x.files[file])
	if err != nil {
		return err
	}
	if len(x.open) < maxOpen {
		x.open[file] = f
	} else {
		defer f.Close()
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestLine)
	at, count := int64(0), 0
	lines.Split(func(data []byte, end bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, end)
		at += int64(n)
		return n, line, err
	})
	for before := int64(0); lines.Scan(); before = at {
		if count++; count%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var r struct {
			Time   time.Time `json:"time"`
			Output string    `json:"output"`
		}
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.Output == "" {
			continue
		}
		if old, ok := x.latest[r.Output]; !ok || !old.time.After(r.Time) {
			x.latest[r.Output] = position{r.Time, before, int32(len(lines.Bytes())), file}
		}
	}
	x.lines = append(x.lines, count)
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", x.files[file], err)
	}
	return nil
}

// Close closes the manifests.
func (x *Index) Close() {
	for _, f := range x.open {
		f.Close()
	}
	x.open = nil
}

// line returns the text of a record. It is safe for concurrent use.
func (x *Index) line(p position) ([]byte, error) {
	f := x.open[p.file]
	if f == nil {
		var err error
		if f, err = x.from.Manifest(x.files[p.file]); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	text := make([]byte, p.length)
	if _, err := f.ReadAt(text, p.offset); err != nil && err != io.EOF {
		return nil, err
	}
	return text, nil
}

// Get returns the latest record of an output, or nil if there is none.
func (x *Index) Get(output string) (*Record, error) {
	p, ok := x.latest[output]
	if !ok {
		return nil, nil
	}
	text, err := x.line(p)
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if json.Unmarshal(text, r) != nil {
		return nil, nil // the line was complete when the index was made
	}
	return r, nil
}

// Len returns the number of outputs.
func (x *Index) Len() int { return len(x.latest) }

// Each calls each with the latest record of every output, sorted by output.
func (x *Index) Each(each func(*Record) error) error {
	for _, output := range slices.Sorted(maps.Keys(x.latest)) {
		r, err := x.Get(output)
		if err == nil && r != nil {
			err = each(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// folded returns the outputs grouped by their names in lower case, because some file systems ignore case.
func (x *Index) folded() map[string][]string {
	all := make(map[string][]string, len(x.latest))
	for output := range x.latest {
		name := strings.ToLower(output)
		all[name] = append(all[name], output)
	}
	for _, names := range all {
		slices.Sort(names)
	}
	return all
}

// write writes the latest lines in the order of the manifests.
func (x *Index) write(w io.Writer) error {
	all := slices.SortedFunc(maps.Values(x.latest), func(a, b position) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.offset, b.offset))
	})
	for _, p := range all {
		text, err := x.line(p)
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Report reads the records of a folder of outputs.
type Report struct {
	*Index
	Outputs Outputs
}

// OpenReport opens the records of a folder of outputs, a path or a URL, without locking it. It fails with fs.ErrNotExist if no batch has
// written into it.
func OpenReport(ctx context.Context, dir string, stores Stores) (*Report, error) {
	var r Report
	var err error
	if r.Outputs, err = look(ctx, dir, stores); err != nil {
		return nil, err
	}
	if r.Index, err = ReadIndex(ctx, r.Outputs); err != nil {
		r.Outputs.Close()
		return nil, fmt.Errorf("%s: %w: %w", dir, limit.ErrInput, outfile.Cause(err))
	}
	return &r, nil
}

// look opens a folder of outputs, a path or a URL, to read it.
func look(ctx context.Context, dir string, stores Stores) (Outputs, error) {
	if IsURL(dir) && stores != nil {
		return stores.Outputs(ctx, dir, Shard{}, false)
	}
	f, err := LookFolder(dir)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Close closes the report and its outputs.
func (r *Report) Close() {
	r.Index.Close()
	r.Outputs.Close()
}
