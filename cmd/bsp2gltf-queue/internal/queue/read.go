package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// entry is a status in the bucket.
type entry struct {
	value    value
	revision uint64
}

// statuses returns every status by the ID of its job. It writes nothing.
//
// Any node that stores the bucket may serve the watch, and one that has just restarted or follows a new leader may lag behind the
// others. So the bucket's leader is asked first for its latest revision and the number of its keys, and reading goes on until both
// were seen. The number of values that are left to read does not say enough: while a value is written, the server may count the old one
// of its key no more and the new one not yet.
func (q *Queue) statuses(ctx context.Context) (map[string]entry, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	all := map[string]entry{}
	if q.status == nil {
		return all, nil
	}
	s, err := q.js.Stream(ctx, "KV_"+statusBucket)
	if err != nil {
		return nil, unreachable(err)
	}
	state := s.CachedInfo().State
	if state.Msgs == 0 {
		return all, nil
	}
	w, err := q.status.WatchAll(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	defer func() { _ = w.Stop() }() // the end of the connection would stop it, too
	var late <-chan time.Time
	keys := map[string]bool{}
	for seen, left := uint64(0), uint64(1); seen < state.LastSeq || left > 0 || uint64(len(keys)) < state.NumSubjects; {
		select {
		case e, ok := <-w.Updates():
			if !ok {
				return nil, unreachable(errors.New("the connection ended"))
			}
			if e == nil { // everything that the node has so far
				late, left = time.After(lagging), 0
				continue
			}
			seen, left, keys[e.Key()] = max(seen, e.Revision()), e.Delta(), true
			var v value
			if e.Operation() != jetstream.KeyValuePut {
				delete(all, e.Key())
			} else if isHash(e.Key()) && json.Unmarshal(e.Value(), &v) == nil {
				all[e.Key()] = entry{v, e.Revision()}
			}
		case <-late:
			return all, nil
		case <-ctx.Done():
			return nil, unreachable(ctx.Err())
		}
	}
	return all, nil
}

// lagging is how long a node may lag behind its leader. If it has sent everything by then, the latest revision or a key was removed
// from the bucket.
const lagging = 10 * time.Second
