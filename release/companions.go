package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"path/filepath"
)

// Folders of the programs. The program with queues is a module of its own.
var folders = []string{"cmd/bsp2gltf", "cmd/bsp2gltf-queue"}

// companions writes what accompanies the programs: the licences of what they contain, the manual page and the completions.
func (r *release) companions(ctx context.Context) error {
	for _, folder := range folders {
		text, err := r.licences(ctx, folder)
		if err != nil {
			return err
		}
		if err := r.write(filepath.Join(filepath.Base(folder), "THIRD-PARTY-LICENSES.txt"), text); err != nil {
			return err
		}
	}
	program := filepath.Join(r.out, "here")
	if _, err := command(ctx, r.root, "go", "build", "-o", program, "./"+folders[0]); err != nil {
		return err
	}
	for _, c := range [][]string{
		{"man/bsp2gltf.1", "man"},
		{"completions/bsp2gltf.bash", "completion", "bash"},
		{"completions/_bsp2gltf", "completion", "zsh"},
		{"completions/bsp2gltf.fish", "completion", "fish"},
		{"completions/bsp2gltf.ps1", "completion", "powershell"},
	} {
		text, err := command(ctx, r.root, program, c[1:]...)
		if err != nil {
			return err
		}
		if err := r.write(c[0], []byte(text+"\n")); err != nil {
			return err
		}
		if c[1] == "man" { // as Debian wants it
			var packed bytes.Buffer
			z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a level that there is
			if _, err := z.Write([]byte(text + "\n")); err != nil {
				return err
			}
			if err := z.Close(); err != nil {
				return err
			}
			if err := r.write("bsp2gltf.1.gz", packed.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}
