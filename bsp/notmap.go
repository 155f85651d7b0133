package bsp

import (
	"errors"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// notMap describes a file that is no map, by its start, or returns nil.
func notMap(f *le.File) error {
	head, err := f.Head(filetype.HeadBytes)
	if err != nil {
		return nil
	}
	if what, _ := filetype.Describe(head); what == "a zip archive" {
		return limit.Errorf(errors.ErrUnsupported, "not a map, but a zip archive: name the map in it as ARCHIVE:maps/NAME.bsp")
	}
	return filetype.Refuse("a map", head)
}
