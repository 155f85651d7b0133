// Command web builds the page that converts maps in a browser: one HTML file that contains the converter and can be opened from
// disk or served from anywhere.
//
//	go run ./web bsp2gltf.html
//
// The page loads nothing from the network. Its content security policy allows its own script, style and worker, WebAssembly, and
// the viewer of the pages that it makes (convert/internal/page), which it shows in a frame.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

//go:embed index.html page.js worker.js style.css
var sources embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./web OUT.html")
		os.Exit(64)
	}
	if err := build(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// build writes the page.
func build(ctx context.Context, out string) error {
	program, err := compile(ctx)
	if err != nil {
		return err
	}
	text := map[string]string{"program": program}
	for key, name := range map[string]string{"script": "page.js", "worker": "worker.js", "style": "style.css", "frame": "index.html"} {
		data, err := sources.ReadFile(name)
		if err != nil {
			return err
		}
		text[key] = string(data)
	}
	runtime, err := goRuntime(ctx)
	if err != nil {
		return err
	}
	text["worker"] = runtime + "\n" + text["worker"]
	for _, key := range []string{"script", "worker", "style"} {
		if strings.Contains(strings.ToLower(text[key]), "</s") {
			return fmt.Errorf("%s would end its element", key)
		}
	}
	viewer, err := viewerHashes(ctx)
	if err != nil {
		return err
	}
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src blob: data:; worker-src blob:; frame-src blob:; " +
		"script-src 'wasm-unsafe-eval' " + hash(text["script"]) + " " + viewer["script-src"] + "; style-src " + hash(text["style"]) + " " +
		viewer["style-src"]
	page := strings.NewReplacer("{{policy}}", policy, "{{style}}", text["style"], "{{worker}}", text["worker"], "{{program}}", program,
		"{{script}}", text["script"]).Replace(text["frame"])
	return os.WriteFile(out, []byte(page), 0o644)
}

// compile returns the converter as WebAssembly, compressed, in base64.
func compile(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "bsp2gltf-web-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	wasm := filepath.Join(dir, "bsp2gltf.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", wasm,
		"github.com/bsp2gltf/bsp2gltf/web/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWASM=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, text)
	}
	data, err := os.ReadFile(wasm)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := z.Write(data); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// goRuntime returns the JavaScript that Go programs need. It comes with the compiler and must have the same
// version.
func goRuntime(ctx context.Context) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return string(data), err
}

// viewerHashes returns the source expressions for scripts and style in the policy of a map's page. A frame with a page from a
// blob also inherits the policy of the page that created it, so ours must allow them, too. They are the same for all maps.
func viewerHashes(ctx context.Context) (map[string]string, error) {
	var page bytes.Buffer
	job := convert.Job{Pipeline: pipeline.Default(), In: "testdata/features/maps/polygons.bsp", Out: "-", Format: "html",
		Stdout: &page}
	if _, err := convert.Run(ctx, job); err != nil {
		return nil, err
	}
	hashes := map[string]string{}
	for _, m := range regexp.MustCompile(`(script-src|style-src) ('sha256-[^']+'(?: 'sha256-[^']+')*)`).FindAllStringSubmatch(page.String(), -1) {
		hashes[m[1]] = m[2]
	}
	if len(hashes) != 2 {
		return nil, errors.New("the page of a map has no policy with the hashes of its script and style")
	}
	return hashes, nil
}

// hash returns the source expression of a content security policy that allows exactly this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
