// Package invocation carries what the command knows of a conversion, and a library's caller does not need to say: the files that the
// command itself reads and writes, and where names come from. It travels in the context, because a Job has only what callers need.
package invocation

import "context"

// Call is what the command knows of a conversion.
type Call struct {
	// No output replaces one of these files.
	Reads  []string // that the command has read, like a pipeline file
	Writes []string // that the command will write, like the report

	Derived  bool // the output's name was derived, not given: an existing file is replaced only if bsp2gltf wrote it
	Unhashed bool // leave the map's SHA-256 out of the report; it takes a tenth of the time for a small map
}

type key struct{}

// With returns a context that carries c.
func With(ctx context.Context, c Call) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the call that ctx carries, or an empty one.
func From(ctx context.Context) Call {
	c, _ := ctx.Value(key{}).(Call)
	return c
}
