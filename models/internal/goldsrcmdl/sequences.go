package goldsrcmdl

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
)

// choose returns the index of the sequence of an appearance, 0 if the model has no sequences. ok is false if the
// appearance names a sequence that is missing, or only activities without a sequence.
func choose(sequences modelfile.Table, p skeleton.Appearance) (i int, ok bool) {
	if sequences.Len() == 0 {
		return 0, true
	}
	if p.Animation != "" {
		for i := range sequences.Len() {
			if strings.EqualFold(label(sequences.Record(i)), p.Animation) {
				return i, true
			}
		}
	}
	for name := range strings.FieldsSeq(p.Activities) {
		if i, ok := likeliest(sequences, activityNumber(name)); ok {
			return i, true
		}
	}
	if p.Sequence < 0 || p.Sequence >= sequences.Len() {
		p.Sequence = 0
	}
	return p.Sequence, p.Animation == "" && (len(p.Activities) == 0 || sequences.Len() == 1)
}

// likeliest returns the index of the sequence of an activity that the game chooses most often: the first one with the
// greatest weight. ok is false if there is none.
func likeliest(sequences modelfile.Table, activity int32) (best int, ok bool) {
	heaviest := int32(-1)
	for i := range sequences.Len() {
		s := sequences.Record(i)
		if weight := le.Int32(s[44:]); activity > 0 && le.Int32(s[40:]) == activity && weight > heaviest {
			best, heaviest, ok = i, weight, true
		}
	}
	return best, ok
}

// label returns the name of a sequence.
func label(s []byte) string { return entlump.Text(le.String(s[:32])) }
