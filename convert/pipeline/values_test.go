package pipeline

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Every option has invalid values, and they are refused in a pipeline in code as in a file.
func TestPipelinesInCodeAreValidated(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, o := range options() {
		var wrong []any
		switch o.kind.Kind() {
		case reflect.Int:
			wrong = []any{int(o.rule.min) - 1, int(o.rule.max) + 1, math.MaxInt, math.MinInt}
		case reflect.Float64:
			wrong = []any{o.rule.min - 1, o.rule.max * 2, math.NaN(), math.Inf(1), math.Inf(-1)}
		case reflect.String:
			if o.rule.enum != nil {
				wrong = []any{"", "nonsense", o.rule.enum[0] + " ", strings.ToUpper(o.rule.enum[0])}
			}
			if o.rule.pattern != "" {
				wrong = []any{"../up", "/etc", "a\x00b"}
			}
		}
		for _, v := range wrong {
			p := Default()
			o.in(&p).Set(reflect.ValueOf(v).Convert(o.kind))
			err := p.Validate()
			if !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), o.key+": ") {
				t.Errorf("%s = %v: %v", o.key, v, err)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
	if err := (Pipeline{}).Validate(); !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), "DefaultPipeline") {
		t.Errorf("the zero value: %v", err)
	}
}

func TestSplitCell(t *testing.T) {
	for split, want := range map[Split]int{SplitNone: 0, SplitAreas: 0, SplitGrid + "32": 32, "32": 0, SplitGrid: 0} {
		if got := split.Cell(); got != want {
			t.Errorf("%s: cells of %d metres, want %d", split, got, want)
		}
	}
}
