package models

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/quakemdl"
	"github.com/bsp2gltf/bsp2gltf/models/internal/spr"
)

// statedSizes lists the formats whose header states the size of the file, by ident: at which offset, in which byte
// order. The first matching row counts. All 706 models of OpenArena, Nexuiz and other games that were examined have
// at least the size they state.
var statedSizes = []struct {
	ident string
	at    int
	order binary.ByteOrder
}{
	{"IDST\x0a\x00\x00\x00", 72, binary.LittleEndian}, {"IDSQ", 72, binary.LittleEndian}, // GoldSrc, studio.h: studiohdr_t
	{"IDST", 76, binary.LittleEndian}, {"IDAG", 76, binary.LittleEndian}, // Source, studio.h: studiohdr_t
	{"IDP3", 104, binary.LittleEndian}, // md3Header_t
	{"IDP2", 64, binary.LittleEndian},  // dmdl_t
	{"INTERQUAKEMODEL", 20, binary.LittleEndian}, {"DARKPLACESMODEL", 20, binary.BigEndian}, {"ZYMOTICMODEL", 16, binary.BigEndian},
}

// Complete fails with limits.ErrCorrupt if a model's file is shorter than its header states. File converts what is
// there of such a model.
func Complete(files fs.FS, name string) error {
	data, err := fs.ReadFile(files, clean(name))
	if err != nil {
		return nil // File reports it
	}
	if err := complete(data); err != nil {
		return fmt.Errorf("%s: %w; --allow-incomplete converts what is there", clean(name), err)
	}
	return nil
}

// complete fails if a model's file was cut.
func complete(data []byte) error {
	for _, s := range statedSizes {
		if !bytes.HasPrefix(data, []byte(s.ident)) {
			continue
		}
		if len(data) < s.at+4 {
			return nil // the decoder reports what is wrong
		}
		if size := int64(s.order.Uint32(data[s.at:])); size > int64(len(data)) {
			return incomplete("the last %d of %d bytes are missing", size-int64(len(data)), size)
		}
		return nil
	}
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("IDPO")) || bytes.HasPrefix(data, []byte("RAPO")):
		_, _, err = quakemdl.FrameMembers(data, maxPosed)
	case bytes.HasPrefix(data, []byte("IDSP")):
		err = spr.Whole(data)
	}
	var f *le.FormatError
	if errors.As(err, &f) && f.Code == "truncated" && len(data) > 8 {
		return incomplete("%v", err)
	}
	return nil
}

// incomplete returns the error of a truncated file.
func incomplete(format string, args ...any) error {
	return limit.Errorf(limit.ErrCorrupt, "incomplete: "+format+": download it again", args...)
}

// advised adds advice to the error of a model that refers to data outside its file: most such files were truncated by
// a download.
func advised(data []byte, err error) error {
	if cut := complete(data); cut != nil && errors.Is(err, limit.ErrCorrupt) {
		return cut
	}
	var f *le.FormatError
	if errors.As(err, &f) && (f.Code == "bounds" || f.Code == "truncated") {
		return fmt.Errorf("%w: the file is incomplete or damaged, download it again", err)
	}
	return err
}
