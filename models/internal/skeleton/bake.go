package skeleton

import (
	"hash/maphash"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/same"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Baker samples sequences and reduces them to tracks. It reuses its frame buffer from one sequence to the next. Equal
// tracks share memory: many sequences may use the same frames of a file.
type Baker struct {
	Memory     *modelfile.Reservation
	EveryFrame bool // tracks have a key for each frame

	joints  []world.Joint // samples of all frames of a sequence
	tracks  *same.Values[struct{}, world.Track]
	samples int   // samples of all sequences that fitted
	keys    int64 // bytes of the distinct tracks
	bytes   int64 // size of the model's files
}

// maxFrames is the most frames of a sequence.
const maxFrames = 1 << 15

// maxSamples returns how many samples the sequences in files of this size may have, maxKeys how many bytes their keys
// may take. A frame in which nothing changes takes no bytes of a file, and a sequence may mix nine animations; both
// limits are far above what real models need.
func maxSamples(bytes int64) int { return int(min(1<<24, 1<<16+8*bytes)) }
func maxKeys(bytes int64) int64  { return 4<<20 + 32*bytes }

// Begin starts the sequences of another skeleton.
func (k *Baker) Begin() {
	k.samples, k.keys, k.tracks = 0, 0, same.New[struct{}](hashTrack, equalTracks)
}

// Fits reports whether a sequence with this many frames and samples is within the limits for files of this size, and
// counts it. samples is frames times bones, times the animations that are mixed.
func (k *Baker) Fits(frames, samples int, bytes int64) bool {
	k.bytes = bytes
	if frames > maxFrames || samples > maxSamples(bytes)-k.samples {
		return false
	}
	k.samples += samples
	return true
}

// Tracks returns the tracks of a sequence for which Fits returned true. parents lists, by bone, the parent, which
// comes before the bone; sample returns the transforms of all bones in a frame. Tracks fails if sample does, if a
// bone is outside the range of a map, or if the tracks have too many keys. If sample is nil, there are no tracks.
func (k *Baker) Tracks(parents []int, frames int, sample func(frame int) ([]world.Joint, error)) (out []world.Track, err error) {
	bones := len(parents)
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
	for _, made := range k.reduce(all, parents, frames) {
		t, added := k.tracks.Add(struct{}{}, made)
		size := limit.Bytes[world.Track](1)
		if added {
			n := 28 * int64(len(t.Positions)+len(t.Rotations))
			if k.keys += n; k.keys > maxKeys(k.bytes) {
				return nil, modelfile.Fault("range", "sequences", "their keys take more than %d bytes, which is more than a file of %d bytes accounts for",
					maxKeys(k.bytes), k.bytes)
			}
			size += n
		}
		if err := k.Memory.Reserve(size); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func hashTrack(h *maphash.Hash, t world.Track) {
	for _, frames := range [][]int{t.PositionFrames, t.RotationFrames} {
		maphash.WriteComparable(h, len(frames))
		for _, f := range frames {
			maphash.WriteComparable(h, f)
		}
	}
	for _, p := range t.Positions {
		maphash.WriteComparable(h, p)
	}
	for _, q := range t.Rotations {
		maphash.WriteComparable(h, q)
	}
}

func equalTracks(a, b world.Track) bool {
	return slices.Equal(a.PositionFrames, b.PositionFrames) && slices.Equal(a.RotationFrames, b.RotationFrames) &&
		slices.Equal(a.Positions, b.Positions) && slices.Equal(a.Rotations, b.Rotations)
}
