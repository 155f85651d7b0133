package pipeline

import (
	"errors"
	"go/constant"
	"go/types"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

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
			if o.rule.expression != "" {
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

// The values in an option's tag are the constants of its type, so that no value is known only to the stage or only to the file.
func TestTagsListTheConstantsOfTypes(t *testing.T) {
	c := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedSyntax |
		packages.NeedImports | packages.NeedTypesInfo}
	loaded, err := packages.Load(c, ".", "../../geometry", "../../lightmap", "../../materials", "../../models", "../../internal/picture")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	values := map[string][]string{} // by type
	for _, p := range loaded {
		for _, name := range p.Types.Scope().Names() {
			if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok && c.Val().Kind() == constant.String {
				values[c.Type().String()] = append(values[c.Type().String()], constant.StringVal(c.Val()))
			}
		}
	}
	checked := 0
	for _, o := range options() {
		if o.rule.enum == nil || o.kind.Name() == "string" {
			continue
		}
		got := values[o.kind.PkgPath()+"."+o.kind.Name()]
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(o.rule.enum)); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s: the constants of %s are %q, its tag lists %q", o.key, o.kind, got, want)
		}
		checked++
	}
	if checked < 20 {
		t.Errorf("only %d options were checked", checked)
	}
}
