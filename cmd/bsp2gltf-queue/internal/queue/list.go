package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Limits of the files that a record lists. A list of more is a file beside the output, because a record of thousands of files
// would be larger than a message of the queue may be.
const (
	mostFiles = 16
	mostList  = 8 << 10 // bytes
)

// keepList makes the list of an output's files, which are given with the main file last. If they are many it writes the list below
// dir, and returns the files with it.
func keepList(ctx context.Context, dir, output string, files []batch.File) (*jobs.FileList, []batch.File, error) {
	text := listOf(path.Dir(output), files)
	sum := sha256.Sum256(text)
	list := &jobs.FileList{Count: len(files), SHA256: hex.EncodeToString(sum[:])}
	if len(files) <= mostFiles && len(text) <= mostList {
		return list, files, nil
	}
	list.Name = output + ".sha256"
	name := filepath.Join(dir, filepath.FromSlash(list.Name))
	err := outfile.Write(ctx, name, outfile.Policy{}, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	f, err := batch.FileOf(dir, name)
	return list, slices.Insert(slices.Clone(files), len(files)-1, f), err
}

// listOf returns the lines of files, with their names relative to a folder.
func listOf(folder string, files []batch.File) []byte {
	lines := make([]string, len(files))
	for i, f := range files {
		name := strings.TrimPrefix(f.Name, strings.TrimPrefix(folder+"/", "./"))
		mark := ""
		if strings.ContainsAny(name, "\\\n\r") { // as GNU's sha256sum has it
			mark, name = `\`, strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(name)
		}
		lines[i] = fmt.Sprintf("%s%s  %s\n", mark, f.SHA256, name)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):]) })
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l)
	}
	return b.Bytes()
}
