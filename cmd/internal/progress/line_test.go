package progress

import (
	"strings"
	"testing"
)

func TestLineKeepsToItsWidth(t *testing.T) {
	var b strings.Builder
	p := NewLine(&b, 30)
	p.Stage("decode")
	for i := range 800 { // of those between the first and the last, few are shown
		p.Item("images", i+1, 800)
	}
	if n := strings.Count(b.String(), "images"); n < 2 || n > 100 {
		t.Errorf("%d of 800 items are shown: %q", n, b.String())
	}
	if !strings.HasPrefix(b.String(), "\r\x1b[K1 of 5: decode…\r\x1b[K1 of 5: images 1 of 800…") ||
		!strings.HasSuffix(b.String(), "1 of 5: images 800 of 800…") {
		t.Errorf("the items: %q", b.String())
	}
	b.Reset()
	p.Stage(strings.Repeat("x", 100))
	p.Done()
	p.Done()
	want := "\r\x1b[K2 of 5: " + strings.Repeat("x", 20) + "……\r\x1b[K"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestLinesForAProgram(t *testing.T) {
	var b strings.Builder
	p := NewLines(&b)
	p.Stage("read")
	p.Stage("decode")
	p.Done()
	if want := "stage 1 of 5: read\nstage 2 of 5: decode\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
