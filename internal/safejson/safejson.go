// Package safejson writes JSON that may be shown on a terminal.
package safejson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Write writes a value as indented JSON. Characters that a terminal obeys or does not show, where names from files may have them, are
// escaped: the control characters from U+007F on, and those of Unicode's class Cf, which turn the direction of text or have no width.
func Write(w io.Writer, v any) error { return write(w, v, "  ") }

// Line writes a value as Write does, on one line.
func Line(w io.Writer, v any) error { return write(w, v, "") }

func write(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(Escape(b.Bytes()))
	return err
}

// Escape escapes those characters in JSON. The result means the same.
func Escape(data []byte) []byte {
	if bytes.IndexFunc(data, hidden) < 0 {
		return data
	}
	var out bytes.Buffer
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case !hidden(r):
			out.Write(data[:size])
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		data = data[size:]
	}
	return out.Bytes()
}

// hidden reports whether a terminal obeys a character or does not show it. In JSON such characters are only in strings.
func hidden(r rune) bool { return r >= 0x7f && r <= 0x9f || unicode.Is(unicode.Cf, r) }
