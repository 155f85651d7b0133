package limit

import (
	"context"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/limits"
)

func TestContextCarriesTheBudget(t *testing.T) {
	b := NewBudget(Limits{})
	if From(With(context.Background(), b)) != b {
		t.Error("another budget")
	}
	if l := From(context.Background()).Limits; l != Defaults {
		t.Errorf("a plain context has the limits %+v", l)
	}
	ctx, b := Ensure(context.Background())
	if again, c := Ensure(ctx); b != c || From(again) != b {
		t.Error("one context has two budgets")
	}
}

func TestLimitsOfACallerCountTogetherUntilAConversionBegins(t *testing.T) {
	ctx := limits.With(context.Background(), limits.Limits{MaxVertices: 4})
	if err := From(ctx).Vertices(3); err != nil {
		t.Fatal(err)
	}
	if From(ctx).Vertices(2) == nil {
		t.Error("two calls under one context don't count together")
	}
	begun, b := Begin(ctx)
	if err := b.Vertices(4); err != nil || From(begun) != b {
		t.Errorf("a new conversion: %v", err)
	}
	if b.Vertices(1) == nil {
		t.Error("a new conversion has other limits")
	}
}

func TestCheck(t *testing.T) {
	if Check("MaxLump", 5, 5) != nil || Check("MaxLump", 5, 6) == nil {
		t.Error("5 of 5 fails, or 6 of 5 does not")
	}
}
