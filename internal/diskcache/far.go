package diskcache

import (
	"path"
	"sync"
	"sync/atomic"
	"time"
)

// Far is a store that several machines share in addition to their folders. Entries missing from the folder are fetched from
// it, and new entries are put there in the background. If it can't be reached, it is not used for a while, so that conversions
// don't wait for it.
type Far struct {
	// Get returns an entry of at most most bytes, or nil and no error for one that is missing or larger.
	Get func(name string, most int64) ([]byte, error)
	Put func(name string, entry []byte) error

	away  atomic.Int64 // not used until then; nanoseconds after begun
	slots chan struct{}
	puts  sync.WaitGroup
}

const (
	farPuts = 8                // concurrent puts; further entries are dropped
	farRest = 30 * time.Second // after an error
)

// Behind sets the shared store behind the folder. It must be called before the first Get.
func (s *Store) Behind(f *Far) {
	f.slots = make(chan struct{}, farPuts)
	s.far = f
}

// Flush waits for the running puts into the shared store.
func (s *Store) Flush() {
	if s != nil && s.far != nil {
		s.far.puts.Wait()
	}
}

// farName returns the name of an entry in a shared store.
func farName(k Key) string {
	return path.Join(folder, nameOf(k))
}

// begun is when this process began. Times after it don't change with the clock, which may be set.
var begun = time.Now()

func (f *Far) rests() bool { return f == nil || int64(time.Since(begun)) < f.away.Load() }

// rest suspends the use of the store for farRest after an error.
func (f *Far) rest(err error) {
	if err != nil {
		f.away.Store(int64(time.Since(begun) + farRest))
	}
}

// fetch returns an entry of the shared store and stores it in the folder.
func (s *Store) fetch(k Key) (data []byte, ok bool) {
	if s.far.rests() {
		return nil, false
	}
	all, err := s.far.Get(farName(k), s.most())
	s.far.rest(err)
	if data, ok = unpack(k, all); !ok { // or the stored entry is damaged; the two can't be distinguished
		return nil, false
	}
	_ = s.write(k, all[:headerSize], data) // a full disk costs time, and nothing else
	return data, true
}

// put stores an entry in the background, unless farPuts are running already.
func (f *Far) put(k Key, header, data []byte) {
	if f.rests() {
		return
	}
	select {
	case f.slots <- struct{}{}:
	default:
		return // dropped; the next machine that needs it makes it again
	}
	entry := append(header[:len(header):len(header)], data...)
	f.puts.Go(func() {
		f.rest(f.Put(farName(k), entry))
		<-f.slots
	})
}
