package batch

import "testing"

func TestContentType(t *testing.T) {
	for name, want := range map[string]string{
		"out/a.GLB": "model/gltf-binary", "a.gltf": "model/gltf+json", "a.html": "text/html", "textures/b.png": "image/png",
		"b.webp": "image/webp", "b.jpg": "image/jpeg", "b.tga": "application/octet-stream", "a.bin": "application/octet-stream",
		"png": "application/octet-stream",
	} {
		if got := ContentType(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
