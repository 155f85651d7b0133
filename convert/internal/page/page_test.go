package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func write(t *testing.T, title string, glb []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, title, func(w io.Writer) error { _, err := w.Write(glb); return err }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The elements of a page hold the file again, whatever its size is beside that of an element.
func TestPageHoldsTheFile(t *testing.T) {
	for _, size := range []int{0, 1, portion - 1, portion, 2*portion + 5} {
		glb := make([]byte, size)
		state := uint32(1)
		for i := range glb { // what does not compress
			state = state*1664525 + 1013904223
			glb[i] = byte(state >> 24)
		}
		var packed []byte
		for _, e := range regexp.MustCompile(`<script type="text/plain" class="glb">([^<]*)</script>`).FindAllStringSubmatch(write(t, "map",
			glb), -1) {
			b, err := base64.StdEncoding.DecodeString(e[1])
			if err != nil {
				t.Fatal(err)
			}
			packed = append(packed, b...)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, glb) {
			t.Errorf("%d bytes: %d came back, %v", size, len(got), err)
		}
	}
}

func TestPageIsTheSameEachTime(t *testing.T) {
	glb := bytes.Repeat([]byte("glTF"), 1000)
	if first, second := write(t, "a", glb), write(t, "a", glb); first != second {
		t.Error("two pages of one file differ")
	}
}

// The mark by which we know our page stands before any text of a map.
func TestGeneratorComesFirst(t *testing.T) {
	page := write(t, "a title", nil)
	if at := strings.Index(page, Generator); at < 0 || at > 2000 || at > strings.Index(page, "a title") {
		t.Errorf("the generator is at %d", at)
	}
}

// A title is text of a map: it must not end an element or begin one.
func TestTitleIsText(t *testing.T) {
	page := write(t, `</title><script>alert(1)</script>{{style}}"`, nil)
	if strings.Contains(page, "<script>alert") || strings.Count(page, "</title>") != 1 {
		t.Error("the title is markup")
	}
}

// The policy names the scripts and the style of the page, and nothing that loads from elsewhere: what the page starts with, and the
// viewer that it unpacks.
func TestPolicyAllowsTheViewerAlone(t *testing.T) {
	page := write(t, "map", nil)
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
	start := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindStringSubmatch(page)[1]
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1]
	want := "default-src 'none'; img-src blob: data:; base-uri 'none'; form-action 'none'; script-src " + hash(start) + " " +
		hash(viewer(t, page)) + "; style-src " + hash(style)
	if policy != want {
		t.Errorf("%s\nwant %s", policy, want)
	}
}

// viewer returns the script that a page unpacks.
func viewer(t *testing.T, page string) string {
	t.Helper()
	packed,
		err := base64.StdEncoding.DecodeString(regexp.MustCompile(`<script type="text/plain" id="viewer">([^<]*)</script>`).FindStringSubmatch(page)[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is ours asks for nothing and sets no markup; three.js could, and the policy forbids it.
func TestViewerReachesNowhere(t *testing.T) {
	files, err := filepath.Glob("viewer/*.js")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`https?:|\bfetch\(|XMLHttpRequest|innerHTML|\bimport\(|\beval\(`).Find(text); m != nil {
			t.Errorf("%s has %s", file, m)
		}
	}
}

// The viewer has the licence of three.js, whose text must accompany copies.
func TestViewerHasTheLicence(t *testing.T) {
	licence, err := os.ReadFile("bundle/LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if text := viewer(t, write(t, "map", nil)); !strings.Contains(text, strings.TrimSpace(string(licence))) ||
		!strings.Contains(string(licence), "Copyright") {
		t.Error("the licence of three.js is not in the page")
	}
}

// The viewer, with three.js, is a small part of most pages.
func TestViewerIsSmall(t *testing.T) {
	if n := len(write(t, "", nil)); n > 350_000 {
		t.Errorf("an empty page has %d bytes", n)
	}
}

func TestWriteReturnsTheErrorOfTheFile(t *testing.T) {
	broken := errors.New("broken")
	if err := Write(io.Discard, "", func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
