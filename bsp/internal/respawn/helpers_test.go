package respawn_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift/lifttest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/respawn"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

type (
	vec2 = [2]float32
	vec3 = [3]float32
)

func decodeWith(data []byte, b *limit.Budget, o respawn.Options) (*lift.Map, error) {
	f, err := le.Open(bytes.NewReader(data), int64(len(data)), b)
	if err != nil {
		return nil, err
	}
	return respawn.Decode(limit.WithDefaults(context.Background()), f, o)
}

func decodeOptions(t testing.TB, data []byte, o respawn.Options) *lift.Map {
	t.Helper()
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// issues are the issues of a world as text.
func issues(w *lift.Map) (list []string) {
	for _, i := range w.Issues {
		list = append(list, fmt.Sprintf("%s: %s: %s", i.Code, i.Where, i.Detail))
	}
	return list
}

func wantIssues(t *testing.T, w *lift.Map, want ...string) {
	t.Helper()
	if got := issues(w); !reflect.DeepEqual(got, want) {
		t.Errorf("issues:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func survive(t *testing.T, what string, data []byte, o respawn.Options) {
	t.Helper()
	b := limit.NewBudget(limit.Limits{MaxMemory: 64 << 20, MaxWarnings: 10})
	w, err := decodeWith(data, b, o)
	switch {
	case err == nil:
		lifttest.Promise(t, w.World, b)
	case w != nil && len(w.Models)+len(w.Materials)+len(w.Props) > 0:
		t.Errorf("%s: a world with %v", what, err)
	case !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) || strings.ContainsAny(err.Error(), "\n\r"):
		t.Errorf("%s: %v", what, err)
	}
	if t.Failed() {
		t.Fatal(what)
	}
}

func decode(t testing.TB, data []byte) *lift.Map {
	t.Helper()
	return decodeOptions(t, data, respawn.Options{Name: "x"})
}

// hostile decodes what costs more than a map may, and wants an error of a kind.
func hostile(t *testing.T, data []byte, l limit.Limits, o respawn.Options, kind error) {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	start := time.Now()
	if _, err := decodeWith(data, limit.NewBudget(l), o); !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func put(record []byte, at int, v uint32) { binary.LittleEndian.PutUint32(record[at:], v) }
