package q3shader

// parseAll returns all shaders of a script in the order of the file, including repeated definitions, and the issues outside of them;
// those inside are in Shader.Issues. name is the file's name, for Shader.File. It fails only if a word is too long; it then returns the
// shaders before that.
func parseAll(name string, text []byte) (shaders []*Shader, odd []Issue, err error) {
	s := newScanner(text)
	for {
		b, ok, err := s.next()
		if err != nil || !ok {
			return shaders, s.issues.list, err
		}
		shaders = append(shaders, parseBlock(name, text, b))
	}
}
