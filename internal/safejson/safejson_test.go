package safejson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What a terminal obeys is escaped, all else is as it was, and the value is the same.
func TestWhatATerminalObeysIsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 漢 <&>": `"plain é 漢 <&>"`, "\u009b31m": `"\u009b31m"`, "a\u007f": `"a\u007f"`, "a\u202egpj": `"a\u202egpj"`,
		"\u200b\u200d\ufeff\u00ad\u2066": `"\u200b\u200d\ufeff\u00ad\u2066"`, "\x1b[2J": `"\u001b[2J"`, "\U000e0041": `"\udb40\udc41"`,
	} {
		var b bytes.Buffer
		if err := Write(&b, in); err != nil || strings.TrimSpace(b.String()) != want {
			t.Errorf("%q: %s, want %s, %v", in, b.String(), want, err)
		}
		var back string
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || back != in {
			t.Errorf("%q became %q, %v", in, back, err)
		}
	}
}
