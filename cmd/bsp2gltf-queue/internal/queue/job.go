package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// value is a Status as stored in the bucket.
type value struct {
	jobs.Status
	Message     string `json:"message,omitempty"`     // the ID of the job's message
	Interrupted int    `json:"interrupted,omitempty"` // deliveries of the message that a worker's end interrupted; they don't count
}

// ended reports whether the outcome of the job that a message brings is stored.
func (v *value) ended(message string) bool {
	return (v.State == jobs.Done || v.State == jobs.Failed) && v.Message == message
}

// maxJob is the largest size of a job's JSON in bytes. Paths have at most 4 KB on Linux, keys of S3 1 KB.
const maxJob = 16 << 10

// checkJob returns an error if Submit can't have made a job for a tool. Others may be able to post messages, too.
func checkJob(j *jobs.Job, tool string) error {
	text, err := json.Marshal(j)
	switch {
	case err != nil:
		return err
	case !isHash(j.ID) || !isHash(j.Setup):
		return fmt.Errorf("its ID or its setup is no SHA-256: %w", limit.ErrUsage)
	case len(text) > maxJob:
		return fmt.Errorf("its names take %d bytes, the queue takes %d: %w", len(text), maxJob, limit.ErrUsage)
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
func jobOf(message []byte, tool string) (*jobs.Job, error) {
	j := &jobs.Job{}
	if json.Unmarshal(message, j) != nil {
		return j, errors.New("the message is not a job")
	}
	return j, checkJob(j, tool)
}

// keyOf returns a setup's key in its bucket, and its JSON.
func keyOf(s *jobs.Setup) (string, []byte, error) {
	text, err := json.Marshal(s)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), text, err
}
