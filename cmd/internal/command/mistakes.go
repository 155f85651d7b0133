package command

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
	"github.com/bsp2gltf/bsp2gltf/internal/suggest"
)

// The mistakes in this file are those of new users. Each is answered with what was probably meant.

const (
	maxListed    = 10_000 // files of a folder that are compared with a missing name
	maxFolders   = 500    // entries of a folder, and of each of its folders, that are examined in the search for games
	maxSuggested = 4      // game folders that a message names
)

// nearFile returns "; did you mean" with an existing file for a name that does not exist, or "". If its folder is
// missing, it says so.
func nearFile(name string) string {
	switch unquoted := strings.Trim(name, "'\"“”‘’"); {
	case unquoted != name && exists(unquoted):
		return fmt.Sprintf("; did you mean %s, without quotes in its name?", human.Argument(unquoted))
	case filepath.Separator == '/' && len(name) > 3 && name[1] == ':' && name[2] == '\\':
		drive := strings.ToLower(human.Clean(name[:1], 1))
		return fmt.Sprintf("; it is a name of Windows: under WSL it begins with /mnt/%s/, and its \\ are /", drive)
	case strings.HasPrefix(name, "~/"):
		return "; a shell replaces ~ only at the start of a word, outside quotes"
	case strings.Contains(name, `\`) && exists(strings.ReplaceAll(name, `\`, "/")):
		return fmt.Sprintf("; did you mean %s?", human.Argument(strings.ReplaceAll(name, `\`, "/")))
	}
	if archive, _, inside := strings.Cut(name, ":"); inside && inputfile.IsArchive(archive) && !exists(archive) {
		return nearFile(archive)
	}
	dir, base := filepath.Split(name)
	all, err := namesIn(filepath.Clean(dir+"."), maxListed)
	if dir != "" && os.IsNotExist(err) {
		return "; there is no folder " + human.Quote(filepath.Clean(dir))
	}
	var readable []string
	for _, n := range all {
		if inputfile.IsMap(n) || inputfile.IsArchive(n) || inputfile.IsModel(n) {
			readable = append(readable, n)
		}
	}
	better := ""
	for _, n := range readable {
		if strings.EqualFold(n, base) || strings.EqualFold(inputfile.TrimExt(n), base) {
			better = n
			break
		}
	}
	if better == "" {
		better = suggest.Word(base, readable)
		if better != "" && !strings.EqualFold(better[:1], base[:1]) { // short names are near to any other
			better = ""
		}
	}
	if better == "" || better == base {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", human.Argument(dir+better))
}

// gamesIn returns the end of a message that names the game folders in a folder or, if there are none, says how to
// list what is searched.
func gamesIn(dir string) string {
	var games []string
	all, _ := namesIn(dir, maxFolders)
	for _, name := range all {
		below := filepath.Join(dir, name)
		if names, err := namesIn(below, maxFolders); err == nil && slices.ContainsFunc(names, ofAGame) {
			games = append(games, human.Argument(below))
		}
		if len(games) == maxSuggested {
			break
		}
	}
	if len(games) == 0 {
		return ": bsp2gltf doctor shows what is searched, and where"
	}
	return "; did you mean " + strings.Join(games, " or ") + "?"
}

// ofAGame reports whether a name is that of something that only a game's folder has.
func ofAGame(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "gameinfo.txt", "liblist.gam", "maps", "textures", "pak0.pak":
		return true
	}
	return strings.HasSuffix(name, ".pk3") || strings.HasSuffix(name, "_dir.vpk")
}

// namesIn returns at most most names in a folder, in the disk's order.
func namesIn(dir string, most int) ([]string, error) {
	f, err := regular.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, _ := f.Readdirnames(most)
	slices.Sort(all)
	return all, nil
}

// exists reports whether a file or folder exists.
func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// isOutput reports whether a name has the extension of an output.
func isOutput(name string) bool {
	return slices.Contains(formats, strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")))
}

// checkWords returns an error for words that a person or a program typed otherwise than a shell needs them: hyphens that a text processor
// joined, Windows's question for help, and outputs below a ~ that the shell left, as behind the = of a flag.
func checkWords(words []string) error {
	for _, w := range words {
		name, value, set := strings.Cut(w, "=")
		if !set {
			name, value = "", w
		}
		joined := strings.TrimLeft(w, "–—―−")
		switch {
		case w == "--":
			return nil
		case joined != w && joined != "" && !exists(w):
			flag, _, _ := strings.Cut(joined, "=")
			hyphens := "--"
			if len(flag) == 1 {
				hyphens = "-"
			}
			return usagef("%s begins with a dash of a text; the flag is %s%s", human.Quote(w), hyphens, human.Clean(flag, human.MaxName))
		case w == "/?" && !exists(w):
			return usagef("unknown flag /?; see bsp2gltf --help")
		case !strings.HasPrefix(value, "~/") || exists("~") || slices.Contains([]string{"--game", "--config", "--set"}, name):
		case isOutput(value) || set || picture.Written(strings.ToLower(filepath.Ext(value))) != "":
			return usagef("%s: a shell replaces ~ only at the start of a word, outside quotes", human.Quote(value))
		}
	}
	return nil
}

// checkNames returns an error for arguments that can't be what the user wants, before any of them is read as a map.
func checkNames(args []string) error {
	if name := unquoted(args); name != "" {
		return usagef("the name %s has spaces: put it in quotes", human.Quote(name))
	}
	var outputs []string
	for i, name := range args {
		switch {
		case name == "":
			return usagef("a name is empty")
		case os.IsPathSeparator(name[len(name)-1]) && isRegular(strings.TrimRight(name, string(filepath.Separator))):
			return usagef("%s is a file: leave out the %c at its end", human.Quote(name), filepath.Separator)
		case i == 0 && len(args) == 1 && isOutput(name) && !exists(name):
			return usagef("%s is the name of an output, and no map is given: bsp2gltf in.bsp %s", human.Quote(name), human.Argument(name))
		case i == 0 && len(args) == 2 && isOutput(name) && inputfile.IsMap(args[1]) && isRegular(args[1]):
			return usagef("the map is the first name, the output the second: bsp2gltf %s %s", human.Argument(args[1]), human.Argument(name))
		case isOutput(name) && filepath.Separator == '/' && strings.Contains(name, `\`) && !exists(name):
			return usagef("%s: here / separates folders: %s", human.Quote(name), human.Argument(strings.ReplaceAll(name, `\`, "/")))
		case isOutput(name) && !exists(name):
			outputs = append(outputs, name)
		case inputfile.IsModel(name) && isRegular(name):
			return usagef("%s is a model: bsp2gltf model %s", human.Quote(name), human.Argument(name))
		case i > 0 && slices.ContainsFunc(args[:i], func(s string) bool { return sameFile(s, name) }):
			return usagef("%s is named twice", human.Quote(name))
		case i == 1 && len(args) == 2 && exists(args[0]) && (inputfile.IsMap(name) || inputfile.IsArchive(name)) && !exists(name) &&
			filepath.Dir(name) == ".":
			return usagef("there is no map %s; if it is the output, end it in %s", human.Quote(name), either(".", formats))
		}
	}
	if len(outputs) > 1 {
		return usagef("%s and %s are names of outputs, and a map becomes one file: %s", human.Quote(outputs[0]), human.Quote(outputs[1]),
			usageLine)
	}
	return nil
}

// checkReport returns an error if the name of a report is that of a folder.
func checkReport(name string) error {
	if name != "" && name != "-" && (isFolder(name) || os.IsPathSeparator(name[len(name)-1])) {
		return usagef("--report: %s is a folder: name a file", human.Quote(name))
	}
	return mayReplace(name, "{", "report")
}

// noFolder returns the error for a batch without an output folder. It assumes that the last name is meant, unless
// that names an input.
func noFolder(args []string) error {
	last := len(args) - 1
	if !exists(args[0]) && suggest.Word(args[0], []string{"report"}) != "" {
		return usagef("no output folder is given: -o DIR; did you mean bsp2gltf batch report?")
	}
	if last < 1 || isRegular(args[last]) {
		return usagef("no output folder is given: -o DIR")
	}
	names := make([]string, last)
	for i, name := range args[:last] {
		names[i] = human.Argument(name)
	}
	return usagef("no output folder is given: bsp2gltf batch %s -o %s", strings.Join(names, " "), human.Argument(args[last]))
}

func isRegular(name string) bool {
	i, err := os.Stat(name)
	return err == nil && i.Mode().IsRegular()
}

// sameFile reports whether two names are those of the same file, and of the same map in it.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && x.Mode().IsRegular() && os.SameFile(x, y) && inputfile.Stem(a) == inputfile.Stem(b)
}

// unquoted returns the name of an existing file that the shell has split at its spaces, or "".
func unquoted(args []string) string {
	for from := range args {
		if exists(args[from]) {
			continue
		}
		for to := from + 2; to <= len(args); to++ {
			if name := strings.Join(args[from:to], " "); exists(name) {
				return name
			}
		}
	}
	return ""
}

// dashed returns the name of an existing file on the command line that looks like a flag, or "".
func (a *app) dashed() string {
	for _, w := range a.words {
		if w == "--" {
			break
		}
		if strings.HasPrefix(w, "-") && len(w) > 1 && isRegular(w) {
			return w
		}
	}
	return ""
}

// missingFile returns what to add to the message about a missing file.
func missingFile(p *fs.PathError) string {
	if p == nil || p.Path == "" || p.Op == "read" {
		return ""
	}
	return nearFile(p.Path)
}
