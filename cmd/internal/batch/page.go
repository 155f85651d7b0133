package batch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"path"
	"strings"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string
)

// The elements of the page that hold its data.
const (
	baseElement = `<script type="application/json" id="base">`
	sumElement  = `<script type="application/json" id="summary">`
	cardElement = `<script type="text/plain" class="cards">`
	seenElement = `<script type="application/json" class="pictures">`
	endElement  = "</script>\n"
)

// maxPictures limits the bytes of all pictures in a page, so that a browser opens the page of any batch.
const maxPictures = 32 << 20

// atOnce is how many cards or pictures an element holds: a browser reads an element when it shows one of them.
const atOnce = 200

// WritePage writes an HTML page about the maps of records that loads nothing else. Records calls a function with each of them. Base is
// the path from the page's folder to the output folder, with forward slashes. Pictured returns the picture of an output, of which the
// page holds 32 MiB; nil if there are none.
//
// Text from maps is hostile. The page holds it as JSON that is packed, and shows it as text. The page's content security policy allows
// only its own script and style, by their hashes, and the pictures that the page itself holds.
func WritePage(w io.Writer, records func(func(*Record) error) error, pictured func(output string) string, base string) error {
	policy := fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'",
		sourceHash(pageCSS), sourceHash(pageJS))
	values := strings.NewReplacer("{{.Policy}}", html.EscapeString(policy), "{{.Style}}", pageCSS, "{{.Script}}", pageJS)
	head, foot, _ := strings.Cut(pageHTML, "{{.Data}}")
	page := bufio.NewWriter(w)
	if _, err := values.WriteString(page, head); err != nil {
		return err
	}
	if err := writeData(page, records, pictured, maxPictures, base); err != nil {
		return err
	}
	if _, err := values.WriteString(page, foot); err != nil {
		return err
	}
	return page.Flush()
}

// writeData writes the page's data, one map at a time: the pictures, then a summary and the cards, which are packed meanwhile, failures
// first. Room is for the bytes of all pictures; from the first one that has none left, cards have no pictures.
func writeData(w *bufio.Writer, records func(func(*Record) error) error, pictured func(string) string, room int, base string) error {
	folder, err := json.Marshal(urlFolder(base))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s%s%s", baseElement, folder, endElement) // a bufio.Writer keeps its error until Flush
	var failed, converted packer
	var sum summary
	seen := 0
	err = records(func(r *Record) error {
		sum.add(r)
		c := card{Path: r.Path, Output: r.Output, Reason: r.Reason, Message: r.Message, Attempts: r.Attempts, Summary: r.Summary}
		if r.Reason != "" {
			return failed.add(&c)
		}
		if room > 0 && pictured != nil {
			url := pictured(r.Output)
			if room -= len(url); url != "" && room >= 0 {
				switch {
				case seen%atOnce > 0:
					_ = w.WriteByte(',')
				case seen > 0:
					_, _ = w.WriteString("]" + endElement + seenElement + "[")
				default:
					_, _ = w.WriteString(seenElement + "[")
				}
				fmt.Fprintf(w, `"%s"`, url) // its characters are those of base64
				seen++
				c.Picture = seen
			}
		}
		return converted.add(&c)
	})
	if err != nil {
		return err
	}
	if seen > 0 {
		_, _ = w.WriteString("]" + endElement)
	}
	text, err := json.Marshal(sum.sorted())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s%s%s", sumElement, text, endElement)
	for _, p := range []*packer{&failed, &converted} {
		if err := p.end(); err != nil {
			return err
		}
		if _, err := p.elements.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// packer packs cards into elements.
type packer struct {
	elements bytes.Buffer
	cards    []*card
}

func (p *packer) add(c *card) error {
	if p.cards = append(p.cards, c); len(p.cards) < atOnce {
		return nil
	}
	return p.end()
}

// end packs the cards that are left.
func (p *packer) end() error {
	if len(p.cards) == 0 {
		return nil
	}
	p.elements.WriteString(cardElement)
	text := base64.NewEncoder(base64.StdEncoding, &p.elements)
	packed := gzip.NewWriter(text)
	if err := json.NewEncoder(packed).Encode(p.cards); err != nil {
		return err
	}
	p.cards = p.cards[:0]
	if err := errors.Join(packed.Close(), text.Close()); err != nil {
		return err
	}
	p.elements.WriteString(endElement)
	return nil
}

// card holds a map's data for the page.
type card struct {
	Path     string   `json:"path"`
	Output   string   `json:"output"`
	Reason   Reason   `json:"reason,omitempty"`
	Message  string   `json:"message,omitempty"`
	Attempts int      `json:"attempts"`
	Summary  *Summary `json:"summary,omitempty"`
	Picture  int      `json:"picture,omitempty"` // its number in the page, from 1
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
