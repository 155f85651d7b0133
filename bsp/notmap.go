package bsp

import (
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/filetype"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// notMap describes a file that is no map, by its start, or returns nil.
func notMap(f *le.File) error {
	head, err := f.Head(filetype.HeadBytes)
	if err != nil {
		return nil
	}
	switch what, todo := filetype.Describe(head); {
	case what == "":
		return nil
	case what == "a zip archive":
		return fmt.Errorf("not a map, but a zip archive: name the map in it as ARCHIVE:maps/NAME.bsp: %w", errors.ErrUnsupported)
	case todo == "":
		return fmt.Errorf("not a map, but %s: %w", what, errors.ErrUnsupported)
	default:
		return fmt.Errorf("not a map, but %s: %s: %w", what, todo, errors.ErrUnsupported)
	}
}
