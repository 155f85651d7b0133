package queue

import (
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Limits in bytes of what a map can make long. With them, and mostJob and mostFiles, a status has at most a quarter of the megabyte
// that a message may have on a server with default settings.
const (
	mostText    = 1 << 10  // of a message, a title or a name
	mostMissing = 16 << 10 // of all names of missing materials
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
	left := mostMissing
	for i, name := range s.Missing {
		if left -= len(name); left < 0 {
			s.Missing = s.Missing[:i]
			break
		}
	}
}

// clip returns the first mostText bytes of a text as valid UTF-8.
func clip(s string) string {
	if len(s) <= mostText {
		return s
	}
	return strings.ToValidUTF8(s[:mostText], "") + "…"
}

// textOf returns the text of an error without its kind, which the reason expresses.
func textOf(err error) string {
	text := err.Error()
	for _, kind := range []error{limit.ErrUsage, limit.ErrLimit, limit.ErrInput} {
		text = strings.TrimSuffix(text, ": "+kind.Error())
	}
	return text
}

// brief returns a status for a job that failed, without what could be too long for the queue.
func brief(v *value, reason batch.Reason, message string) *value {
	j := Job{
		ID: clip(v.Job.ID), In: clip(v.Job.In), Size: v.Job.Size, SHA256: clip(v.Job.SHA256), Out: clip(v.Job.Out), Output: clip(v.Job.Output),
		Setup: clip(v.Job.Setup), Tool: clip(v.Job.Tool),
	}
	r := &batch.Record{
		Time: time.Now().UTC(), Path: j.In, Output: j.Output, SHA256: j.SHA256, Options: j.Setup, Reason: reason, Message: clip(message), Attempts: v.Attempt,
	}
	return &value{Status{State: Failed, Job: j, Worker: v.Worker, Attempt: v.Attempt, Record: r}, v.Message}
}
