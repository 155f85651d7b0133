package limit

import (
	"errors"
	"fmt"
	"strings"
)

// kindNames are the names of kinds that mean nothing to people, who have the exit code or the code.
var kindNames = []string{
	ErrUsage.Error(), ErrCorrupt.Error(), ErrLimit.Error(), ErrInput.Error(), errors.ErrUnsupported.Error(),
}

// Plain returns the text of an error without the names of its kinds where they end a clause: "IBSP 99: unsupported operation" is
// "IBSP 99".
func Plain(text string) string {
	for again := true; again; {
		again = false
		for _, kind := range kindNames {
			before, after, found := strings.Cut(text, ": "+kind)
			if found && (after == "" || strings.ContainsRune(");,\n", rune(after[0]))) {
				text, again = before+after, true
			}
		}
	}
	return text
}

// Errorf returns an error of a kind whose text does not have the kind's name.
func Errorf(kind error, format string, args ...any) error {
	return &plainError{fmt.Errorf(format, args...), kind}
}

// plainError is an error with a kind that its text does not name.
type plainError struct{ err, kind error }

func (e *plainError) Error() string   { return e.err.Error() }
func (e *plainError) Unwrap() []error { return []error{e.err, e.kind} }
