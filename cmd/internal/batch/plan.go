package batch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Task is an input and the name of its output.
type Task struct {
	Input  Input
	Output string    // the main file, relative to the output folder, with forward slashes
	After  time.Time // time of the record that the task replaces; zero if there is none
}

// Plan divides the inputs into those to convert and the others.
type Plan struct {
	Tasks   []Task
	Done    int       // number of inputs that are up to date
	Refused []*Record // failed before, for a Final reason

	incomplete, missing int // of maps that are up to date: how many have missing materials, and the total of missing materials
}

// OptionsHash returns the SHA-256 of everything that a job's output depends on except the map, the game's files and
// the tool.
func (s *Setup) OptionsHash() string {
	text, err := json.Marshal(struct {
		Options, Format string
		Strict          bool
		Limits          limit.Limits
		Game            []string `json:",omitempty"`
	}{s.Options, s.Format, s.Strict, s.Limits.OrDefaults(), s.Game})
	if err != nil {
		panic(err) // can't happen: only strings and numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// plan compares the inputs with the latest records of their outputs.
func (o *Options) plan(ctx context.Context, out Outputs, x *Index) (*Plan, error) {
	options := o.Setup.OptionsHash()
	type state struct {
		done    bool
		lacking int
		refused *Record
	}
	states, err := par.Map(ctx, len(o.Inputs), func(i int) (state, error) {
		in := &o.Inputs[i]
		if o.Force {
			return state{}, nil
		}
		r, err := x.Get(in.Output(o.Setup.Format))
		switch {
		case err != nil || r == nil:
			return state{}, err
		case r.Options != options || r.Tool != o.Tool || r.Reason != "" && !r.Reason.Final() || !o.sameInput(ctx, in, r):
			return state{}, nil
		case r.Reason != "":
			r.Summary = nil
			return state{refused: r}, nil
		}
		for j := range r.Files {
			if !out.Unchanged(ctx, &r.Files[j], o.Verify) {
				return state{}, nil
			}
		}
		s := state{done: true}
		if r.Summary != nil {
			s.lacking = r.Summary.Lacking
		}
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	for i, s := range states {
		switch {
		case s.done:
			p.Done++
			if s.lacking > 0 {
				p.incomplete++
				p.missing += s.lacking
			}
		case s.refused != nil:
			p.Refused = append(p.Refused, s.refused)
		default:
			output := o.Inputs[i].Output(o.Setup.Format)
			p.Tasks = append(p.Tasks, Task{o.Inputs[i], output, x.latest[output].time})
		}
	}
	return p, nil
}

// sameInput reports whether a map is unchanged since its record: by its file's size and time, otherwise by its
// content.
func (o *Options) sameInput(ctx context.Context, in *Input, r *Record) bool {
	if in.Stamp == r.Stamp && absolute(in.Path) == cmp.Or(r.Source, absolute(r.Path)) && !o.Verify {
		return true
	}
	sum, err := o.hash(ctx, in)
	return err == nil && sum == r.SHA256
}

// local returns the path of an input on this machine, and a function that removes it if it is a copy.
func (o *Options) local(ctx context.Context, in *Input) (name string, done func(), err error) {
	if !IsURL(in.Path) {
		return absolute(in.Path), func() {}, nil
	}
	if o.Stores == nil {
		return "", func() {}, fmt.Errorf("it is in a store: %w", limit.ErrUsage)
	}
	return o.Stores.Fetch(ctx, in, o.Setup.Limits.OrDefaults().MaxFile)
}

// hash returns the SHA-256 of an input.
func (o *Options) hash(ctx context.Context, in *Input) (string, error) {
	name, done, err := o.local(ctx, in)
	defer done()
	if err != nil {
		return "", err
	}
	return HashInput(limits.With(ctx, o.Setup.Limits), name)
}

// HashInput returns the SHA-256 of a map, in hex.
func HashInput(ctx context.Context, path string) (string, error) {
	m, err := assets.OpenMap(ctx, path)
	if err != nil {
		return "", err
	}
	defer m.Close()
	return hashOf(io.NewSectionReader(m, 0, m.Size))
}

func hashFile(name string) (string, error) {
	f, err := regular.Open(name)
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
