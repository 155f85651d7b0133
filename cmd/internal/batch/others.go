package batch

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// Other is an output of another map, which a task would replace.
type Other struct {
	Task   Task
	Record *Record // of the other map
}

// OtherMapsError lists outputs of other maps that the tasks of a batch would replace. It is a limit.ErrUsage.
type OtherMapsError struct{ List []Other }

func (e *OtherMapsError) Error() string {
	what := "1 output is there already and is of another map"
	if n := len(e.List); n > 1 {
		what = fmt.Sprintf("%d outputs are there already and are of other maps", n)
	}
	return what + ": give another -o or --base, or --force to replace what is there"
}

// Is reports whether target is limit.ErrUsage.
func (e *OtherMapsError) Is(target error) bool { return target == limit.ErrUsage }

// otherMaps returns an OtherMapsError if a task's output exists and was made from another map: one from another path and with another
// content. A map that has changed where it was, and one that was moved, is no other. With Force every output may be replaced.
func (o *Options) otherMaps(ctx context.Context, m *Manifest, p *Plan) error {
	if o.Force {
		return nil
	}
	records := map[string][]*Record{} // by output in lower case, because some file systems ignore case
	for _, r := range m.Records {
		name := strings.ToLower(r.Output)
		records[name] = append(records[name], r)
	}
	found, err := par.Map(ctx, len(p.Tasks), func(i int) (*Record, error) {
		t := &p.Tasks[i]
		for _, r := range records[strings.ToLower(t.Output)] {
			if o.replaces(t, r) {
				return r, nil
			}
		}
		return nil, nil
	})
	if err != nil {
		return err
	}
	var e OtherMapsError
	for i, r := range found {
		if r != nil {
			e.List = append(e.List, Other{p.Tasks[i], r})
		}
	}
	if len(e.List) > 0 {
		return &e
	}
	return nil
}

// replaces reports whether a task would replace the output of a record, and is of another map. A map that can't be read replaces
// nothing.
func (o *Options) replaces(t *Task, r *Record) bool {
	if cmp.Or(r.Source, absolute(r.Path)) == absolute(t.Input.Path) {
		return false
	}
	there, err := os.Lstat(filepath.Join(o.Dir, filepath.FromSlash(r.Output)))
	if err != nil {
		return false
	}
	if here, err := os.Lstat(filepath.Join(o.Dir, filepath.FromSlash(t.Output))); err != nil || !os.SameFile(there, here) {
		return false
	}
	sum, err := HashInput(t.Input.Path, limit.NewBudget(o.Setup.Limits))
	return err == nil && sum != r.SHA256
}
