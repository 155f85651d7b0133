// Package page writes a map as a web page: one HTML file that holds a binary glTF file and a viewer for it.
//
// The page opens from disk and loads nothing from the network: its content security policy forbids that, and allows only
// the page's own scripts and style, by their hashes. The viewer is in the folder viewer: modules on three.js and on our plugin for it
// (addons/three, addons/shared), which addons/test/bundle.mjs bundles to bundle/viewer.js. A page holds it compressed; a short script,
// start.js, unpacks it.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"path"
	"strings"
	"sync"
)

//go:embed bundle/viewer.js viewer/page.html viewer/start.js viewer/style.css
var sources embed.FS

// Generator is an element in the first kilobytes of every page, before any text from a map.
const Generator = `<meta name="generator" content="bsp2gltf">`

// squeezed removes what a style sheet needs only for its readers.
var squeezed = strings.NewReplacer("; }", "}", " {", "{", "{ ", "{", "; ", ";", ": ", ":", ", ", ",", "\n", "")

// parts returns the parts of the page that are the same for all maps.
var parts = sync.OnceValues(func() (map[string]string, error) {
	out := map[string]string{}
	for _, name := range []string{"bundle/viewer.js", "viewer/page.html", "viewer/start.js", "viewer/style.css"} {
		text, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out[path.Base(name)] = string(text)
	}
	packed, err := pack(out["viewer.js"])
	out["packed"], out["style.css"] = packed, squeezed.Replace(out["style.css"])
	return out, err
})

// pack returns a text compressed, as base64.
func pack(text string) (string, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := io.WriteString(z, text); err != nil {
		return "", err
	}
	err = z.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes()), err
}

// portion is how many bytes of the compressed file an element of the page holds. It is a multiple of three, so that
// each element is valid base64 by itself.
const portion = 3 << 18

// Write writes a page. Title comes from the map and may be hostile. Glb writes the binary glTF file.
func Write(w io.Writer, title string, glb func(io.Writer) error) error {
	p, err := parts()
	if err != nil {
		return err
	}
	policy := "default-src 'none'; img-src blob: data:; base-uri 'none'; form-action 'none'; script-src " + hash(p["start.js"]) + " " +
		hash(p["viewer.js"]) +
		"; style-src " + hash(p["style.css"])
	frame := strings.NewReplacer("{{policy}}", policy, "{{title}}", html.EscapeString(title), "{{style}}", p["style.css"], "{{viewer}}",
		p["packed"],
		"{{start}}", p["start.js"]).Replace(p["page.html"])
	if _, err := io.WriteString(w, frame); err != nil {
		return err
	}
	e := &elements{w: w}
	z := gzip.NewWriter(e)
	if err := glb(z); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := e.flush(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</body>\n</html>\n")
	return err
}

// hash returns the source expression of a content security policy that allows exactly this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// elements is a writer that puts bytes, as base64, in elements that a browser does not execute.
type elements struct {
	w    io.Writer
	held []byte
}

func (e *elements) Write(b []byte) (int, error) {
	e.held = append(e.held, b...)
	for len(e.held) >= portion {
		if err := e.element(e.held[:portion]); err != nil {
			return 0, err
		}
		e.held = append(e.held[:0], e.held[portion:]...)
	}
	return len(b), nil
}

func (e *elements) flush() error {
	if len(e.held) == 0 {
		return nil
	}
	return e.element(e.held)
}

func (e *elements) element(b []byte) error {
	_, err := fmt.Fprintf(e.w, "<script type=\"text/plain\" class=\"glb\">%s</script>\n", base64.StdEncoding.EncodeToString(b))
	return err
}
