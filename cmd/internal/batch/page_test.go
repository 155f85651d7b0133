package batch_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
)

// addons/test/batchpage.mjs drives the page in a browser.
func TestPageHasNoMarkupOfMaps(t *testing.T) {
	const hostile = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>'"&` + "\u2028"
	r := &batch.Record{Path: hostile, Output: hostile, Reason: batch.Reason(hostile), Message: hostile, Summary: &batch.Summary{
		Map: hostile, Title: hostile, Game: hostile, Format: hostile, Carrier: hostile, Light: hostile, Missing: []string{hostile},
		Issues: map[string]int{hostile: 1},
	}}
	var b bytes.Buffer
	if err := batch.WritePage(&b, func(each func(*batch.Record) error) error { return each(r) }, nil, `a"b/../<c>`); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, part := range []string{"<script>alert", "<img", "<c>", "<!--<"} {
		if strings.Contains(page, part) {
			t.Errorf("the page has %s", part)
		}
	}
	if n := strings.Count(page, "</script>"); n != 4 {
		t.Errorf("%d scripts end", n)
	}
	_, packed, _ := strings.Cut(page, `class="cards">`)
	packed, _, _ = strings.Cut(packed, "<")
	unpacked, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	cards, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(cards), `\u003c/script\u003e\u003cscript\u003ealert(1)`); n != 12 {
		t.Errorf("%d texts are there, 12 expected", n)
	}
	if !strings.Contains(page, `id="base">"./%3Cc%3E/"<`) {
		t.Error("the folder is no URL")
	}
}
