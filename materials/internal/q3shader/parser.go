package q3shader

import (
	"strings"
)

// parseBlock reads the shader of block b of a file.
func parseBlock(file string, text []byte, b block) *Shader {
	s := &Shader{Name: trimExt(path(b.name)), File: file, Line: b.line}
	p := &parser{shader: s}
	p.lexer = lexer{text: text[b.start:b.end], line: b.startLine, first: true, issues: &p.issues}
	for {
		switch t := p.next(); t.kind {
		case end:
			p.finish()
			return s
		case open:
			p.parseStage(t.line)
		case close:
			p.issues.add(CodeBrace, t.line, "} without {")
		case word:
			p.parseLine(t, general())
		}
	}
}

// next returns the next token, or the one that parseLine read ahead.
func (p *parser) next() token {
	if p.isRead {
		p.isRead = false
		return p.ahead
	}
	return p.lexer.next()
}

// parseLine reads the line that begins with the word t. The engine reads as many words as a directive has arguments;
// then the next directive may follow on the same line.
func (p *parser) parseLine(t token, known directives) {
	p.line = t.line
	words := []string{string(t.text)}
	for {
		t = p.next()
		if t.kind != word || t.first {
			p.ahead, p.isRead = t, true
			break
		}
		if len(words) <= maxArgs {
			words = append(words, string(t.text))
		}
	}
	p.key = lower(words[0])
	if len(words) > maxArgs {
		words = words[:maxArgs]
		p.issue(CodeMany, "words after the first %d are skipped", maxArgs)
	}
	for {
		args := words[1:]
		f, ok := known[p.key]
		raw := isRaw(p.key)
		if !ok && !raw {
			p.issue(CodeDirective, "not a directive we know")
		}
		if f == nil || raw {
			p.param(p.key, args)
		}
		if f == nil {
			return
		}
		words = args[f(p, args):]
		if raw || len(words) == 0 {
			return
		}
		next := lower(words[0])
		if _, ok := known[next]; !ok {
			p.issue(CodeArgument, "%q is too much", clip(strings.Join(words, " ")))
			return
		}
		p.key = next
	}
}

// finish sets what depends on the whole block.
func (p *parser) finish() {
	s := p.shader
	if p.ifs > 0 {
		p.issues.add(CodeCondition, s.Line, "if without endif")
	}
	if p.implicit != nil {
		p.addImplicit()
	}
	if len(s.Stages) > 0 {
		for _, glow := range p.glows {
			p.addStage(glow)
		}
	}
	s.Issues = p.issues.list
}
