package pipeline

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// WriteYAML writes every value of c as a pipeline file, with a comment on where it came from. Loading the file
// gives the same pipeline if game.paths are absolute or the file is in the current folder.
func (c *Config) WriteYAML(w io.Writer) error {
	var lines, origins []string
	section := ""
	for _, o := range options() {
		indent := ""
		if o.section != "" {
			if indent = "  "; o.section != section {
				section = o.section
				lines, origins = append(lines, "", section+":"), append(origins, "", "")
			}
		}
		lines = append(lines, indent+o.name+": "+scalar(o.in(&c.Pipeline)))
		origins = append(origins, c.Origins[o.key])
	}
	column := 0
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n <= 40 {
			column = max(column, n)
		}
	}
	var b strings.Builder
	for i, l := range lines {
		b.WriteString(l)
		if origins[i] != "" {
			pad := max(column-utf8.RuneCountInString(l), 0)
			b.WriteString(strings.Repeat(" ", pad+2) + "# " + printable(origins[i]))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

var (
	plain     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_/.-]*$`) })
	yamlWords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
)

// scalar writes a value as YAML on one line.
func scalar(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Float64:
		return decimal(v.Float())
	case reflect.String:
		if s := v.String(); plain().MatchString(s) && !slices.Contains(yamlWords, strings.ToLower(s)) {
			return s
		}
		return strconv.Quote(v.String())
	case reflect.Slice:
		all := make([]string, v.Len())
		for i := range all {
			all[i] = scalar(v.Index(i))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

// printable returns s on one line, quoted if it contains characters that are not printable.
func printable(s string) string {
	if q := strconv.Quote(s); q != `"`+s+`"` && strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return q
	}
	return s
}
