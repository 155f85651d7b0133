package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"image"
	"os"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

func TestPicturesOfAPageHaveRoom(t *testing.T) {
	dir, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	data, err := picture.EncodeWebP(image.NewNRGBA(image.Rect(0, 0, 32, 18)), false, 80)
	if err != nil {
		t.Fatal(err)
	}
	seen, records := pictures{dir}, []*Record{}
	for _, output := range []string{"a.glb", "b.glb", "c.glb", "d.glb"} {
		seen.keep(output, data)
		records = append(records, &Record{Output: output})
	}
	records[0].Reason = Crash // has no picture
	size := len(seen.url("b.glb"))
	for room, want := range map[int]int{0: 0, size - 1: 0, size: 1, 2*size - 1: 1, 4 * size: 3} {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		each := func(f func(*Record) error) error {
			for _, r := range records {
				if err := f(r); err != nil {
					return err
				}
			}
			return nil
		}
		if err := writeData(w, each, seen.url, room, "."); err != nil || w.Flush() != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), `"data:image/webp`); n != want {
			t.Errorf("room of %d bytes: %d pictures, not %d", room, n, want)
		}
	}
}

// The page's summary counts a material once for each map that lacks it, and lists the names that most maps lack first.
func TestSummaryOfAPage(t *testing.T) {
	var s summary
	for _, r := range []*Record{
		{Reason: Crash}, {Summary: &Summary{Game: "b"}},
		{Summary: &Summary{Game: "a", Lacking: 2, Missing: []string{"x", "y"}}}, {Summary: &Summary{Game: "a", Lacking: 3, Missing: []string{"y", "z"}}},
	} {
		s.add(r)
	}
	want := `{"maps":4,"failed":1,"games":[` +
		`{"game":"a","maps":2,"incomplete":2,"lacking":5,"names":3,"most":[{"name":"y","maps":2},{"name":"x","maps":1},{"name":"z","maps":1}]},` +
		`{"game":"b","maps":1,"incomplete":0,"lacking":0,"names":0,"most":[]}]}`
	if got, err := json.Marshal(s.sorted()); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
