package outfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// tempPattern matches the names of temporary files, .bsp2gltf-HOST-PID-RANDOM.tmp. HOST is a hash of the machine's name,
// because another machine or container that writes to the same folder has different processes. Before 0.1.0 the name was
// .bsp2gltf-PID-RANDOM.tmp.
var tempPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.bsp2gltf-(?:([0-9a-f]{8})-)?([0-9]{1,9})-[0-9a-f]{8,16}\.tmp$`)
})

var host = sync.OnceValue(func() string {
	name, _ := os.Hostname() // on failure "" will do
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
})

// tempName returns a new name for a temporary file of this process.
func tempName() string {
	var random [6]byte
	_, _ = rand.Read(random[:]) // it never fails
	return fmt.Sprintf(".bsp2gltf-%s-%d-%x.tmp", host(), os.Getpid(), random)
}

// sweep removes the temporary files in a folder of the output whose process on this machine has ended.
func (s *Set) sweep(dir string) {
	if !s.swept[dir] {
		s.swept[dir] = true
		Sweep(s.root, filepath.FromSlash(dir))
	}
}

// Sweep removes the temporary files in a folder whose process on this machine has ended.
func Sweep(root *os.Root, dir string) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if !strings.HasPrefix(name, ".bsp2gltf-") {
				continue
			}
			m := tempPattern().FindStringSubmatch(name)
			if m == nil || m[1] != "" && m[1] != host() {
				continue
			}
			name = filepath.Join(dir, name)
			if pid, _ := strconv.Atoi(m[2]); !alive(pid) || unowned(root, name, pid) {
				_ = root.Remove(name)
			}
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
}

// unowned reports whether a process that exists is not the one that writes a file. Either it has ended and was not waited for, or
// it began after the file was last written and reuses the process ID: a machine that starts many processes reuses each ID within
// minutes.
func unowned(root *os.Root, name string, pid int) bool {
	const doubt = time.Second
	start, ended, ok := begun(pid)
	info, err := root.Lstat(name)
	return ok && (ended || err == nil && start.After(info.ModTime().Add(doubt)))
}

// alive reports whether a process with this ID exists or may exist.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false // on Windows FindProcess checks
	}
	defer func() { _ = p.Release() }()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
