// Package q3shader reads the shader scripts of Quake III and related games: text that says how a surface is drawn.
//
// A script is a list of blocks, "name { … }". Inside a block each line is a directive about the whole surface ("cull
// none", "surfaceparm trans"), and each inner block is a stage, which is drawn over the stages before it with an image,
// a blend function, and generators of its colour, alpha and texture coordinates that may change in time. The defaults
// are not in the text but in the engine (renderer/tr_shader.c); they are resolved here.
//
// A game has thousands of shaders in dozens of files, and a map uses about thirty. So a Library records only the
// positions of the blocks when a file is added, and parses a block when it is requested. The engine drops a shader at
// the first unknown word; we skip the line and report it in an Issue. Only limits cause errors.
package q3shader

import (
	"fmt"
)

// Limits of one script. A block's lists are cut there, with an issue; more definitions are an error.
const (
	maxShaders = 1 << 17 // definitions of a Library; large games have about 10 000
	maxStages  = 16      // of a shader; the engine's limit is 8, its descendants' 8 to 24
	maxDeforms = 3       // of a shader, as in the engine
	maxTCMods  = 8       // of a stage; the engine's limit is 4, DarkPlaces' 8
	maxFrames  = 64      // of an animMap; the engine's limit is 8, its descendants' 16 to 32
	maxParams  = 256     // surface parameters and raw directives of a shader or stage
	maxArgs    = 256     // words of one line
	maxIssues  = 100     // of a shader, and of a file outside its shaders
	maxDetail  = 100     // bytes of the file quoted in an issue
)

// The codes of issues. They are stable.
const (
	CodeDirective = "shader-directive" // a word that no known engine has; its line is skipped
	CodeValue     = "shader-value"     // a directive's argument is not one of its words; the default applies
	CodeArgument  = "shader-argument"  // arguments are missing, or there are too many
	CodeNumber    = "shader-number"    // not a number, or out of range; read as C's atof does
	CodeMany      = "shader-many"      // more stages, frames, … than are kept
	CodeStage     = "shader-stage"     // a stage without an image; it is dropped
	CodeBrace     = "shader-brace"     // braces don't match
	CodeQuote     = "shader-quote"     // a quote doesn't end in its line
	CodeComment   = "shader-comment"   // a comment doesn't end
	CodeCondition = "shader-condition" // if without endif, or the reverse
)

// Issue is a defect in a script that did not stop its parsing.
type Issue struct {
	Code   string // one of the Code constants
	Line   int    // of the file, from 1
	Detail string
}

// issues is a list of at most maxIssues entries, however many defects a hostile file has.
type issues struct{ list []Issue }

func (is *issues) add(code string, line int, format string, args ...any) {
	if len(is.list) >= maxIssues {
		return
	}
	if len(is.list) == maxIssues-1 {
		code, format, args = CodeMany, "more issues from here on aren't listed", nil
	}
	is.list = append(is.list, Issue{code, line, fmt.Sprintf(format, args...)})
}

// clip returns at most maxDetail bytes of s, for an issue.
func clip[T ~string | ~[]byte](s T) string {
	if len(s) > maxDetail {
		return string(s[:maxDetail]) + "…"
	}
	return string(s)
}

// lower returns s in lower case. Only ASCII is changed: names are bytes of an unknown encoding.
func lower[T ~string | ~[]byte](s T) string { return fold(string(s), false) }

// path returns a file or shader name in the form used for comparison: lower case, forward slashes.
func path[T ~string | ~[]byte](s T) string { return fold(string(s), true) }

func fold(s string, slashes bool) string {
	var b []byte // nil as long as the result equals s
	for i := range len(s) {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '\\' && slashes:
			c = '/'
		default:
			continue
		}
		if b == nil {
			b = []byte(s)
		}
		b[i] = c
	}
	if b == nil {
		return s
	}
	return string(b)
}

// trimExt returns s without its last extension, if its last path element has one.
func trimExt(s string) string {
	for i := len(s) - 1; i >= 0 && s[i] != '/'; i-- {
		if s[i] == '.' {
			return s[:i]
		}
	}
	return s
}
