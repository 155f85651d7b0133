package input

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"weak"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// A model from an archive is in memory. It is freed when its reader is, though the archive stays open.
func TestTheModelOfAnArchiveIsFreed(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "pak0.pk3")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("models/x.md3")
	if err == nil {
		_, err = f.Write(make([]byte, 100_000))
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.WriteFile(archive, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	in, err := OpenModel(t.Context(), archive+":models/x.md3", pipeline.GameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first := weak.Make(&in.Reader.(interface{ Bytes() []byte }).Bytes()[0])
	if runtime.GC(); first.Value() == nil {
		t.Error("the model is freed while it is read")
	}
	runtime.KeepAlive(in.Reader)
	in.Reader = nil
	if runtime.GC(); first.Value() != nil {
		t.Error("the model is not freed")
	}
	if _, err := in.Files.Open("models/x.md3"); err != nil {
		t.Error(err)
	}
	if in.CloseFiles(); in.Files != nil || in.View != nil {
		t.Error("the files around the model are kept")
	}
	in.Close()
}
