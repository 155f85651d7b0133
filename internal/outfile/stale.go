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
	"sync"
	"syscall"
	"time"
)

// A temporary is named .bsp2gltf-HOST-PID-RANDOM.tmp. HOST is a hash of the machine's name: another machine or container that
// writes to the same folder has processes of its own. Before 0.1.0 it was .bsp2gltf-PID-RANDOM.tmp.
var tempPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.bsp2gltf-(?:([0-9a-f]{8})-)?([0-9]{1,9})-[0-9a-f]{8,16}\.tmp$`)
})

var host = sync.OnceValue(func() string {
	name, _ := os.Hostname() // "" is as good a name
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:4])
})

// tempName is a name for a temporary file of this process.
func tempName() string {
	var random [6]byte
	_, _ = rand.Read(random[:]) // it never fails
	return fmt.Sprintf(".bsp2gltf-%s-%d-%x.tmp", host(), os.Getpid(), random)
}

// sweep removes the temporaries in a folder of the output whose process on this machine is gone.
func (s *Set) sweep(dir string) {
	if !s.swept[dir] {
		s.swept[dir] = true
		Sweep(s.root, filepath.FromSlash(dir))
	}
}

// Sweep removes the temporaries in a folder whose process on this machine is gone.
func Sweep(root *os.Root, dir string) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
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

// unowned reports whether a process that is there is not the one that wrote a file, or no more: it has ended and was not waited for,
// or has begun after the file was last written and has the number of the one that wrote it. A machine that starts many processes
// gives each number again within minutes.
func unowned(root *os.Root, name string, pid int) bool {
	const doubt = time.Second
	start, ended, ok := begun(pid)
	info, err := root.Lstat(name)
	return ok && (ended || err == nil && start.After(info.ModTime().Add(doubt)))
}

// alive reports whether there is a process of a number, or may be.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false // of Windows, which looks
	}
	defer func() { _ = p.Release() }()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
