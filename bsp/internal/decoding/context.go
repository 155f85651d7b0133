// Package decoding has what every decoder of maps takes and returns: the context of a map that is decoded (its budget and its
// issues), and the decoded map.
package decoding

import (
	"errors"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Context is shared by all steps of a decoder: the budget, and the issues found so far.
type Context struct {
	Budget   *limit.Budget
	Issues   world.Issues
	borrowed int64
}

// NewContext returns the context of a map that may use a budget.
func NewContext(b *limit.Budget) *Context {
	return &Context{Budget: b, Issues: world.Issues{Most: b.Limits.MaxWarnings}}
}

// Reserve reserves bytes that the world keeps.
func (c *Context) Reserve(n int64) error { return c.Budget.Reserve(n) }

// Borrow reserves bytes until the map is decoded.
func (c *Context) Borrow(n int64) error {
	err := c.Budget.Reserve(n)
	if err == nil {
		c.borrowed += n
	}
	return err
}

// Adopt counts bytes that were reserved elsewhere as borrowed.
func (c *Context) Adopt(n int64) { c.borrowed += n }

// Done releases the borrowed bytes.
func (c *Context) Done() {
	c.Budget.Release(c.borrowed)
	c.borrowed = 0
}

// Issue records an issue.
func (c *Context) Issue(code, where, format string, args ...any) {
	c.Issues.Add(code, where, format, args...)
}

// Optional reads a lump of records of a size that few maps need; it returns nil if the lump is missing or broken, which is an issue.
func (c *Context) Optional(f *le.File, info Lump, size int) ([]byte, error) {
	if info.Size == 0 {
		return nil, nil
	}
	l, err := f.Lump(info.Name, info.Offset, info.Size)
	if err == nil {
		_, err = l.Count(size)
	}
	var broken *le.FormatError
	if errors.As(err, &broken) {
		c.Issue("lump-broken", info.Name, "is left out: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.Adopt(info.Size)
	return l.Data, nil
}
