// Package q3shader reads the shader scripts of Quake III and its kin: text that says how a surface is drawn.
//
// A script is a list of blocks, "name { … }". Inside a block each line is a directive about the whole surface
// ("cull none", "surfaceparm trans"), and each inner block is a stage: one layer, drawn over those before it with
// an image, a blend function, and generators of its colour, alpha and texture coordinates that may move in time.
// The defaults are not in the text but in the engine (renderer/tr_shader.c), and are resolved here.
//
// A game has thousands of shaders in dozens of files and a map uses thirty. So a Library notes only where the
// blocks are when a file is added, and reads a block when it is asked for. The engine drops a shader at the first
// word it doesn't know; we skip the line and say so in an Issue. Nothing here fails but for a limit.
package q3shader

import (
	"fmt"
)

// What one script may ask for. A block's lists are cut there, with an issue; more definitions are an error.
const (
	maxShaders = 1 << 17 // definitions of a Parse or a Library; big games have some 10 000
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
	CodeDirective = "shader-directive" // a word that no engine we know of has; its line is skipped
	CodeValue     = "shader-value"     // a directive's argument isn't one of its words; the default stands
	CodeArgument  = "shader-argument"  // arguments are missing, or there are too many
	CodeNumber    = "shader-number"    // not a number, or out of range; read as C's atof does
	CodeMany      = "shader-many"      // more stages, frames, … than are kept
	CodeStage     = "shader-stage"     // a stage without an image; it is dropped
	CodeBrace     = "shader-brace"     // braces don't match
	CodeQuote     = "shader-quote"     // a quote doesn't end in its line
	CodeComment   = "shader-comment"   // a comment doesn't end
	CodeCondition = "shader-condition" // if without endif, or the reverse
)

// Issue is something odd in a script that was survived.
type Issue struct {
	Code   string // one of the Code constants
	Line   int    // of the file, from 1
	Detail string
}

// issues is a list with an end: a hostile file has no more of them than maxIssues.
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

// clip returns s for an issue, at most maxDetail bytes of it.
func clip[T ~string | ~[]byte](s T) string {
	if len(s) > maxDetail {
		return string(s[:maxDetail]) + "…"
	}
	return string(s)
}

// lower returns s in lower case, ASCII only: names are bytes of an unknown encoding.
func lower[T ~string | ~[]byte](s T) string { return fold(string(s), false) }

// path returns a file or shader name as we compare it: lower case, forward slashes.
func path[T ~string | ~[]byte](s T) string { return fold(string(s), true) }

func fold(s string, slashes bool) string {
	var b []byte // nil while it would be s
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

// trimExt returns s without its last extension, if its last element has one.
func trimExt(s string) string {
	for i := len(s) - 1; i >= 0 && s[i] != '/'; i-- {
		if s[i] == '.' {
			return s[:i]
		}
	}
	return s
}
