package diskcache_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("CACHE_TEST_WRITER"); dir != "" {
		writeForEver(dir)
	}
	os.Exit(m.Run())
}

func open(t testing.TB, dir string, max int64) *diskcache.Store {
	t.Helper()
	s, err := diskcache.Open(dir, max, "1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func key(parts ...string) diskcache.Key {
	b := make([][]byte, len(parts))
	for i, p := range parts {
		b[i] = []byte(p)
	}
	return diskcache.KeyOf(b...)
}

func TestKeysDifferByTheirParts(t *testing.T) {
	seen := map[diskcache.Key]bool{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}} {
		k := key(parts...)
		if seen[k] {
			t.Errorf("%q has the key of another", parts)
		}
		seen[k] = true
	}
}

func TestKeepsWhatWasPut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep/down")
	s := open(t, dir, 0)
	for _, data := range []string{"", "a", strings.Repeat("long", 1<<18)} {
		k := key(data)
		if _, ok := s.Get(k); ok {
			t.Error("there is an entry before it was put")
		}
		if err := s.Put(k, []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got, ok := open(t, dir, 0).Get(k); !ok || string(got) != data {
			t.Errorf("%d bytes came back as %d, %v", len(data), len(got), ok)
		}
	}
	st, err := s.Stats()
	if err != nil || st.Entries != 3 || st.Bytes != 3*48+1+1<<20 {
		t.Errorf("%+v, %v", st, err)
	}
	var none *diskcache.Store
	if _, ok := none.Get(key("a")); ok || none.Put(key("a"), nil) != nil {
		t.Error("no store keeps something")
	}
}

