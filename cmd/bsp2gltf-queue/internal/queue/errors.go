package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Errors of storing a status.
var (
	errTaken = errors.New("another worker has the job") // it has stored a status since this one was read
	errLags  = errors.New("a node of the queue lags behind the others")
)

// errCodeTooLarge is JetStream's error for a message that is larger than its stream takes (JSStreamMessageExceedsMaximumErr).
const errCodeTooLarge jetstream.ErrorCode = 10054

// final reports whether storing the same value again would fail again: it is too large, or its key is none.
func final(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, nats.ErrMaxPayload) || errors.Is(err, jetstream.ErrInvalidKey) ||
		errors.As(err, &api) && api.ErrorCode == errCodeTooLarge
}

// conflict reports whether a value was not stored because its key has another revision than expected.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// queueError wraps an error of the queue with its kind.
func queueError(err error) error {
	if final(err) {
		return fmt.Errorf("the queue: %w: %w", limit.ErrLimit, err)
	}
	return unreachable(err)
}

func unreachable(err error) error { return fmt.Errorf("the queue: %w: %w", limit.ErrInput, err) }

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
