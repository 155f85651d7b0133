package q3shader

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// parser reads one block. Its methods for directives get the words that follow on the line and return how many of them
// they use.
type parser struct {
	lexer
	shader *Shader
	stage  *Stage // the stage being read, nil outside stages
	issues issues
	key    string // the directive being read
	line   int    // its line
	ahead  token  // the token after the line being read
	isRead bool   // ahead has not been used yet

	implicit *Stage  // the image of an implicitMap, implicitMask, implicitBlend or diffuseMap
	culled   bool    // cull was given
	ifs      int     // number of open conditions that hold
	glows    []Stage // what glows over all stages

	// Facts about the stage being read, for settle.
	rgbGiven, tcGiven, depthWrite, isMaterial bool
	role                                      string // what Daemon uses its image for, or ""
}

// directives maps what may be in a block or stage to its parser. A nil function means a directive of another game, or
// one that does not affect drawing: the line is kept in Params.
type directives map[string]func(p *parser, args []string) int

// rawPrefixes begin the directives of tools and of related games that are kept verbatim: the editor's, the compilers',
// DarkPlaces', and Raven's surfaceSprites.
var rawPrefixes = []string{"qer", "q3map", "dp", "ss"}

func isRaw(key string) bool {
	return slices.ContainsFunc(rawPrefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// param keeps a directive verbatim in Params.
func (p *parser) param(key string, args []string) {
	list := &p.shader.Params
	if p.stage != nil {
		list = &p.stage.Params
	}
	if len(*list) < maxParams {
		*list = append(*list, Param{key, args})
	}
}

// issue adds an issue about the directive being read.
func (p *parser) issue(code, format string, args ...any) {
	if p.key != "" {
		format, args = "%s: "+format, append([]any{clip(p.key)}, args...)
	}
	p.issues.add(code, p.line, format, args...)
}

// need reports whether there are at least n arguments, and adds an issue if not.
func (p *parser) need(args []string, n int) bool {
	if len(args) < n {
		p.issue(CodeArgument, "%d arguments, not %d", len(args), n)
	}
	return len(args) >= n
}

// numbers reads numbers from args into to, as many as both allow, and returns the count.
func (p *parser) numbers(args []string, to ...*float32) int {
	n := min(len(args), len(to))
	for i, arg := range args[:n] {
		*to[i] = p.number(arg)
	}
	return n
}

// maxNumber limits numbers so that results computed from them are finite.
const maxNumber = 1e9

// number reads a number as C's atof does, which uses the longest numeric prefix of s: "0.5f" is 0.5 and "x" is 0.
// Unlike atof it does not accept infinity; numbers are clamped to ±1e9.
func (p *parser) number(s string) float32 {
	n := numberLen(s)
	if n < len(s) || n == 0 {
		p.issue(CodeNumber, "%q isn't a number", clip(s))
	}
	f, _ := strconv.ParseFloat(s[:n], 64) // ±Inf if out of range, 0 if it is not a number
	if math.Abs(f) > maxNumber {
		p.issue(CodeNumber, "%q is out of range", clip(s))
		f = math.Copysign(maxNumber, f)
	}
	return float32(f)
}

// numberLen returns the length of the numeric prefix of s.
func numberLen(s string) int {
	digits := func(i int) int {
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i
	}
	sign := func(i int) int {
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return i
	}
	start := sign(0)
	n := digits(start)
	count := n - start
	if n < len(s) && s[n] == '.' {
		after := digits(n + 1)
		count += after - n - 1
		n = after
	}
	if count == 0 {
		return 0
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		if from := sign(n + 1); digits(from) > from {
			n = digits(from)
		}
	}
	return n
}

// vector reads "( x y z )". The engine requires parentheses as separate words; if they are missing or joined to the
// numbers, it rejects the shader. We accept these forms.
func (p *parser) vector(args []string) (v [3]float32, used int) {
	rest := args
	strict := len(rest) >= 5 && rest[0] == "(" && rest[4] == ")"
	n := 0
	for n < 3 && len(rest) > 0 {
		if s := strings.Trim(rest[0], "()"); s != "" {
			v[n] = p.number(s)
			n++
		}
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] == ")" {
		rest = rest[1:]
	}
	if !strict {
		p.issue(CodeArgument, "%q isn't ( x y z )", clip(strings.Join(args, " ")))
	}
	return v, len(args) - len(rest)
}