// entryFiles lists the files of a store's entries.
func entryFiles(t testing.TB, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "v1"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCorruptEntriesAreMadeAgain(t *testing.T) {
	data := bytes.Repeat([]byte("data"), 100)
	for name, damage := range map[string]func([]byte) []byte{
		"torn":       func(b []byte) []byte { return b[:len(b)-1] },
		"header":     func(b []byte) []byte { return b[:20] },
		"empty":      func([]byte) []byte { return nil },
		"longer":     func(b []byte) []byte { return append(b, 0) },
		"a bit":      func(b []byte) []byte { b[len(b)-3] ^= 4; return b },
		"its length": func(b []byte) []byte { b[8]++; return b },
		"its hash":   func(b []byte) []byte { b[20]++; return b },
		"zeros":      func(b []byte) []byte { clear(b); return b },
	} {
		dir := t.TempDir()
		s := open(t, dir, 0)
		k := key("k")
		if err := s.Put(k, data); err != nil {
			t.Fatal(err)
		}
		file := entryFiles(t, dir)[0]
		b, _ := os.ReadFile(file)
		if err := os.WriteFile(file, damage(b), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Get(k); ok {
			t.Errorf("%s: not noticed", name)
		}
		if err := s.Put(k, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, ok := s.Get(k); !ok || !bytes.Equal(got, data) {
			t.Errorf("%s: not made again", name)
		}
	}
}

func TestStaysWithinItsBound(t *testing.T) {
	dir := t.TempDir()
	const max = 256 << 10
	var all sync.WaitGroup
	for w := range 4 { // four processes
		s := open(t, dir, max)
		all.Go(func() {
			for i := range 80 {
				if err := s.Put(key(fmt.Sprint(w, i)), make([]byte, 2000+i)); err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					st, err := s.Stats()
					if err != nil || st.Bytes > max {
						t.Errorf("%d bytes, %v", st.Bytes, err)
					}
				}
			}
		})
	}
	all.Wait()
	s := open(t, dir, max)
	if err := s.Put(key("large"), make([]byte, max/2)); err != nil {
		t.Error(err)
	}
	if _, ok := s.Get(key("large")); ok {
		t.Error("an entry of half the bound was kept")
	}
	if st, _ := s.Stats(); st.Entries < 30 {
		t.Errorf("only %d entries are left", st.Entries)
	}
}

// Entries of a clock that was ahead do not outlast those that are used; one that is used again is as new as the others.
func TestClocksThatAreSetBack(t *testing.T) {
	for _, again := range []bool{false, true} {
		dir := t.TempDir()
		s := open(t, dir, 1<<30)
		for i := range 4 {
			if err := s.Put(key(fmt.Sprint(i)), make([]byte, 1000-48)); err != nil {
				t.Fatal(err)
			}
			used := time.Now().Add(-time.Duration(5-i) * time.Hour)
			if i == 3 {
				used = time.Now().AddDate(1, 0, 0)
			}
			_ = os.Chtimes(newest(t, dir), used, used)
		}
		if again {
			s.Get(key("3"))
		}
		if p, err := s.Prune(3000, 0); err != nil || p.Entries != 1 {
			t.Errorf("%+v, %v", p, err)
		}
		if _, ok := s.Get(key("3")); ok != again {
			t.Errorf("used again %v: an entry of the next year is left: %v", again, ok)
		}
	}
}

func TestPruneTakesTheOldestFirst(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, 1<<30)
	for i := range 10 {
		if err := s.Put(key(fmt.Sprint(i)), make([]byte, 1000-48)); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-time.Duration(10-i) * time.Hour * 24)
		_ = os.Chtimes(newest(t, dir), used, used)
	}
	if _, ok := s.Get(key("0")); !ok { // the oldest is used again
		t.Error("0 is not there")
	}
	stale := filepath.Join(dir, "v1", "temp-123")
	fresh := filepath.Join(dir, "v1", "temp-456")
	_ = os.WriteFile(stale, nil, 0o644)
	_ = os.WriteFile(fresh, nil, 0o644)
	past := time.Now().Add(-2 * time.Hour)
	_ = os.Chtimes(stale, past, past)
	// Somebody's files in a folder that was named by mistake.
	var foreign []string
	for _, name := range []string{"mine", "v1/mine", "v1/temp-mine", "v1/ab/mine", "v1/ab/" + strings.Repeat("0", 62) + ".png",
		"v1/other/" + strings.Repeat("0", 62)} {
		name = filepath.Join(dir, name)
		foreign = append(foreign, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o644),
			os.Chtimes(name, past, past)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := s.Prune(4000, 0)
	if err != nil || p.Entries != 6 || p.Bytes != 6000 {
		t.Errorf("%+v, %v", p, err)
	}
	for i, want := range []bool{0: true, 1: false, 6: false, 7: true, 9: true} {
		if i == 1 || i == 6 || want {
			if _, ok := s.Get(key(fmt.Sprint(i))); ok != want {
				t.Errorf("%d: %v", i, ok)
			}
		}
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a killed writer's file is left")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("a writer's file was removed")
	}
	for _, name := range foreign {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("somebody's file was removed: %v", err)
		}
	}
	if p, err := s.Prune(1<<30, 48*time.Hour); err != nil || p.Entries != 1 {
		t.Errorf("one was not used for two days: %+v, %v", p, err)
	}
}

// newest returns the entry's file that was written last.
func newest(t testing.TB, dir string) (name string) {
	var last time.Time
	for _, f := range entryFiles(t, dir) {
		if info, err := os.Stat(f); err == nil && info.ModTime().After(last) {
			name, last = f, info.ModTime()
		}
	}
	return name
}

// value returns the data of the entry of a number: any writer makes the same.
func value(i int) []byte {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	b := make([]byte, 1000+r.IntN(60000))
	for j := range b {
		b[j] = byte(r.Uint32())
	}
	return b
}

// writeForEver puts and gets entries until it is killed. It exits with 1 if it gets what was never put.
func writeForEver(dir string) {
	s, err := diskcache.Open(dir, 2<<20, "1")
	if err != nil {
		os.Exit(1)
	}
	for n := 0; ; n++ {
		i := rand.IntN(100)
		if got, ok := s.Get(key(strconv.Itoa(i))); ok && !bytes.Equal(got, value(i)) {
			os.Exit(1)
		}
		if err := s.Put(key(strconv.Itoa(i)), value(i)); err != nil {
			os.Exit(1)
		}
		if n == 20 {
			fmt.Println("at work")
		}
	}
}

