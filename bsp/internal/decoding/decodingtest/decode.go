package decodingtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Decode decodes the bytes of a map with the decoder of a family.
func Decode[O any](data []byte, b *limit.Budget, o O, decode func(context.Context, *le.File, O) (*decoding.Map, error)) (
	*decoding.Map, error) {
	f, err := le.Open(bytes.NewReader(data), int64(len(data)), b)
	if err != nil {
		return nil, err
	}
	return decode(context.Background(), f, o)
}

// Issues returns the issues of a world as text.
func Issues(w *decoding.Map) (list []string) {
	for _, i := range w.Issues {
		list = append(list, fmt.Sprintf("%s: %s: %s", i.Code, i.Where, i.Detail))
	}
	return list
}

// WantIssues fails where a world has other issues.
func WantIssues(t *testing.T, w *decoding.Map, want ...string) {
	t.Helper()
	if got := Issues(w); !slices.Equal(got, want) {
		t.Errorf("issues:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Survive decodes a map that may be broken in 64 MB. It fails unless there is a world that keeps what package world promises, or none and
// an error of a kind, on one line.
func Survive[O any](t *testing.T, what string, data []byte, o O, decode func(context.Context, *le.File, O) (*decoding.Map, error)) {
	t.Helper()
	b := limit.NewBudget(limit.Limits{MaxMemory: 64 << 20, MaxWarnings: 10})
	w, err := Decode(data, b, o, decode)
	switch {
	case err == nil:
		Promise(t, w.World, b)
	case w != nil && len(w.Models)+len(w.Materials)+len(w.Props) > 0:
		t.Errorf("%s: a world with %v", what, err)
	case !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) ||
		strings.ContainsAny(err.Error(), "\n\r"):
		t.Errorf("%s: %v", what, err)
	}
	if t.Failed() {
		t.Fatal(what)
	}
}
