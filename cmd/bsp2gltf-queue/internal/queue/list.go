package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// maxFiles is how many files a record lists. A record of thousands would be larger than a message of the queue may be.
const maxFiles = 16

// listOf identifies the files of an output.
func listOf(files []batch.File) *jobs.FileList {
	lines := make([]string, len(files))
	for i, f := range files {
		lines[i] = fmt.Sprintf("%s  %s\n", f.SHA256, f.Name)
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return &jobs.FileList{Count: len(files), SHA256: hex.EncodeToString(sum[:])}
}
