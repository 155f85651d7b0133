// Package modelfile holds what the decoders of model files share: tables of records, errors for broken files, and the
// memory that a model takes.
package modelfile

import (
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Fault returns the error for a broken file: a code, the part of the file, and what is wrong there.
func Fault(code, where, format string, args ...any) *le.FormatError {
	return &le.FormatError{Code: code, Lump: where, Index: -1, Offset: -1, Detail: fmt.Sprintf(format, args...)}
}

// Notes collects the issues of a model.
type Notes struct {
	Model  string // its name
	Issues []world.Issue
}

// Note adds an issue.
func (n *Notes) Note(code, format string, args ...any) {
	n.Issues = append(n.Issues, world.Issue{Code: code, Detail: n.Model + ": " + fmt.Sprintf(format, args...)})
}

// InRange reports whether all numbers are finite and within the range of a map.
func InRange[T float32 | float64](v ...T) bool {
	for _, x := range v {
		if !(math.Abs(float64(x)) < 1<<24) {
			return false
		}
	}
	return true
}

// File is one of a model's files; What names it in messages.
type File struct {
	Data []byte
	What string
}

// Bytes returns n bytes at an offset of the file. If n is 0, the offset is not checked.
func (f *File) Bytes(what string, at, n int64) ([]byte, error) {
	if n < 0 || n > 0 && (at < 0 || at > int64(len(f.Data)) || n > int64(len(f.Data))-at) {
		return nil, Fault("bounds", f.What, "%d bytes of %s at %d are outside its %d", n, what, at, len(f.Data))
	}
	if n == 0 {
		return nil, nil
	}
	return f.Data[at:][:n], nil
}

// Table returns the table of n records of size bytes at an offset of the file.
func (f *File) Table(what string, n int32, at int64, size int) (Table, error) {
	data, err := f.Bytes(what, at, int64(n)*int64(size))
	return Table{Data: data, At: at, Size: size}, err
}

// Int32 returns the number at an offset of the header.
func (f *File) Int32(at int) int32 { return le.Int32(f.Data[at:]) }

// Table is an array of records in a file.
type Table struct {
	Data []byte
	At   int64 // offset in the file
	Size int   // of a record
}

// Len returns the number of records.
func (t Table) Len() int { return len(t.Data) / t.Size }

// Record returns the bytes of record i.
func (t Table) Record(i int) []byte { return t.Data[i*t.Size:][:t.Size] }

// Offset returns the offset of record i in the file.
func (t Table) Offset(i int) int64 { return t.At + int64(i)*int64(t.Size) }

// Reservation is the memory that a decoded model and temporary data take of a budget.
type Reservation struct {
	Budget   *limit.Budget
	reserved int64
	borrowed int64
}

// Reserve reserves bytes for the result.
func (r *Reservation) Reserve(n int64) error {
	if err := r.Budget.Reserve(n); err != nil {
		return err
	}
	r.reserved += n
	return nil
}

// Borrow reserves bytes for temporary data, until Return.
func (r *Reservation) Borrow(n int64) error {
	if err := r.Budget.Reserve(n); err != nil {
		return err
	}
	r.borrowed += n
	return nil
}

// Return releases what was borrowed.
func (r *Reservation) Return() {
	r.Budget.Release(r.borrowed)
	r.borrowed = 0
}

// Release releases everything, after a failure.
func (r *Reservation) Release() {
	r.Return()
	r.Budget.Release(r.reserved)
	r.reserved = 0
}
