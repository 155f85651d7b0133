package buildid

import (
	"io"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCommitOfSettings(t *testing.T) {
	const revision = "8edf821c1b2a00112233445566778899aabbccdd"
	for _, c := range []struct {
		name     string
		settings []debug.BuildSetting
		want     string
	}{
		{"clean", []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "false"}}, "8edf821c1b2a"},
		{"changed", []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "true"}}, "8edf821c1b2a+"},
		{"none", nil, ""},
		{"short", []debug.BuildSetting{{Key: "vcs.revision", Value: "8edf"}, {Key: "vcs.modified", Value: "false"}}, ""},
	} {
		got := ofSettings(c.settings)
		if got != c.want || Exact(got) != (c.name == "clean") {
			t.Errorf("%s: %q, exact %v, want %q", c.name, got, Exact(got), c.want)
		}
	}
}

// The checksum is that of an empty file in base 64.
func TestModuleOfADownload(t *testing.T) {
	const sum = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for _, c := range []struct {
		name   string
		module debug.Module
		want   string
	}{
		{"downloaded", debug.Module{Version: "v0.1.0", Sum: sum}, hash},
		{"built from a folder", debug.Module{Version: "(devel)"}, ""},
		{"replaced by a folder", debug.Module{Version: "v0.1.0", Sum: sum, Replace: &debug.Module{Path: "../x"}}, ""},
		{"another kind of checksum", debug.Module{Version: "v0.1.0", Sum: "h2:" + sum[3:]}, ""},
		{"too short", debug.Module{Version: "v0.1.0", Sum: "h1:47DE"}, ""},
	} {
		if got := ofModule(&c.module); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestABuildHasAName(t *testing.T) {
	defer func(before string) { commit = before }(commit)
	commit = "0123456789ab"
	if Name() != "0123456789ab" {
		t.Errorf("the linker's commit is ignored: %s", Name())
	}
	commit = ""
	if id := Name(); !regexp.MustCompile(`^(x?[0-9a-f]{12}\+?)$`).MatchString(id) {
		t.Errorf("the build is called %q", id)
	}
}

// A program with a build ID is known by it, and by its first bytes alone; another one by all its bytes.
func TestHashOfPrograms(t *testing.T) {
	const id = "lAjyrtW69INFSS9Jsk_D/aRnKHP7vNJjDU9ire-gL/yx64m6bAL3aW4Y4hbswy/2l_14MDftlapXzByjRsD"
	hash := func(program string) string { return hashOf(strings.NewReader(program)) }
	elf := hash("\x7fELF Go\x00\x00" + id + "\x00 and what follows")
	for name, c := range map[string]struct {
		program string
		same    bool
	}{
		"in a text":           {"MZ\xff Go build ID: \"" + id + "\"\n \xff", true},
		"other content":       {"\x7fELF Go\x00\x00" + id[:82] + "E\x00", false},
		"no ID":               {"\x7fELF and what follows", false},
		"three parts":         {"\x7fELF " + id[:62], false},
		"far from the start":  {strings.Repeat("x", head) + id, false},
		"a part is too short": {"\x7fELF " + id[1:], false},
		"another alphabet":    {"\x7fELF " + strings.Replace(id, "_", "+", 1), false},
	} {
		if got := hash(c.program); (got == elf) != c.same || len(got) != 64 {
			t.Errorf("%s: %s", name, got)
		}
	}
	if hash("a"+strings.Repeat("x", head)) == hash("a"+strings.Repeat("x", head+1)) {
		t.Error("a file without an ID is known by its start")
	}
	if got := hashOf(iotest.ErrReader(io.ErrUnexpectedEOF)); got != "" {
		t.Errorf("unreadable: %s", got)
	}
}
