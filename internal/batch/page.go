package batch

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"strings"
	"sync"
)

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageJS string

	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageHTML)) })
)

// WritePage writes a page about the maps of records, as HTML that loads nothing. Base is the output folder as seen from the
// page's, with forward slashes; dir is the same folder for this process, whose pictures are put into the page, or "" for none.
//
// What comes from maps is hostile. It is in the page as JSON with <, > and & escaped, so that it can't end its element, and
// gets on the screen as text. The page's policy allows its own script and style, by their hashes, pictures that the page itself holds, and nothing else.
func WritePage(w io.Writer, records []*Record, dir, base string) error {
	failed := 0
	cards := make([]card, len(records))
	for i, r := range records {
		cards[i].Record = r
		if r.Reason != "" {
			failed++
		} else if dir != "" {
			cards[i].Picture = pictureURL(dir, r.Output)
		}
	}
	var data bytes.Buffer // json escapes <, > and & by default
	if err := json.NewEncoder(&data).Encode(struct {
		Base    string `json:"base"`
		Records []card `json:"records"`
	}{urlFolder(base), cards}); err != nil {
		return err
	}
	policy := fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '%s'; script-src '%s'", sourceHash(pageCSS), sourceHash(pageJS))
	return pageTemplate().Execute(w, map[string]any{
		"Heading": fmt.Sprintf("%d maps, %d failed", len(records), failed),
		"Policy":  policy,
		"Style":   template.CSS(pageCSS),      //nolint:gosec // our own file
		"Script":  template.JS(pageJS),        //nolint:gosec // our own file
		"Data":    template.JS(data.String()), //nolint:gosec // escaped by encoding/json
	})
}

// card holds a map's data for the page.
type card struct {
	*Record
	Picture string `json:"picture,omitempty"` // a URL that holds it
}

// sourceHash is a hash as a content security policy wants it.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// urlFolder is a folder as the beginning of a relative URL.
func urlFolder(dir string) string {
	dir = path.Clean(dir)
	if dir == "." {
		return "./"
	}
	parts := strings.Split(dir, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	prefix := "./" // a name with a colon would be taken for a scheme
	if path.IsAbs(dir) || parts[0] == ".." {
		prefix = ""
	}
	return prefix + strings.Join(parts, "/") + "/"
}
