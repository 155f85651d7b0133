// Package jobs describes conversions that workers on many machines do: what a job says, what became of it, and what a queue can
// do with it. The queue itself is in a module of its own, cmd/bsp2gltf-queue, so that others need none of its libraries.
package jobs

import (
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
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
	Timeout time.Duration `json:"timeout,omitempty"`
	Tool    string        `json:"tool"` // name and version of the program that made it; Submit sets it
}

// State is the state of a job.
type State string

// The states of a job.
const (
	Queued  State = "queued"  // waiting for its first or next attempt
	Running State = "running" // a worker has it, or it waits for another attempt; only an Overview's counts have this state
	Done    State = "done"
	Failed  State = "failed"
)

// Status is the status of a job.
type Status struct {
	State   State         `json:"state"`
	Job     Job           `json:"job"`
	Worker  string        `json:"worker,omitempty"`
	Attempt int           `json:"attempt,omitempty"` // number of the attempt, from 1; one that the worker's end interrupted does not count
	Time    time.Time     `json:"time"`
	Record  *batch.Record `json:"record,omitempty"` // result of the last attempt that ended
	Files   *FileList     `json:"files,omitempty"`  // of a job that is done
}

// FileList identifies the files of an output: the hash is that of a line for each file, sorted by name, as sha256sum prints it. Names are
// relative to the folder of outputs.
type FileList struct {
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"`
}

// Overview is the state of a queue.
type Overview struct {
	Total   int                  `json:"total"`
	Counts  map[State]int        `json:"counts"`
	Reasons map[batch.Reason]int `json:"reasons,omitempty"` // of failed jobs
	Waiting map[string]int       `json:"waiting,omitempty"` // jobs that are queued or running, by the tool that must run them
	Pending uint64               `json:"pending"`           // messages not delivered to a worker
	Leased  int                  `json:"leased"`            // messages delivered and not yet acknowledged
	Jobs    []Status             `json:"jobs,omitempty"`
}

// Each calls each with the records of the jobs that have ended.
func (o *Overview) Each(each func(*batch.Record) error) error {
	for i := range o.Jobs {
		if s := &o.Jobs[i]; (s.State == Done || s.State == Failed) && s.Record != nil {
			if err := each(s.Record); err != nil {
				return err
			}
		}
	}
	return nil
}

// Empty reports whether every job has ended.
func (o *Overview) Empty() bool { return o.Counts[Queued]+o.Counts[Running] == 0 }