// Writers that are killed leave nothing that another takes for an entry.
func TestSurvivesKilledWriters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 4 {
				c := exec.Command(os.Args[0])
				c.Env = append(os.Environ(), "CACHE_TEST_WRITER="+dir)
				out, _ := c.StdoutPipe()
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				_, _ = out.Read(make([]byte, 8))
				time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
				_ = c.Process.Kill()
				_ = c.Wait()
				if c.ProcessState.Exited() {
					t.Errorf("a writer ended by itself: %s", c.ProcessState)
				}
			}
		})
	}
	all.Wait()
	s := open(t, dir, 2<<20)
	found := 0
	for i := range 100 {
		got, ok := s.Get(key(strconv.Itoa(i)))
		if ok {
			found++
			if !bytes.Equal(got, value(i)) {
				t.Errorf("entry %d is not what was put", i)
			}
		}
	}
	if st, err := s.Stats(); err != nil || st.Bytes > 2<<20 || found < 10 {
		t.Errorf("%+v, %v, %d found", st, err, found)
	}
}

func FuzzGet(f *testing.F) {
	dir := f.TempDir()
	s := open(f, dir, 0)
	if err := s.Put(key("k"), []byte("data")); err != nil {
		f.Fatal(err)
	}
	file := entryFiles(f, dir)[0]
	whole, _ := os.ReadFile(file)
	f.Add(whole)
	f.Add(whole[:10])
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Get(key("k")); ok && !bytes.HasSuffix(b, got) {
			t.Error("data that is not in the file")
		}
	})
}

func BenchmarkGet(b *testing.B) {
	s := open(b, b.TempDir(), 0)
	k := key("k")
	if err := s.Put(k, make([]byte, 100<<10)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(100 << 10)
	for b.Loop() {
		if _, ok := s.Get(k); !ok {
			b.Fatal("it is not there")
		}
	}
}

func TestMachinesShareAStoreBehindTheirFolders(t *testing.T) {
	var mu sync.Mutex
	there, away, asked := map[string][]byte{}, false, 0
	machine := func() *diskcache.Store {
		s := open(t, t.TempDir(), 0)
		s.Behind(&diskcache.Far{
			Get: func(name string, most int64) ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				if asked++; away {
					return nil, fs.ErrPermission
				}
				if most != diskcache.DefaultMax/8 {
					t.Errorf("an entry may have %d bytes", most)
				}
				return there[name], nil
			},
			Put: func(name string, entry []byte) error {
				mu.Lock()
				defer mu.Unlock()
				there[name] = entry
				return nil
			},
		})
		return s
	}
	put := func(s *diskcache.Store, text string) {
		t.Helper()
		if err := s.Put(key(text), []byte(text)); err != nil {
			t.Fatal(err)
		}
		s.Flush()
	}
	a, b := machine(), machine()
	put(a, "one")
	for range 2 { // the second time from its folder
		if got, ok := b.Get(key("one")); !ok || string(got) != "one" {
			t.Errorf("%q, %v from the shared store", got, ok)
		}
	}
	if asked != 1 {
		t.Errorf("the shared store was asked %d times", asked)
	}
	put(a, "two")
	for name, entry := range there {
		there[name] = append(entry[:len(entry)-1], '?')
	}
	if got, ok := b.Get(key("two")); ok {
		t.Errorf("a damaged entry is %q", got)
	}
	away, asked = true, 0
	for i := range 10 {
		if _, ok := b.Get(key(fmt.Sprint(i))); ok {
			t.Error("something came from a store that is away")
		}
	}
	if asked != 1 {
		t.Errorf("a store that is away was asked %d times in a row", asked)
	}
	put(b, "three") // without a word
}
