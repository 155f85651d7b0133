package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// stored is a status as the bucket has it.
type stored struct {
	value
	revision uint64 // 0 if the bucket has none
}

// errTaken means that another worker has stored a status of the job since this one read it.
var errTaken = errors.New("another worker has the job")

// errCodeTooLarge is JetStream's error for a message that is larger than its stream takes (JSStreamMessageExceedsMaximumErr).
const errCodeTooLarge jetstream.ErrorCode = 10054

// final reports whether storing the same value again would fail again: it is too large, or its key is none.
func final(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, jetstream.ErrInvalidKey) || errors.As(err, &api) && api.ErrorCode == errCodeTooLarge
}

// conflict reports whether a value was not stored because its key has another revision than expected.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// queueError wraps an error of the queue with its kind.
func queueError(err error) error {
	if final(err) {
		return fmt.Errorf("the queue: %w: %w", limit.ErrLimit, err)
	}
	return unreachable(err)
}

// status returns the stored status of a job. It may be out of date, because any node that stores the bucket may answer.
func (w *work) status(id string) (s stored, err error) {
	err = persist(func(ctx context.Context) error {
		e, err := w.q.status.Get(ctx, id)
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

// put stores the status of a job and returns its revision. Last is the revision that it replaces, 0 for none. Put fails with
// errTaken if last is not the latest revision.
func (w *work) put(v *value, last uint64) (revision uint64, err error) {
	v.Time = time.Now().UTC()
	text, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	err = persist(func(ctx context.Context) error {
		var err error
		revision, err = w.q.status.Update(ctx, v.Job.ID, text, last)
		if !conflict(err) {
			return err
		}
		e, err := w.q.status.Get(ctx, v.Job.ID)
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

// errLags means that a node has answered that lags behind the others.
var errLags = errors.New("a node of the queue lags behind")

// begin stores that this worker runs a job, over the revision that was read. If another status was stored in the meantime, begin
// replaces that one, unless it is the job's outcome.
func (w *work) begin(v value, last uint64) start {
	const tries = 50
	for range tries {
		revision, err := w.put(&v, last)
		if err == nil {
			return start{revision: revision, attempt: v.Attempt}
		}
		if !errors.Is(err, errTaken) {
			return start{revision: last, attempt: v.Attempt, err: err}
		}
		now, err := w.status(v.Job.ID)
		switch {
		case err != nil:
			return start{err: err}
		case now.ended(v.Message):
			return start{ended: true}
		case now.revision <= last: // from a node that lags behind
			time.Sleep(100 * time.Millisecond)
		default:
			last, v.Attempt = now.revision, now.Attempt+1
		}
	}
	return start{err: errTaken}
}

// persist repeats f until it succeeds or has failed finally, for up to two minutes, because calls fail while a node of the
// queue restarts. It returns f's last error.
func persist(f func(context.Context) error) error {
	end := time.Now().Add(2 * time.Minute)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err := f(ctx)
		cancel()
		if err == nil || final(err) || errors.Is(err, errTaken) || time.Now().After(end) {
			return err
		}
		time.Sleep(wait)
	}
}
