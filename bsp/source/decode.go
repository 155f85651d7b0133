// Package source reads the maps of Valve's Source engine: VBSP.
package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Decode reads a map.
func Decode(ctx context.Context, f *le.File, o Options) (*world.World, error) {
	return nil, fmt.Errorf("VBSP: %w", errors.ErrUnsupported)
}
