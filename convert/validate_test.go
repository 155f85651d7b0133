package convert

import (
	"bytes"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Every option has values that it does not take, and a pipeline in code is refused with them as a file is.
func TestPipelinesInCodeAreValidated(t *testing.T) {
	if err := pipeline().Validate(); err != nil {
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
			if o.rule.pattern != nil {
				wrong = []any{"../up", "/etc", "a\x00b"}
			}
		}
		for _, v := range wrong {
			p := pipeline()
			o.in(&p).Set(reflect.ValueOf(v).Convert(o.kind))
			err := p.Validate()
			if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), o.key()+": ") {
				t.Errorf("%s = %v: %v", o.key(), v, err)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
	if err := (Pipeline{}).Validate(); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "DefaultPipeline") {
		t.Errorf("the zero value: %v", err)
	}
}

func TestRunAndMapValidate(t *testing.T) {
	p := pipeline()
	p.Lightmap.Carrier = "vertx"
	if _, err := Run(t.Context(), Job{Pipeline: p, In: feature}); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), `did you mean "vertex"?`) {
		t.Errorf("Run: %v", err)
	}
	data, err := os.ReadFile(feature)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Pipeline{p, {}} {
		if _, _, err := Map(t.Context(), p, Source{Name: "x", Reader: bytes.NewReader(data), Size: int64(len(data))}); !errors.Is(err, ErrUsage) {
			t.Errorf("Map: %v", err)
		}
	}
}
