package source

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
)

// The fields of each record of Respawn's add up to its size.
func TestRespawnRowsAddUp(t *testing.T) {
	t.Run("texture data", addUp([]lift.Row[texdata]{textureDataV1}, 36))
	t.Run("models", addUp([]lift.Row[model]{respawnModelV1}, 32))
	t.Run("meshes", addUp([]lift.Row[mesh]{meshV1}, 28))
	t.Run("material sorts", addUp([]lift.Row[materialSort]{materialSortV1}, 12))
	t.Run("vertices", addUp([]lift.Row[meshVertex]{unlitV1, unlitTSV1, litFlatV1, litBumpV1}, 20, 28, 36, 44))
	t.Run("light headers", addUp([]lift.Row[lightHeader]{lightHeaderV1}, 8))
	t.Run("level info", addUp([]lift.Row[levelInfo]{levelInfoV1}, 28))
	t.Run("lamps", addUp([]lift.Row[lamp]{lampRespawnV2, lampRespawnV3}, 108, 112))
	t.Run("cubemaps", addUp([]lift.Row[[3]int32]{respawnCubemapV1}, 16))
	for _, p := range respawnProps {
		n := 0
		for _, f := range p.fields {
			n += f.size
		}
		if of := sumFields(fieldsOf(p.fields)); n != p.size || of != p.size {
			t.Errorf("static props of version %d: the fields are %d and %d bytes of %d", p.version, n, of, p.size)
		}
	}
	for i, l := range respawnLumps {
		if n := sumFields(l.fields); l.size > 0 && n > 0 && n != l.size {
			t.Errorf("%s: the fields are %d bytes of %d", respawnLumpName(i), n, l.size)
		}
	}
}
