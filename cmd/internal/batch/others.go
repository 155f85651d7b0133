package batch

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// Other is an existing output of another map, which a task would replace.
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

// otherMaps returns an OtherMapsError if a task's output exists and was made from another map: one with another path
// and other content. So a map that was changed or moved is the same map. With Force, every output may be replaced.
func (o *Options) otherMaps(ctx context.Context, out Outputs, x *Index, p *Plan) error {
	if o.Force {
		return nil
	}
	folded := x.folded()
	found, err := par.Map(ctx, len(p.Tasks), func(i int) (*Record, error) {
		t := &p.Tasks[i]
		for _, name := range folded[strings.ToLower(t.Output)] {
			if !out.Same(name, t.Output) {
				continue
			}
			r, err := x.Get(name)
			if err != nil || r != nil && o.other(ctx, t, r) {
				return r, err
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

// other reports whether the map of a task differs from the map of a record. A map that can't be read does not differ.
func (o *Options) other(ctx context.Context, t *Task, r *Record) bool {
	if cmp.Or(r.Source, absolute(r.Path)) == absolute(t.Input.Path) {
		return false
	}
	sum, err := o.hash(ctx, &t.Input)
	return err == nil && sum != r.SHA256
}
