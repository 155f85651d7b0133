package limits

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestEveryLimitHasANameAndADefault(t *testing.T) {
	s := reflect.TypeFor[Limits]()
	if len(fields) != s.NumField() {
		t.Fatalf("%d names, %d fields", len(fields), s.NumField())
	}
	var l Limits
	for i, name := range Names() {
		if name != s.Field(i).Name {
			t.Errorf("name %d is %s, the field %s", i, name, s.Field(i).Name)
		}
		if err := l.Set(name, int64(i+1)); err != nil {
			t.Error(err)
		}
		if got := reflect.ValueOf(l).Field(i).Int(); got != int64(i+1) {
			t.Errorf("%s is %d after it was set to %d", name, got, i+1)
		}
		if reflect.ValueOf(defaults).Field(i).Int() < 1 {
			t.Errorf("%s has no default", name)
		}
	}
	if l.OrDefaults() != l || (Limits{}).OrDefaults() != defaults {
		t.Error("OrDefaults changes what is set, or leaves a zero")
	}
}

func TestSetRefuses(t *testing.T) {
	l := defaults
	for name, n := range map[string]int64{"MaxFile": 0, "MaxLump": -1, "maxfile": 5, "": 5} {
		if err := l.Set(name, n); !errors.Is(err, ErrUsage) {
			t.Errorf("%s=%d: %v", name, n, err)
		}
	}
	if l != defaults {
		t.Error("a refused value was set")
	}
}

func TestErrorNamesItsFlag(t *testing.T) {
	err := error(&Error{Limit: "MaxLump", Max: 5, Want: 6})
	if got := err.Error(); !strings.Contains(got, "--limit MaxLump=N") || !errors.Is(err, ErrLimit) {
		t.Error(got)
	}
}

func TestContextsCarryLimits(t *testing.T) {
	if l := From(context.Background()); l != Defaults() {
		t.Errorf("a plain context has the limits %+v", l)
	}
	want := defaults
	want.MaxFile = 5
	if l := From(With(context.Background(), Limits{MaxFile: 5})); l != want {
		t.Errorf("with one limit set, the context has %+v", l)
	}
}
