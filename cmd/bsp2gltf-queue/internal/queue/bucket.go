package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// stored is a status as the bucket has it.
type stored struct {
	value
	revision uint64 // 0 if the bucket has none
}

// readStatus returns the stored status of a job. It may be out of date, because any node that stores the bucket may answer.
func readStatus(bucket jetstream.KeyValue, id string) (s stored, err error) {
	err = persist(func(ctx context.Context) error {
		e, err := bucket.Get(ctx, id)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			s = stored{revision: e.Revision()}
			_ = json.Unmarshal(e.Value(), &s.value) // what is no status is replaced by one
		}
		return err
	})
	return s, err
}

// putStatus stores the status of a job and returns its revision. Last is the revision that it replaces, 0 for none. It fails with
// errTaken if last is not the latest revision.
func putStatus(bucket jetstream.KeyValue, v *value, last uint64) (revision uint64, err error) {
	v.Time = time.Now().UTC()
	text, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	err = persist(func(ctx context.Context) error {
		var err error
		revision, err = bucket.Update(ctx, v.Job.ID, text, last)
		if !conflict(err) {
			return err
		}
		e, err := bucket.Get(ctx, v.Job.ID)
		switch {
		case err != nil:
			return err
		case e.Revision() <= last:
			return errLags
		case string(e.Value()) != string(text):
			return errTaken
		}
		revision = e.Revision() // the value was stored, and the answer was lost
		return nil
	})
	return revision, err
}

// begun says how the status of a running job was stored.
type begun struct {
	revision uint64 // of the status that the outcome replaces
	attempt  int
	ended    bool // the job's outcome was stored already
	err      error
}

// begin stores that a worker runs a job, over the revision that was read. If another status was stored in the meantime, begin
// replaces that one, unless it is the job's outcome.
func begin(bucket jetstream.KeyValue, v value, last uint64) begun {
	const tries = 50
	for range tries {
		revision, err := putStatus(bucket, &v, last)
		if err == nil {
			return begun{revision: revision, attempt: v.Attempt}
		}
		if !errors.Is(err, errTaken) {
			return begun{revision: last, attempt: v.Attempt, err: err}
		}
		now, err := readStatus(bucket, v.Job.ID)
		switch {
		case err != nil:
			return begun{err: err}
		case now.ended(v.Message):
			return begun{ended: true}
		case now.revision <= last: // from a node that lags behind
			time.Sleep(100 * time.Millisecond)
		default:
			last, v.Attempt = now.revision, now.Attempt+1
		}
	}
	return begun{err: errTaken}
}
