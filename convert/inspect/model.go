package inspect

import (
	"context"
	"io"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// ModelInfo describes a model.
type ModelInfo struct {
	File      string           `json:"file"`
	Size      int64            `json:"size"`
	Format    world.Format     `json:"format"`
	Triangles int              `json:"triangles"`
	Vertices  int              `json:"vertices"`
	Bones     []BoneInfo       `json:"bones"`
	Sequences []SequenceInfo   `json:"sequences"`
	Materials report.Materials `json:"materials"`
	Mounts    []string         `json:"mounts"`
	Issues    []world.Issue    `json:"issues"`
}

// BoneInfo describes a bone.
type BoneInfo struct {
	Name   string `json:"name"`
	Parent int    `json:"parent"` // -1 for none
}

// SequenceInfo describes a sequence.
type SequenceInfo struct {
	Name     string      `json:"name"`
	Activity string      `json:"activity,omitempty"`
	Frames   int         `json:"frames"`
	FPS      float64     `json:"fps"`
	Loops    bool        `json:"loops"`
	Added    bool        `json:"added,omitempty"` // a delta sequence, which the game adds to others
	Events   []EventInfo `json:"events,omitempty"`
}

// EventInfo is what the game does when a sequence reaches a frame.
type EventInfo struct {
	Frame   float64 `json:"frame"`
	Number  int     `json:"number"`
	Name    string  `json:"name,omitempty"`
	Options string  `json:"options,omitempty"`
}

// InspectModel reads a model and searches for its materials' files, without converting anything. in is as
// convert.Job.In, paths as the pipeline's game.paths.
func InspectModel(ctx context.Context, in string, paths []string) (i *ModelInfo, err error) {
	err = par.Guard(func() (err error) { i, err = inspectModel(ctx, in, paths); return err })()
	return i, err
}

func inspectModel(ctx context.Context, in string, paths []string) (*ModelInfo, error) {
	ctx, _ = limit.Begin(ctx)
	src, err := input.OpenModel(ctx, in, pipeline.GameOptions{Paths: paths, Steam: true})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if err := models.Complete(src.Files, src.Name); err != nil {
		return nil, err
	}
	w, err := models.Describe(ctx, src.Files, src.Name)
	if err != nil {
		return nil, err
	}
	missing, err := materials.Find(ctx, src.Files, input.ScriptsOf(src.View)(), w)
	if err != nil {
		return nil, err
	}
	m := &w.Models[w.Props[0].Index]
	out := &ModelInfo{
		File: in, Size: src.Size, Format: w.Format, Bones: []BoneInfo{}, Sequences: []SequenceInfo{},
		Materials: tally.CountMaterials(w, missing),
		Mounts:    src.View.Paths(), Issues: append([]world.Issue{}, w.Issues...),
	}
	for _, s := range m.Surfaces {
		t := s.Shape.(*world.Triangles)
		out.Triangles, out.Vertices = out.Triangles+len(t.Indices)/3, out.Vertices+len(t.Vertices)
	}
	if m.Skeleton != nil {
		out.describe(m.Skeleton)
	}
	return out, nil
}

// describe adds the bones and sequences.
func (i *ModelInfo) describe(s *world.Skeleton) {
	for _, b := range s.Bones {
		i.Bones = append(i.Bones, BoneInfo{b.Name, b.Parent})
	}
	for _, q := range s.Sequences {
		d := SequenceInfo{Name: q.Name, Activity: q.Activity, Frames: q.Frames, FPS: q.FPS, Loops: q.Loops, Added: q.Additive}
		for _, e := range q.Events {
			d.Events = append(d.Events, EventInfo(e))
		}
		i.Sequences = append(i.Sequences, d)
	}
}

// WriteJSON writes the info as indented JSON.
func (i *ModelInfo) WriteJSON(w io.Writer) error {
	return safejson.Write(w, i)
}
