package lift

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Job is shared by all steps of a decoder: the budget, and the issues found so far.
type Job struct {
	Budget   *limit.Budget
	Issues   world.Issues
	borrowed int64
}

// NewJob returns a job with a budget.
func NewJob(b *limit.Budget) *Job {
	return &Job{Budget: b, Issues: world.Issues{Most: b.Limits.MaxWarnings}}
}

// Reserve reserves bytes that the world keeps.
func (j *Job) Reserve(n int64) error { return j.Budget.Reserve(n) }

// Borrow reserves bytes until the map is decoded.
func (j *Job) Borrow(n int64) error {
	err := j.Budget.Reserve(n)
	if err == nil {
		j.borrowed += n
	}
	return err
}

// Owe counts bytes that were reserved elsewhere as borrowed.
func (j *Job) Owe(n int64) { j.borrowed += n }

// Done releases the borrowed bytes.
func (j *Job) Done() {
	j.Budget.Release(j.borrowed)
	j.borrowed = 0
}

// Issue records an issue.
func (j *Job) Issue(code, where, format string, args ...any) {
	j.Issues.Add(code, where, format, args...)
}
