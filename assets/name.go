package assets

import "strings"

// maxName is the length of the longest valid name in bytes. ioquake3's is 256 (MAX_ZPATH).
const maxName = 512

// clean returns the canonical form of a name: lower case, forward slashes, no empty or "." components; "." is the
// root. It returns false for an invalid name: one with a ".." component, a NUL, or more than maxName bytes.
func clean(name string) (string, bool) {
	if len(name) > maxName {
		return "", false
	}
	if isClean(name) {
		return name, true
	}
	c, ok := appendClean(nil, []byte(name))
	if len(c) == 0 {
		return ".", ok
	}
	return string(c), ok
}

// isClean reports whether clean would return name unchanged. Most names are clean, so this saves allocations.
func isClean(name string) bool {
	start := 0 // start of the current component
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			if c := name[i]; 'A' <= c && c <= 'Z' || c == '\\' || c == 0 {
				return false
			}
			continue
		}
		switch name[start:i] {
		case "", ".", "..":
			return false
		}
		start = i + 1
	}
	return true
}

// appendClean appends the clean form of name, "" for the root.
func appendClean(dst, name []byte) ([]byte, bool) {
	start := len(dst)
	for i := 0; i < len(name); {
		end := i
		for end < len(name) && name[end] != '/' && name[end] != '\\' {
			if name[end] == 0 {
				return dst, false
			}
			end++
		}
		switch component := name[i:end]; string(component) {
		case "", ".":
		case "..":
			return dst, false
		default:
			if len(dst) > start {
				dst = append(dst, '/')
			}
			for _, c := range component {
				dst = append(dst, lowerByte(c))
			}
		}
		i = end + 1
	}
	return dst, true
}

// lower is the engines' Q_strlwr: it changes only A to Z, and keeps bytes that are not UTF-8.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if lowerByte(s[i]) != s[i] {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c - 'A' + 'a'
	}
	return c
}

// hasExt reports whether a name ends in ext, ignoring the name's case; ext is lower case.
func hasExt(name, ext string) bool {
	return len(name) >= len(ext) && lower(name[len(name)-len(ext):]) == ext
}

// below returns the part of name after dir and a slash, or "" if name is not below dir.
func below(name, dir string) string {
	if dir == "." {
		return name
	}
	if len(name) > len(dir)+1 && name[len(dir)] == '/' && strings.HasPrefix(name, dir) {
		return name[len(dir)+1:]
	}
	return ""
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
