package assets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// vpkGroup is a folder's files with the same extension.
type vpkGroup struct {
	path, ext []byte // in the tree; empty for the root and for no extension
	first     uint32 // index into files
}

// vpkFile is an entry of the directory.
type vpkFile struct {
	group uint32 // index into groups
	name  uint32 // offset of its name in the tree, followed by its record
	hash  uint32
}

// vpkRecord is VPKDirectoryEntry. A file's content is the preload, which is in the directory, followed by length
// bytes of a chunk.
type vpkRecord struct {
	crc            uint32 // of the whole content, IEEE
	preload        []byte
	chunk          uint16 // or vpkHere
	offset, length int64
}

// readTree reads the directory, of at most size bytes. A directory without a header must be complete and not empty.
func (v *vpk) readTree(at, size int64, bare bool) error {
	if err := v.reserve(size); err != nil {
		return err
	}
	v.tree = make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(v.r, at, size), v.tree); err != nil {
		return fmt.Errorf("vpk: %w: %w", limit.ErrInput, err)
	}
	var groups, files, chunks int64
	end, whole := walkVPK(v.tree, func(first bool, _, _ []byte, name int) {
		if first {
			groups++
		}
		files++
		if n := v.record(name).chunk; n != vpkHere {
			chunks = max(chunks, int64(n)+1)
		}
	})
	if bare {
		if !whole || files == 0 {
			return errVPK
		}
		v.tree, v.data = bytes.Clone(v.tree[:end]), int64(end)
		v.budget.Release(size - int64(end))
		v.taken -= size - int64(end)
	}
	v.cut = v.cut || !whole
	if err := limit.Check("MaxVPKEntries", v.budget.Limits.MaxVPKEntries, files); err != nil {
		return fmt.Errorf("vpk: %w", err)
	}
	slots := int64(8)
	for slots*3 < files*4 {
		slots *= 2
	}
	if err := v.reserve(groups*56 + files*12 + slots*4 + chunks*32); err != nil {
		return err
	}
	v.groups = make([]vpkGroup, 0, groups)
	v.files = make([]vpkFile, 0, files)
	v.slots = make([]uint32, slots)
	v.chunks = make([]vpkChunk, chunks)
	v.index()
	return nil
}

// walkVPK calls each for every record of a directory. A directory has strings on three levels, extension, folder and
// name (passed as its offset in the tree); an empty string ends a level. A blank stands for no extension, or for the
// root. first marks the first record of a folder in an extension. walkVPK returns where the directory ends, and
// whether it is complete; it stops at a record without its end mark.
func walkVPK(tree []byte, each func(first bool, ext, folder []byte, name int)) (end int, whole bool) {
	at := 0
	next := func() ([]byte, bool) {
		n := bytes.IndexByte(tree[at:], 0)
		if n < 0 {
			return nil, false
		}
		s := tree[at : at+n]
		at += n + 1
		return s, true
	}
	for {
		ext, ok := next()
		if !ok || len(ext) == 0 {
			return at, ok
		}
		for {
			folder, ok := next()
			if !ok {
				return at, false
			}
			if len(folder) == 0 {
				break
			}
			for first := true; ; first = false {
				start := at
				name, ok := next()
				if !ok {
					return at, false
				}
				if len(name) == 0 {
					break
				}
				if len(tree)-at < vpkRecordLen || binary.LittleEndian.Uint16(tree[at+16:]) != vpkEnd {
					return start, false
				}
				preload := int(binary.LittleEndian.Uint16(tree[at+4:]))
				if at += vpkRecordLen; len(tree)-at < preload {
					return start, false
				}
				each(first, ext, folder, start)
				at += preload
			}
		}
	}
}

