package respawn_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding/decodingtest"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/respawn"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

type (
	vec2 = [2]float32
	vec3 = [3]float32
)

func decodeWith(data []byte, b *limit.Budget, o respawn.Options) (*decoding.Map, error) {
	return decodingtest.Decode(data, b, o, respawn.Decode)
}

func decodeOptions(t testing.TB, data []byte, o respawn.Options) *decoding.Map {
	t.Helper()
	w, err := decodeWith(data, limit.NewBudget(limit.Limits{}), o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var issues, wantIssues = decodingtest.Issues, decodingtest.WantIssues

func survive(t *testing.T, what string, data []byte, o respawn.Options) {
	t.Helper()
	decodingtest.Survive(t, what, data, o, respawn.Decode)
}

func decode(t testing.TB, data []byte) *decoding.Map {
	t.Helper()
	return decodeOptions(t, data, respawn.Options{Name: "x"})
}

// hostile decodes what costs more than a map may, and wants an error of a kind.
func hostile(t *testing.T, data []byte, l limit.Limits, o respawn.Options, kind error) {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile maps: not with -short")
	}
	start := testkit.CPU()
	if _, err := decodeWith(data, limit.NewBudget(l), o); !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
	if took := testkit.CPU() - start; took > 20*time.Second {
		t.Errorf("it took %v on processors", took)
	}
}

func put(record []byte, at int, v uint32) { binary.LittleEndian.PutUint32(record[at:], v) }
