package assets

import (
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	// Not ulikunitz/xz, which decompresses LZMA elsewhere: its xz reader (0.5.17) allocates any dictionary that a
	// file asks for, up to 4 GiB.
	"github.com/therootcompany/xz"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/lzma"
)

// packing is a compression of single files. Servers of Source and GoldSrc send maps as x.bsp.bz2 ("FastDL"). To add
// one, add a row, and its extension to package inputfile.
type packing struct {
	magic  string
	what   string
	memory func(limit.Limits) int64 // bytes that decompression needs besides the result
	open   func(io.Reader, limit.Limits) (io.Reader, error)
}

var packings = []packing{
	{"BZh", "bzip2", func(limit.Limits) int64 { return 8 << 20 },
		func(r io.Reader, _ limit.Limits) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"\x1f\x8b", "gzip", func(limit.Limits) int64 { return 1 << 16 },
		func(r io.Reader, _ limit.Limits) (io.Reader, error) { return gzip.NewReader(r) }},
	{"\xfd7zXZ\x00", "xz", func(l limit.Limits) int64 { return xzDict(l) + 1<<20 },
		func(r io.Reader, l limit.Limits) (io.Reader, error) { return xz.NewReader(r, uint32(xzDict(l))) }},
	{"]\x00\x00", "LZMA", func(l limit.Limits) int64 { return xzDict(l) + 1<<20 },
		func(r io.Reader, l limit.Limits) (io.Reader, error) { return lzma.NewReader(r, xzDict(l)) }},
}

// xzDict returns the largest dictionary that an xz file may use.
func xzDict(l limit.Limits) int64 { return min(l.LZMADict, 1<<31) }

// Unpack decompresses a file that bzip2, gzip, xz or LZMA compressed, recognised by its first bytes, into memory; the
// caller calls release when it no longer uses it. Any other file is returned as it is. It fails if the file exceeds
// the context's limits (limits.ErrLimit), or is damaged or incomplete (limits.ErrCorrupt).
func Unpack(ctx context.Context, r io.ReaderAt, size int64) (unpacked io.ReaderAt, n int64, release func(), err error) {
	return unpack(r, size, limit.From(ctx))
}

func unpack(r io.ReaderAt, size int64, b *limit.Budget) (unpacked io.ReaderAt, n int64, release func(), err error) {
	for _, p := range packings {
		start := make([]byte, len(p.magic))
		if got, _ := r.ReadAt(start, 0); got < len(start) || string(start) != p.magic {
			continue
		}
		data, err := p.unpack(io.NewSectionReader(r, 0, size), size, b)
		if err != nil {
			return nil, 0, nil, fmt.Errorf("%s: %w", p.what, err)
		}
		reserved := int64(cap(data))
		return inMemory(data), int64(len(data)), func() { b.Release(reserved) }, nil
	}
	return r, size, func() {}, nil
}

// unpack returns the content of a compressed file of stored bytes. Its capacity stays reserved in b.
func (p *packing) unpack(r io.Reader, stored int64, b *limit.Budget) ([]byte, error) {
	scratch := p.memory(b.Limits)
	if err := b.Reserve(scratch); err != nil {
		return nil, err
	}
	defer b.Release(scratch)
	in := &noted{r: r}
	out, err := p.open(in, b.Limits)
	var data []byte
	chunk := make([]byte, 64<<10)
	for err == nil {
		var n int
		n, err = out.Read(chunk)
		if n == 0 {
			continue
		}
		total := int64(len(data) + n)
		lerr := limit.Check("MaxFile", b.Limits.MaxFile, total)
		if lerr == nil {
			lerr = b.InflateMore(int64(n), total, stored)
		}
		if lerr == nil {
			data, lerr = limit.Append(b, data, "", chunk[:n]...)
		}
		if lerr != nil {
			err = lerr
		}
	}
	if errors.Is(err, io.EOF) {
		return data, nil
	}
	b.Release(int64(cap(data)))
	return nil, in.kind(err, b.Limits)
}

// noted is a reader that remembers its own error, to distinguish a failing disk from damaged content.
type noted struct {
	r   io.Reader
	err error
}

func (n *noted) Read(b []byte) (int, error) {
	k, err := n.r.Read(b)
	if err != nil {
		n.err = err
	}
	return k, err
}

// kind adds the kind of error to an error from decompression.
func (n *noted) kind(err error, l limit.Limits) error {
	switch {
	case errors.Is(err, limit.ErrLimit):
		return err
	case errors.Is(err, xz.ErrMemlimit):
		return &limit.Error{Limit: "LZMADict", Max: l.LZMADict, Want: l.LZMADict + 1}
	case n.err != nil && !errors.Is(n.err, io.EOF):
		return fmt.Errorf("%w: %w", limit.ErrInput, n.err)
	case n.err != nil && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, xz.ErrBuf)):
		return fmt.Errorf("the file is incomplete, download it again: %w", limit.ErrCorrupt)
	}
	return fmt.Errorf("the file is damaged, download it again: %w", limit.ErrCorrupt)
}
