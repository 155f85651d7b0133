package batch

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// The element of the page that holds the records as JSON.
const (
	dataStart = `<script type="application/json" id="data">`
	dataEnd   = `</script>`
)

// mostPictures limits the bytes of all pictures in a page, so that a browser opens the page of any batch.
const mostPictures = 64 << 20

// WritePage writes an HTML page about the maps of records that loads nothing else. Base is the path from the page's folder to
// the output folder, with forward slashes. Dir is the output folder's path for this process, whose pictures are embedded in
// the page up to 64 MiB; "" embeds none.
//
// Text from maps is hostile. The page holds it as JSON with <, > and & escaped, so that it can't close its element, and shows it
// as text. The page's content security policy allows only its own script and style, by their hashes, and the pictures that the
// page itself holds.
func WritePage(w io.Writer, records []*Record, dir, base string) error {
	var seen pictures
	if dir != "" {
		state, err := openState(dir, false)
		if err == nil {
			seen, err = openPictures(state, false)
			state.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w: %w", dir, limit.ErrInput, outfile.Cause(err))
		}
		defer seen.close()
	}
	failed := 0
	for _, r := range records {
		if r.Reason != "" {
			failed++
		}
	}
	policy := fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'",
		sourceHash(pageCSS), sourceHash(pageJS))
	values := strings.NewReplacer("{{.Heading}}", fmt.Sprintf("%d maps, %d failed", len(records), failed),
		"{{.Policy}}", html.EscapeString(policy), "{{.Style}}", pageCSS, "{{.Script}}", pageJS)
	head, foot, _ := strings.Cut(pageHTML, dataStart+dataEnd)
	page := bufio.NewWriter(w)
	if _, err := values.WriteString(page, head); err != nil {
		return err
	}
	if err := writeCards(page, records, seen, mostPictures, base); err != nil {
		return err
	}
	if _, err := values.WriteString(page, foot); err != nil {
		return err
	}
	return page.Flush()
}

// writeCards writes the element of the page's data, one map at a time. Room is for the bytes of all pictures; from the first one that
// has none left, cards have no pictures.
func writeCards(w *bufio.Writer, records []*Record, seen pictures, room int, base string) error {
	folder, err := json.Marshal(urlFolder(base))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, `%s{"base":%s,"records":[`, dataStart, folder) // a bufio.Writer keeps its error until Flush
	for i, r := range records {
		c := card{Path: r.Path, Output: r.Output, Reason: r.Reason, Message: r.Message, Attempts: r.Attempts, Summary: r.Summary}
		if r.Reason == "" && room > 0 {
			c.Picture = seen.url(r.Output)
			if room -= len(c.Picture); room < 0 {
				c.Picture = ""
			}
		}
		data, err := json.Marshal(c) // escapes <, > and &
		if err != nil {
			return err
		}
		if i > 0 {
			_ = w.WriteByte(',')
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	_, err = w.WriteString("]}\n" + dataEnd)
	return err
}

// card holds a map's data for the page.
type card struct {
	Path     string   `json:"path"`
	Output   string   `json:"output"`
	Reason   Reason   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Attempts int      `json:"attempts"`
	Summary  *Summary `json:"summary,omitempty"`
	Picture  string   `json:"picture,omitempty"` // a data: URL
}

// sourceHash returns the hash of a script or style in the form that a content security policy uses.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// urlFolder returns a folder as the prefix of a relative URL.
func urlFolder(dir string) string {
	dir = path.Clean(dir)
	if dir == "." {
		return "./"
	}
	parts := strings.Split(dir, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	prefix := "./" // without it, a name with a colon would be read as a scheme
	if path.IsAbs(dir) || parts[0] == ".." {
		prefix = ""
	}
	return prefix + strings.Join(parts, "/") + "/"
}
