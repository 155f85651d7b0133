// Package limitctx carries limits in a context, with the budget that counts what is used of them. Package limits states the limits and
// internal/limit counts; neither names the other's types here, because limits may show callers no internal type.
package limitctx

import (
	"context"
	"sync"
)

// Carried is what a context carries.
type Carried struct {
	Limits any // limits.Limits, without zero fields
	once   sync.Once
	budget any // *limit.Budget
}

// New returns limits without any use counted yet.
func New(limits any) *Carried { return &Carried{Limits: limits} }

// Budget returns the budget of the limits, which create makes at the first call.
func (c *Carried) Budget(create func(limits any) any) any {
	c.once.Do(func() { c.budget = create(c.Limits) })
	return c.budget
}

type key struct{}

// With returns a context that carries c.
func With(ctx context.Context, c *Carried) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns what ctx carries, or nil.
func From(ctx context.Context) *Carried {
	c, _ := ctx.Value(key{}).(*Carried)
	return c
}
