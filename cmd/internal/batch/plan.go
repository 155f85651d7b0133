package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// Task is an input and the name of its output.
type Task struct {
	Input  Input
	Output string // the main file, relative to the output folder, with forward slashes
}

// Plan divides the inputs into those to convert and those to leave.
type Plan struct {
	Tasks   []Task
	Done    []*Record // up to date
	Refused []*Record // failed before for a Final reason
}

// OptionsHash returns the SHA-256 of everything that a job's output depends on except the map, the game's files and
// the tool.
func (s *Setup) OptionsHash() string {
	text, err := json.Marshal(struct {
		Options, Format string
		Strict          bool
		Limits          limit.Limits
	}{s.Options, s.Format, s.Strict, s.Limits.OrDefaults()})
	if err != nil {
		panic(err) // can't happen: only strings and numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// plan compares the inputs with the manifest's records of their outputs.
func (o *Options) plan(ctx context.Context, m *Manifest) (*Plan, error) {
	options := o.Setup.OptionsHash()
	type state int
	const (
		todo state = iota
		done
		refused
	)
	states, err := par.Map(ctx, len(o.Inputs), func(i int) (state, error) {
		in := &o.Inputs[i]
		r := m.Records[in.Output(o.Setup.Format)]
		if o.Force || r == nil || r.Options != options || r.Tool != o.Tool || r.Reason != "" && !r.Reason.Final() {
			return todo, nil
		}
		if !o.sameInput(in, r) {
			return todo, nil
		}
		if r.Reason != "" {
			return refused, nil
		}
		for _, f := range r.Files {
			if !o.sameFile(filepath.Join(o.Dir, filepath.FromSlash(f.Name)), &f) {
				return todo, nil
			}
		}
		return done, nil
	})
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	for i, s := range states {
		in := &o.Inputs[i]
		output := in.Output(o.Setup.Format)
		switch s {
		case done:
			p.Done = append(p.Done, m.Records[output])
		case refused:
			p.Refused = append(p.Refused, m.Records[output])
		default:
			p.Tasks = append(p.Tasks, Task{*in, output})
		}
	}
	return p, nil
}

// sameInput reports whether a map is unchanged since the record: by its file's size and time, else by its content.
func (o *Options) sameInput(in *Input, r *Record) bool {
	if in.Stamp == r.Stamp && in.Path == r.Path && !o.Verify {
		return true
	}
	sum, err := HashInput(in.Path, limit.NewBudget(o.Setup.Limits))
	return err == nil && sum == r.SHA256
}

// sameFile reports whether an output file is unchanged since it was written.
func (o *Options) sameFile(name string, f *File) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != f.Stamp.Size {
		return false
	}
	if stampOf(info) == f.Stamp && !o.Verify {
		return true
	}
	sum, err := hashFile(name)
	return err == nil && sum == f.SHA256
}

// HashInput returns the SHA-256 of a map, in hex.
func HashInput(path string, b *limit.Budget) (string, error) {
	m, err := assets.OpenMap(path, b)
	if err != nil {
		return "", err
	}
	defer m.Closer.Close()
	return hashOf(io.NewSectionReader(m.Reader, 0, m.Size))
}

func hashFile(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return hashOf(f)
}

func hashOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", fmt.Errorf("%w: %w", limit.ErrInput, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
