package lift

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Job is what all steps of a decoder share: what they may spend, and what they survived.
type Job struct {
	Budget   *limit.Budget
	Issues   world.Issues
	borrowed int64
}

// NewJob returns a job that spends a budget.
func NewJob(b *limit.Budget) *Job {
	return &Job{Budget: b, Issues: world.Issues{Most: b.Limits.MaxWarnings}}
}

// Reserve takes bytes that the world keeps.
func (j *Job) Reserve(n int64) error { return j.Budget.Reserve(n) }

// Borrow takes bytes until the map is decoded.
func (j *Job) Borrow(n int64) error {
	err := j.Budget.Reserve(n)
	if err == nil {
		j.borrowed += n
	}
	return err
}

// Owe counts bytes that someone else has reserved as borrowed.
func (j *Job) Owe(n int64) { j.borrowed += n }

// Done releases what was borrowed.
func (j *Job) Done() {
	j.Budget.Release(j.borrowed)
	j.borrowed = 0
}

// Issue records something that was survived.
func (j *Job) Issue(code, where, format string, args ...any) {
	j.Issues.Add(code, where, format, args...)
}
