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

// putStatus stores the status of a job over the revision that was read. It fails with errTaken if that is not the latest one.
func putStatus(bucket jetstream.KeyValue, v *stored) error {
	v.Time = time.Now().UTC()
	text, err := json.Marshal(&v.value)
	if err != nil {
		return err
	}
	return persist(func(ctx context.Context) error {
		_, err := bucket.Update(ctx, v.Job.ID, text, v.revision)
		if !conflict(err) {
			return err
		}
		e, err := bucket.Get(ctx, v.Job.ID)
		switch {
		case err != nil:
			return err
		case e.Revision() <= v.revision:
			return errLags
		case string(e.Value()) != string(text):
			return errTaken
		}
		return nil // the value was stored, and the answer was lost
	})
}
