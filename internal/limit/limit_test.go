package limit

import (
	"context"
	"testing"
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
