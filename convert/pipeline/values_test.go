package pipeline

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Every option has invalid values, and they are refused in a pipeline in code as in a file.
func TestPipelinesInCodeAreValidated(t *testing.T) {
	if _, err := Default().Complete(); err != nil {
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
			_, err := p.Complete()
			if reflect.ValueOf(v).IsZero() && o.key != "version" { // not set
				p, err = p.Complete()
				if !reflect.DeepEqual(p, Default()) || err != nil {
					t.Errorf("%s = %v: %v, %v", o.key, v, o.in(&p), err)
				}
				continue
			}
			if !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), o.key+": ") {
				t.Errorf("%s = %v: %v", o.key, v, err)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
	if _, err := (Pipeline{}).Complete(); !errors.Is(err, limit.ErrUsage) || !strings.Contains(err.Error(), "pipeline.Default") {
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
	values := map[string][]string{} // by type
	for _, folder := range []string{".", "../../geometry", "../../lightmap", "../../materials", "../../models", "../../internal/picture"} {
		addConstants(t, folder, values)
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

// addConstants adds the string constants of a folder's types to values, by the path and the name of the type.
func addConstants(t *testing.T, folder string, values map[string][]string) {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	path := "github.com/bsp2gltf/bsp2gltf/" + strings.TrimPrefix(filepath.ToSlash(filepath.Join("convert/pipeline", folder)), "/")
	for _, name := range list {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for node := range ast.Preorder(file) {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || strings.HasSuffix(name, "_test.go") {
				continue
			}
			of, ok := spec.Type.(*ast.Ident)
			if !ok {
				continue
			}
			for _, v := range spec.Values {
				if text, ok := v.(*ast.BasicLit); ok && text.Kind == token.STRING {
					values[path+"."+of.Name] = append(values[path+"."+of.Name], constant.StringVal(constant.MakeFromLiteral(text.Value, token.STRING, 0)))
				}
			}
		}
	}
}
