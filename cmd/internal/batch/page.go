package batch

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"sync"

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

	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageHTML)) })
)

// WritePage writes an HTML page about the maps of records that loads nothing else. Base is the path from the page's folder to
// the output folder, with forward slashes. Dir is the output folder's path for this process, whose pictures are embedded in
// the page; "" embeds none.
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
	cards := make([]card, len(records))
	for i, r := range records {
		cards[i].Record = r
		if r.Reason != "" {
			failed++
		} else {
			cards[i].Picture = seen.url(r.Output)
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
		"Style":   template.CSS(pageCSS),      //nolint:gosec // trusted: a file of this package
		"Script":  template.JS(pageJS),        //nolint:gosec // trusted: a file of this package
		"Data":    template.JS(data.String()), //nolint:gosec // escaped by encoding/json
	})
}

// card holds a map's data for the page.
type card struct {
	*Record
	Picture string `json:"picture,omitempty"` // a data: URL
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
