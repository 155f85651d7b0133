package decoding

import "fmt"

// Dropped is the reason why a face is in no model: the code and the detail of the issue.
type Dropped struct{ Code, Detail string }

// Drop returns why a face is in no model.
func Drop(code, format string, args ...any) *Dropped {
	return &Dropped{code, fmt.Sprintf(format, args...)}
}

// FaceName names a face in issues.
func FaceName(i int) string { return fmt.Sprintf("face %d", i) }
