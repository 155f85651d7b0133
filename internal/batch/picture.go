package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// pictureOf is the file of a map's small picture, by its output's name, which may be long or odd.
func pictureOf(dir, output string) string {
	sum := sha256.Sum256([]byte(output))
	return filepath.Join(dir, stateDir, "pictures", hex.EncodeToString(sum[:16])+".webp")
}

// The most that a picture of a page may be: the files are ours, but anybody may have written into the folder.
const (
	mostPictureBytes  = 256 << 10
	mostPicturePixels = 1024 // a side
)

// pictureURL returns the picture of a map as a URL that holds it, "" where there is none or the file is not one of ours.
func pictureURL(dir, output string) string {
	f, err := os.Open(pictureOf(dir, output))
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostPictureBytes+1))
	if err != nil || len(data) > mostPictureBytes || !bytes.HasPrefix(data, []byte("RIFF")) {
		return ""
	}
	info, err := picture.Sniff(data, "picture.webp")
	if err != nil || info.Width > mostPicturePixels || info.Height > mostPicturePixels {
		return ""
	}
	return "data:image/webp;base64," + base64.StdEncoding.EncodeToString(data)
}
