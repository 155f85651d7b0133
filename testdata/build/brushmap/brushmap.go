// Package brushmap has what compiled maps of all engines are made of: entities, planes, loops of shared edges, and a file of lumps.
// The builders of the formats, ibsp, qbsp, rbsp and vbsp, are above it. It checks nothing.
package brushmap

import (
	"slices"
	"strings"
)

// Entity is a list of key and value, in the order they are written. Keys may repeat.
type Entity [][2]string

// EntityText returns the text of entities as the engines' compilers write it.
func EntityText(entities []Entity) string {
	var b strings.Builder
	for _, e := range entities {
		b.WriteString("{\n")
		for _, p := range e {
			b.WriteString(`"` + p[0] + `" "` + p[1] + "\"\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// Intern returns the index of a record, added if the list has none that is equal.
func Intern[T comparable](list *[]T, record T) int {
	if i := slices.Index(*list, record); i >= 0 {
		return i
	}
	*list = append(*list, record)
	return len(*list) - 1
}
