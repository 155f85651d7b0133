package limit

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestPlainLeavesOutTheKinds(t *testing.T) {
	for text, want := range map[string]string{
		"IBSP 99: unsupported operation":                         "IBSP 99",
		"a.vtf: vtf: format 34 (ATI2N): unsupported operation":   "a.vtf: vtf: format 34 (ATI2N)",
		"x (lump 3: corrupt: unsupported operation): usage":      "x (lump 3)",
		"first: corrupt\nsecond: corrupt; third: limit exceeded": "first\nsecond; third",
		"a: corrupt: b":   "a: corrupt: b",
		"corrupt":         "corrupt",
		"a: corruption":   "a: corruption",
		"a: can't create": "a: can't create",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestErrorfHasAKindAndACause(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("x.zip: %w", Errorf(fs.ErrNotExist, "holds nothing: %w", cause))
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, cause) || err.Error() != "x.zip: holds nothing: cause" {
		t.Error(err)
	}
}
