// Package limit defines the resources that a conversion may use and the kinds of its errors.
//
// Every allocation whose size comes from a file is reserved with a Budget first, so that a hostile file uses at most
// what the Limits allow. The kinds of errors are those that exit codes distinguish; test for them with errors.Is. Valid
// files with features that are not read give errors.ErrUnsupported, missing files fs.ErrNotExist.
package limit

import (
	"context"
	"errors"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/limits"
)

// Limits bound what one conversion may use.
type Limits = limits.Limits

// Error says which limit was exceeded.
type Error = limits.Error

// The kinds of errors of package limits.
var (
	ErrUsage    = limits.ErrUsage
	ErrCorrupt  = limits.ErrCorrupt
	ErrLimit    = limits.ErrLimit
	ErrInput    = limits.ErrInput
	ErrOutput   = limits.ErrOutput
	ErrWrite    = limits.ErrWrite
	ErrInternal = limits.ErrInternal
)

// Defaults are the limits that hold where none are set.
var Defaults = limits.Defaults()

// Names returns the names of the limits, in the order of the fields of Limits.
func Names() []string { return limits.Names() }

// Fatal reports whether an error ends the whole conversion: an exceeded limit, or the context's end.
func Fatal(err error) bool {
	return errors.Is(err, ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Unreadable marks an error from opening or reading a file as ErrInput, unless the file does not exist.
func Unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return Errorf(ErrInput, "%w", err)
}
