package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Job is a message of the queue.
type Job struct {
	ID     string `json:"id"`
	In     string `json:"in"` // a path that every worker can open, or a URL
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // of the map, if the submitter read it
	Out    string `json:"out"`              // the folder of outputs: a path that every worker can open, or a URL
	Output string `json:"output"`           // the main file, relative to Out
	Setup  string `json:"setup"`            // the key of a Setup
	Tool   string `json:"tool"`             // name and version of the program that must run it
}

// Setup holds what many jobs share.
type Setup struct {
	batch.Setup
	Game    []string      `json:"game,omitempty"` // URLs of game folders, searched before those in the options
	Timeout time.Duration `json:"timeout,omitempty"`
	Tool    string        `json:"tool"` // name and version of the program that made it; Submit sets it
}

// key returns the setup's key in its bucket, and its JSON.
func (s *Setup) key() (string, []byte, error) {
	text, err := json.Marshal(s)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text, err
}

// State is the state of a job.
type State string

// The states of a job.
const (
	Queued  State = "queued"  // waiting for its first or next attempt
	Running State = "running" // a worker has it, or had it when the worker died
	Done    State = "done"
	Failed  State = "failed"
)

// Status is the status of a job: a value in the status bucket.
type Status struct {
	State   State         `json:"state"`
	Job     Job           `json:"job"`
	Worker  string        `json:"worker,omitempty"`
	Attempt int           `json:"attempt,omitempty"` // number of the attempt, from 1; one that the worker's end interrupted does not count
	Time    time.Time     `json:"time"`
	Record  *batch.Record `json:"record,omitempty"` // result of the last attempt that ended
	Files   *FileList     `json:"files,omitempty"`  // of a job that is done
}

// value is a Status as stored in the bucket.
type value struct {
	Status
	Message string `json:"message,omitempty"` // the ID of the job's message
}

// ended reports whether the outcome of the job that a message brings is stored.
func (v *value) ended(message string) bool {
	return (v.State == Done || v.State == Failed) && v.Message == message
}

// mostJob is how many bytes the JSON of a job may have. Paths have at most 4 KB on Linux, keys of S3 1 KB.
const mostJob = 16 << 10

// check returns an error if Submit can't have made the job for a tool. Others may be able to post messages, too.
func (j *Job) check(tool string) error {
	text, err := json.Marshal(j)
	switch {
	case err != nil:
		return err
	case !isHash(j.ID) || !isHash(j.Setup):
		return fmt.Errorf("its ID or its setup is no SHA-256: %w", limit.ErrUsage)
	case len(text) > mostJob:
		return fmt.Errorf("its names take %d bytes, the queue takes %d: %w", len(text), mostJob, limit.ErrUsage)
	case j.Tool != tool:
		return fmt.Errorf("it is for %s, and was delivered to %s: %w", clip(j.Tool), tool, limit.ErrUsage)
	case !filepath.IsLocal(filepath.FromSlash(j.Output)):
		return fmt.Errorf("its output is outside the folder of outputs: %w", limit.ErrUsage)
	}
	return nil
}

// isHash reports whether s is a SHA-256 in hexadecimal.
func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size
}

// jobOf returns the job that a message brings to a tool. If the message brings none that can be run, it returns what it can, and an
// error.
func jobOf(message []byte, tool string) (*Job, error) {
	j := &Job{}
	if json.Unmarshal(message, j) != nil {
		return j, errors.New("the message is not a job")
	}
	return j, j.check(tool)
}
