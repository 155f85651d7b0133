package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"io"
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
		for _, e := range regexp.MustCompile(`<script type="text/plain" class="glb">([^<]*)</script>`).FindAllStringSubmatch(write(t, "map", glb), -1) {
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

// The policy names the script and the style that are in the page, and nothing that loads from elsewhere.
func TestPolicyAllowsTheViewerAlone(t *testing.T) {
	page := write(t, "map", nil)
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
	script := regexp.MustCompile(`(?s)<script type="module">(.*)</script>`).FindStringSubmatch(page)[1]
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(page)[1]
	want := "default-src 'none'; img-src blob: data:; base-uri 'none'; form-action 'none'; script-src " + hash(script) + "; style-src " + hash(style)
	if policy != want {
		t.Errorf("%s\nwant %s", policy, want)
	}
	if regexp.MustCompile(`https?:|//[a-z]+\.|\bfetch\(|XMLHttpRequest|innerHTML|import\(`).MatchString(script) {
		t.Error("the viewer reaches out, or sets markup")
	}
}

// No module names what another has too: they are joined to one.
func TestModulesShareNoNames(t *testing.T) {
	seen := map[string]string{}
	for _, name := range modules {
		text, err := sources.ReadFile("viewer/" + name + ".js")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:function|const|let|class) (\w+)`).FindAllStringSubmatch(string(text), -1) {
			if other, ok := seen[m[1]]; ok {
				t.Errorf("%s is in %s and in %s", m[1], other, name)
			}
			seen[m[1]] = name
		}
	}
	files, err := sources.ReadDir("viewer")
	if err != nil || len(files) != len(modules)+2 {
		t.Errorf("%d files, %d modules: %v", len(files), len(modules), err)
	}
}

func TestViewerIsSmall(t *testing.T) {
	if n := len(write(t, "", nil)); n > 100_000 {
		t.Errorf("an empty page has %d bytes", n)
	}
}

func TestWriteReturnsTheErrorOfTheFile(t *testing.T) {
	broken := errors.New("broken")
	if err := Write(io.Discard, "", func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
