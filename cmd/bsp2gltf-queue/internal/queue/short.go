package queue

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Limits in bytes of texts that a map can make long. With them, and maxJob and maxFiles, a status has at most a quarter of the
// megabyte that a message may have on a server with default settings.
const (
	maxText    = 1 << 10  // of a message, a title or a name
	maxMissing = 16 << 10 // of all names of missing materials
)

// shorten cuts the texts of a record to these limits. The number of missing materials stays.
func shorten(r *batch.Record) {
	r.Message = clip(r.Message)
	s := r.Summary
	if s == nil {
		return
	}
	for _, text := range []*string{&s.Map, &s.Format, &s.Game, &s.Title, &s.Carrier, &s.Light} {
		*text = clip(*text)
	}
	left := maxMissing
	for i, name := range s.Missing {
		if left -= len(name); left < 0 {
			s.Missing = s.Missing[:i]
			break
		}
	}
}

// clip returns the first maxText bytes of a text as valid UTF-8.
func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// textOf returns the text of an error without its kinds, which the reason expresses.
func textOf(err error) string {
	return limit.Plain(err.Error())
}
