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

// pictureOf returns the file name of a map's small picture, derived from the output's name, which may be long or
// contain odd characters.
func pictureOf(dir, output string) string {
	sum := sha256.Sum256([]byte(output))
	return filepath.Join(dir, stateDir, "pictures", hex.EncodeToString(sum[:16])+".webp")
}

// Limits of a picture in a page. This program writes the files, but others may have written into the folder, too.
const (
	mostPictureBytes  = 256 << 10
	mostPicturePixels = 1024 // per side
)

// pictureURL returns the picture of a map as a data: URL, or "" if it is missing or can't have been written by this
// program.
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
