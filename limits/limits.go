// Package limits bounds what reading maps and their files may use, and names the kinds of errors.
//
// The functions of this module never use more for a file than the limits allow, whatever it claims. They take their limits from their
// context; without any they keep to the defaults:
//
//	ctx = limits.With(ctx, limits.Limits{MaxMemory: 1 << 30})
//	m, err := bsp.Decode(ctx, file, size, bsp.Options{})
//
// All calls under one context keep to its limits together, as the steps of one conversion should. Functions that are a whole conversion,
// such as convert.Run and those of package inspect, begin to count anew.
package limits

import (
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limitctx"
)

// The kinds of errors, for errors.Is. The others are errors.ErrUnsupported for a valid file that is not supported, and
// fs.ErrNotExist.
var (
	ErrUsage    = errors.New("usage")          // mistakes of the caller: options, arguments, config
	ErrCorrupt  = errors.New("corrupt")        // the file violates its format
	ErrLimit    = errors.New("limit exceeded") // the file needs more than the Limits allow
	ErrInput    = errors.New("unreadable")     // the input can't be read
	ErrOutput   = errors.New("can't create")   // the output can't be created
	ErrWrite    = errors.New("can't write")    // writing the output failed
	ErrInternal = errors.New("internal error") // a bug of ours
)

// Limits bound what one conversion may use. A field that is not above 0 means its default. What a map can't do without is an error if it
// exceeds one; a picture, a model or another file that is too large for one of its own (MaxPixels, MaxEntry, MaxInclude) is left out, and
// the report has an issue.
type Limits struct {
	MaxFile         int64 // bytes of the map file
	MaxLump         int64 // bytes of one lump, inflated
	MaxRatio        int64 // inflated / stored bytes, for anything above 16 MiB
	MaxInflateTotal int64 // bytes inflated for one map, textures included
	LZMADict        int64 // bytes of an LZMA dictionary
	MaxZipEntries   int64 // entries of one archive other than a VPK
	MaxVPKEntries   int64 // entries of one VPK: a game's may have 200,000, of 50 bytes each
	MaxEntry        int64 // bytes of one archive entry or loose file, inflated
	MaxPixels       int64 // pixels of one image
	MaxTextureTotal int64 // pixels of all images
	MaxAtlasPages   int64 // lightmap atlas pages
	MaxVertices     int64 // vertices of the scene
	MaxEntities     int64 // entities of a map
	MaxKeyValues    int64 // key-values of a map's entities and materials
	MaxKVDepth      int64 // nesting of key-values text
	MaxInclude      int64 // nesting of materials that include materials
	MaxToken        int64 // bytes of a token in any text format
	MaxProps        int64 // props of a map, grass included
	MaxWarnings     int64 // issues listed in a report; further ones are only counted
	MaxMemory       int64 // bytes reserved at the same time
	MaxOutput       int64 // bytes of one file of an output
}

// defaults holds the limits of a conversion that sets none.
var defaults = Limits{
	MaxFile: 2 << 30, MaxLump: 256 << 20, MaxRatio: 250, MaxInflateTotal: 4 << 30, LZMADict: 64 << 20,
	MaxZipEntries: 65536, MaxVPKEntries: 1 << 20, MaxEntry: 256 << 20, MaxPixels: 64 << 20, MaxTextureTotal: 2 << 30, MaxAtlasPages: 16,
	MaxVertices: 50_000_000, MaxEntities: 65536, MaxKeyValues: 1 << 20, MaxKVDepth: 64, MaxInclude: 16, MaxToken: 64 << 10,
	MaxProps: 262144, MaxWarnings: 1000, MaxMemory: 2 << 30, MaxOutput: 2 << 30,
}

// field is a limit and its name on the command line.
type field struct {
	name string
	at   func(*Limits) *int64
}

var fields = []field{
	{"MaxFile", func(l *Limits) *int64 { return &l.MaxFile }},
	{"MaxLump", func(l *Limits) *int64 { return &l.MaxLump }},
	{"MaxRatio", func(l *Limits) *int64 { return &l.MaxRatio }},
	{"MaxInflateTotal", func(l *Limits) *int64 { return &l.MaxInflateTotal }},
	{"LZMADict", func(l *Limits) *int64 { return &l.LZMADict }},
	{"MaxZipEntries", func(l *Limits) *int64 { return &l.MaxZipEntries }},
	{"MaxVPKEntries", func(l *Limits) *int64 { return &l.MaxVPKEntries }},
	{"MaxEntry", func(l *Limits) *int64 { return &l.MaxEntry }},
	{"MaxPixels", func(l *Limits) *int64 { return &l.MaxPixels }},
	{"MaxTextureTotal", func(l *Limits) *int64 { return &l.MaxTextureTotal }},
	{"MaxAtlasPages", func(l *Limits) *int64 { return &l.MaxAtlasPages }},
	{"MaxVertices", func(l *Limits) *int64 { return &l.MaxVertices }},
	{"MaxEntities", func(l *Limits) *int64 { return &l.MaxEntities }},
	{"MaxKeyValues", func(l *Limits) *int64 { return &l.MaxKeyValues }},
	{"MaxKVDepth", func(l *Limits) *int64 { return &l.MaxKVDepth }},
	{"MaxInclude", func(l *Limits) *int64 { return &l.MaxInclude }},
	{"MaxToken", func(l *Limits) *int64 { return &l.MaxToken }},
	{"MaxProps", func(l *Limits) *int64 { return &l.MaxProps }},
	{"MaxWarnings", func(l *Limits) *int64 { return &l.MaxWarnings }},
	{"MaxMemory", func(l *Limits) *int64 { return &l.MaxMemory }},
	{"MaxOutput", func(l *Limits) *int64 { return &l.MaxOutput }},
}

// Defaults returns the limits that hold where none are set.
func Defaults() Limits { return defaults }

// Names returns the names of the limits, in the order of the struct.
func Names() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// Set sets a limit by name. It fails if the name is unknown or n is below 1.
func (l *Limits) Set(name string, n int64) error {
	for _, f := range fields {
		if f.name == name {
			if n < 1 {
				return fmt.Errorf("limit %s: %d is below 1: %w", name, n, ErrUsage)
			}
			*f.at(l) = n
			return nil
		}
	}
	return fmt.Errorf("there is no limit %q: %w", name, ErrUsage)
}

// OrDefaults returns l with the defaults in fields that are not above 0.
func (l Limits) OrDefaults() Limits {
	d := defaults
	for _, f := range fields {
		if p := f.at(&l); *p <= 0 {
			*p = *f.at(&d)
		}
	}
	return l
}

// Error reports a limit that a file would exceed.
type Error struct {
	Limit string // name, as in --limit NAME=VALUE
	Max   int64
	Want  int64
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d is over the limit of %d (raise it with --limit %s=N)", e.Want, e.Max, e.Limit)
}

// Is makes every Error an ErrLimit.
func (e *Error) Is(target error) bool { return target == ErrLimit }

// With returns a context under which all functions of this module keep to the limits.
func With(ctx context.Context, l Limits) context.Context {
	return limitctx.With(ctx, limitctx.New(l.OrDefaults()))
}

// From returns the limits that ctx carries, or the defaults.
func From(ctx context.Context) Limits {
	if c := limitctx.From(ctx); c != nil {
		return c.Limits.(Limits)
	}
	return defaults
}
