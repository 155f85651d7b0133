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
)

// tempPattern matches the names of temporary files, .bsp2gltf-HOST-PID-sBEGUN-RANDOM.tmp. HOST is a hash of the machine's name,
// because another machine or container that writes to the same folder has different processes. BEGUN is when the process began, which
// tells it from a later one with its number; it is missing where that is not known. Before 0.1.0 the name was .bsp2gltf-PID-RANDOM.tmp.
var tempPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.bsp2gltf-(?:([0-9a-f]{8})-)?([0-9]{1,9})-(?:s([0-9]{1,19})-)?[0-9a-f]{8,16}\.tmp$`)
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
	start := ""
	if at, _, ok := begun(os.Getpid()); ok {
		start = fmt.Sprintf("s%d-", at)
	}
	return fmt.Sprintf(".bsp2gltf-%s-%d-%s%x.tmp", host(), os.Getpid(), start, random)
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
			if pid, _ := strconv.Atoi(m[2]); !alive(pid) || unowned(pid, m[3]) {
				_ = root.Remove(name)
			}
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
}

// unowned reports whether a process that exists is not the one that writes a file, which began at start. Either it has ended and was not
// waited for, or it reuses the process ID: a machine that starts many processes reuses each ID within minutes. The file's time would not
// tell, as clocks are set while files are written.
func unowned(pid int, start string) bool {
	at, ended, ok := begun(pid)
	return ok && (ended || start != "" && start != strconv.FormatInt(at, 10))
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