// index puts the directory's names into the form of clean, and into the hash table. Of duplicates the first one
// counts.
func (v *vpk) index() {
	var one, other []byte
	var g vpkGroup
	ok := false
	walkVPK(v.tree, func(first bool, ext, folder []byte, at int) {
		if first {
			g, ok = vpkGroup{first: uint32(len(v.files))}, len(ext) <= maxName && !bytes.ContainsAny(ext, `/\`)
			if ok && string(ext) != " " {
				fold(ext)
				g.ext = ext
			}
			if string(folder) != " " {
				clean, fine := appendClean(folder[:0], folder) // in place: the result is never longer
				g.path, ok = clean, ok && fine
			}
		}
		name := v.nameAt(at)
		if !ok || len(g.path)+len(name)+len(g.ext) > maxName { // checked before joining: many entries may share a long folder
			v.dropped++
			return
		}
		fold(name)
		one = appendVPKName(one[:0], &g, name)
		dots := len(g.ext) == 0 && (string(name) == "." || string(name) == "..")
		if dots || bytes.IndexByte(name, '/') >= 0 || len(one) > maxName {
			v.dropped++
			return
		}
		sum := maphash.Bytes(v.seed, one)
		i := v.slot(sum)
		for ; v.slots[i] != 0; i = v.slot(uint64(i) + 1) {
			if f := &v.files[v.slots[i]-1]; f.hash == uint32(sum>>32) {
				if other = v.appendName(other[:0], f); bytes.Equal(one, other) {
					v.repeated++
					return
				}
			}
		}
		if uint32(len(v.files)) == g.first {
			v.groups = append(v.groups, g)
		}
		if e := v.record(at); e.chunk == vpkHere && v.data+e.offset+e.length > v.bytes {
			v.behind++
		}
		v.files = append(v.files, vpkFile{uint32(len(v.groups) - 1), uint32(at), uint32(sum >> 32)})
		v.slots[i] = uint32(len(v.files))
	})
}

// slot returns the slot of a hash. The number of slots is a power of two.
func (v *vpk) slot(hash uint64) int { return int(hash & uint64(len(v.slots)-1)) }

// fold converts a name to lower case and forward slashes in place.
func fold(name []byte) {
	for i, c := range name {
		if c == '\\' {
			c = '/'
		}
		name[i] = lowerByte(c)
	}
}

// nameAt returns the name at an offset of the tree, without folder and extension.
func (v *vpk) nameAt(at int) []byte {
	return v.tree[at : at+bytes.IndexByte(v.tree[at:], 0)]
}

// record returns the record after the name at an offset of the tree.
func (v *vpk) record(name int) vpkRecord {
	r := v.tree[name+len(v.nameAt(name))+1:]
	return vpkRecord{
		crc:     binary.LittleEndian.Uint32(r),
		preload: r[vpkRecordLen:][:binary.LittleEndian.Uint16(r[4:])],
		chunk:   binary.LittleEndian.Uint16(r[6:]),
		offset:  int64(binary.LittleEndian.Uint32(r[8:])),
		length:  int64(binary.LittleEndian.Uint32(r[12:])),
	}
}

func appendVPKName(dst []byte, g *vpkGroup, name []byte) []byte {
	if dst = append(dst, g.path...); len(g.path) > 0 {
		dst = append(dst, '/')
	}
	if dst = append(dst, name...); len(g.ext) > 0 {
		dst = append(append(dst, '.'), g.ext...)
	}
	return dst
}

func (v *vpk) appendName(dst []byte, f *vpkFile) []byte {
	return appendVPKName(dst, &v.groups[f.group], v.nameAt(int(f.name)))
}

// find returns the record of a file.
func (v *vpk) find(name string) (vpkRecord, bool) {
	sum := maphash.String(v.seed, name)
	for i := v.slot(sum); v.slots[i] != 0; i = v.slot(uint64(i) + 1) {
		f := &v.files[v.slots[i]-1]
		var have [maxName]byte
		if f.hash == uint32(sum>>32) && string(v.appendName(have[:0], f)) == name {
			return v.record(int(f.name)), true
		}
	}
	return vpkRecord{}, false
}

// filesOf returns the number of files in a group.
func (v *vpk) filesOf(group int) int {
	end := len(v.files)
	if group+1 < len(v.groups) {
		end = int(v.groups[group+1].first)
	}
	return end - int(v.groups[group].first)
}
