// Package page writes a map as a web page: one HTML file that holds a binary glTF file and a viewer for it.
//
// The page opens from disk and loads nothing from the network: its content security policy forbids that, and allows only
// the viewer's own script and style, by their hashes. The viewer consists of plain JavaScript modules for WebGL 2, in the
// folder viewer, which this package joins to one script.
package page

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"sync"
)

//go:embed viewer
var sources embed.FS

// modules lists the viewer's modules. Each comes after those that it imports.
var modules = []string{"glb", "math", "acts", "scene", "shader", "batch", "textures", "motion", "render", "camera", "pick", "ball", "ui", "main"}

// Generator is an element in the first kilobytes of every page, before any text from a map.
const Generator = `<meta name="generator" content="bsp2gltf">`

// squeezed removes what a style sheet needs only for its readers.
var squeezed = strings.NewReplacer("; }", "}", " {", "{", "{ ", "{", "; ", ";", ": ", ":", ", ", ",", "\n", "")

// parts returns the parts of the page that are the same for all maps.
var parts = sync.OnceValues(func() (map[string]string, error) {
	imports, exports := regexp.MustCompile(`(?m)^import [^;]*;\n`), regexp.MustCompile(`(?m)^export `)
	notes := regexp.MustCompile(`(?m)^[ \t]*(//.*)?\n|^[ \t]+|[ \t]+// .*$`) // comments and indentation
	var script strings.Builder
	for _, name := range modules {
		text, err := sources.ReadFile("viewer/" + name + ".js")
		if err != nil {
			return nil, err
		}
		script.WriteString(exports.ReplaceAllString(notes.ReplaceAllString(imports.ReplaceAllString(string(text), ""), ""), ""))
	}
	style, err := sources.ReadFile("viewer/style.css")
	if err != nil {
		return nil, err
	}
	frame, err := sources.ReadFile("viewer/page.html")
	if err != nil {
		return nil, err
	}
	return map[string]string{"script": script.String(), "style": squeezed.Replace(string(style)), "frame": string(frame)}, nil
})

// portion is how many bytes of the compressed file an element of the page holds. It is a multiple of three, so that
// each element is valid base64 by itself.
const portion = 3 << 18

// Write writes a page. Title comes from the map and may be hostile. Glb writes the binary glTF file.
func Write(w io.Writer, title string, glb func(io.Writer) error) error {
	p, err := parts()
	if err != nil {
		return err
	}
	policy := "default-src 'none'; img-src blob: data:; base-uri 'none'; form-action 'none'; script-src " + hash(p["script"]) + "; style-src " + hash(p["style"])
	frame := strings.NewReplacer("{{policy}}", policy, "{{title}}", html.EscapeString(title), "{{style}}", p["style"]).Replace(p["frame"])
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
	_, err = fmt.Fprintf(w, "<script type=\"module\">%s</script>\n</body>\n</html>\n", p["script"])
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
