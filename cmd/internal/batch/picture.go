package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// picturesDir is the folder of the maps' small pictures, in the state folder.
const picturesDir = "pictures"

// PictureName returns the file name of a map's small picture: a hash of the output's name, which may be long or have
// special characters.
func PictureName(output string) string {
	sum := sha256.Sum256([]byte(output))
	return hex.EncodeToString(sum[:16]) + ".webp"
}

// Limits of a picture in a page, because other programs may have written into the folder.
const (
	maxPictureBytes  = 256 << 10
	maxPicturePixels = 1024 // per side
)

// pictures is the folder of the pictures; dir is nil if there is no folder and no picture is wanted.
type pictures struct{ dir *os.Root }

// openPictures opens the pictures of a state folder. With create the folder is made if it is missing.
func openPictures(state *os.Root, create bool) (pictures, error) {
	dir, err := nolink.Folder(state, picturesDir, create, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		return pictures{}, nil
	}
	return pictures{dir}, err
}

func (p pictures) close() {
	if p.dir != nil {
		p.dir.Close()
	}
}

// keep replaces the picture of a map, or removes it if data is empty. On failure the map has none.
func (p pictures) keep(output string, data []byte) {
	if p.dir == nil {
		return
	}
	name := PictureName(output)
	write := func(w io.Writer) error { _, err := w.Write(data); return err }
	if len(data) == 0 || len(data) > maxPictureBytes || replaceFile(p.dir, name, write) != nil {
		_ = p.dir.Remove(name) // usually it is missing
	}
}

// url returns the picture of a map as a data: URL, or "" if it is missing or can't have been written by this program.
func (p pictures) url(output string) string {
	if p.dir == nil {
		return ""
	}
	f, err := nolink.Open(p.dir, PictureName(output), os.O_RDONLY, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	return PictureURL(f)
}

// PictureURL returns a picture as a data: URL, or "" if this program can't have written it.
func PictureURL(r io.Reader) string {
	data, err := io.ReadAll(io.LimitReader(r, maxPictureBytes+1))
	if err != nil || len(data) > maxPictureBytes || !bytes.HasPrefix(data, []byte("RIFF")) {
		return ""
	}
	info, err := picture.Sniff(data, "picture.webp", nil)
	if err != nil || info.Width > maxPicturePixels || info.Height > maxPicturePixels {
		return ""
	}
	return "data:image/webp;base64," + base64.StdEncoding.EncodeToString(data)
}
