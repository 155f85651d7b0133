package skeleton

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Baker samples sequences and reduces them to tracks. Its memory for frames serves one sequence after another.
type Baker struct {
	Memory     *modelfile.Reservation
	EveryFrame bool // tracks have a key for each frame

	joints []world.Joint // of all frames of a sequence
}

// Tracks returns the tracks of a sequence of so many frames, given the bones' places in each of them. It fails if sample does, or if a bone
// is beyond the range of a map; a sample of nil gives no tracks.
func (k *Baker) Tracks(bones, frames int, sample func(frame int) ([]world.Joint, error)) (out []world.Track, err error) {
	if n := frames * bones; n > len(k.joints) {
		if err := k.Memory.Borrow(limit.Bytes[world.Joint](n - len(k.joints))); err != nil {
			return nil, err
		}
		k.joints = make([]world.Joint, n)
	}
	all := k.joints[:frames*bones] // by bone, then frame
	for f := range frames {
		places, err := sample(f)
		if err != nil || places == nil {
			return nil, err
		}
		for i := range places {
			if !modelfile.InRange(places[i].Position[:]...) {
				return nil, modelfile.Fault("range", "sequences", "bone %d is at %g", i, places[i].Position)
			}
			all[i*frames+f] = places[i]
		}
	}
	for i := range bones {
		t := Track(all[i*frames:][:frames], k.EveryFrame)
		if err := k.Memory.Reserve(limit.Bytes[world.Track](1) + 28*int64(len(t.Positions)+len(t.Rotations))); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}
