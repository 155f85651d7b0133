package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// file is a file to put into an archive.
type file struct {
	name    string // path with forward slashes
	data    []byte
	program bool // is executable
}

func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

// pack writes an archive of the release. The extension of name selects the format.
func (r *release) pack(name string, files []file) error {
	write := tarball
	if filepath.Ext(name) == ".zip" {
		write = zipped
	}
	var b bytes.Buffer
	if err := write(&b, files, r.date); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return r.write(filepath.Join(attached, name), b.Bytes())
}

// tarball writes a .tar.gz with the files in their order, without owners.
func tarball(w io.Writer, files []file, date time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// zipped writes a .zip with the files in their order.
func zipped(w io.Writer, files []file, date time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(os.FileMode(f.mode()))
		to, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
