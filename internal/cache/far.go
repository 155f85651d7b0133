package cache

import (
	"path"
	"sync"
	"sync/atomic"
	"time"
)

// Far is a store that machines share, behind the folder of each. What the folder has not is looked for there, and what is made
// is put there in the background. Where it can't be reached, it is left alone for a while: a conversion does not wait for it.
type Far struct {
	Get func(name string) ([]byte, error) // nil without an error for what is not there
	Put func(name string, entry []byte) error

	away  atomic.Int64 // nanoseconds since 1970 until which it is left alone
	slots chan struct{}
	puts  sync.WaitGroup
}

const (
	farPuts = 8                // at a time; more are not kept
	farRest = 30 * time.Second // after an error
)

// Behind puts a shared store behind the folder, before the first Get.
func (s *Store) Behind(f *Far) {
	f.slots = make(chan struct{}, farPuts)
	s.far = f
}

// Flush waits for what is being put into the shared store.
func (s *Store) Flush() {
	if s != nil && s.far != nil {
		s.far.puts.Wait()
	}
}

// farName is the name of an entry in a shared store.
func farName(k Key) string {
	name := k.String()
	return path.Join("v1", name[:2], name[2:])
}

func (f *Far) rests() bool { return f == nil || time.Now().UnixNano() < f.away.Load() }

// rest leaves the store alone after an error.
func (f *Far) rest(err error) {
	if err != nil {
		f.away.Store(time.Now().Add(farRest).UnixNano())
	}
}

// fetch returns an entry of the shared store, and keeps it in the folder.
func (s *Store) fetch(k Key) (data []byte, ok bool) {
	if s.far.rests() {
		return nil, false
	}
	all, err := s.far.Get(farName(k))
	s.far.rest(err)
	if data, ok = unpack(all); !ok { // or the stored entry is damaged; the two can't be distinguished
		return nil, false
	}
	_ = s.write(k, all[:headerSize], data) // a full disk costs time, and nothing else
	return data, true
}

// put stores an entry in the background, if not too many are on their way.
func (f *Far) put(k Key, header, data []byte) {
	if f.rests() {
		return
	}
	select {
	case f.slots <- struct{}{}:
	default:
		return // made again by the next machine that needs it
	}
	entry := append(header[:len(header):len(header)], data...)
	f.puts.Go(func() {
		f.rest(f.Put(farName(k), entry))
		<-f.slots
	})
}
