package write

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
)

// everyAccessorAndNode returns a document with accessors of all types, and nodes with and without each of what places them.
func everyAccessorAndNode() *gltf.Document {
	doc := gltf.NewDocument()
	for c := range gltf.ComponentUint + 1 {
		for a := range gltf.AccessorMat4 + 1 {
			doc.Accessors = append(doc.Accessors, &gltf.Accessor{Name: "<", ComponentType: c, Type: a, Normalized: c == 1, Max: []float64{1, 2},
				Extras: map[string]any{"k": "&"}, BufferView: gltf.Index(int(a)), ByteOffset: int(c)})
		}
	}
	doc.Accessors = append(doc.Accessors, &gltf.Accessor{Sparse: &gltf.Sparse{Count: 2}, Min: []float64{0.1}})
	matrix := gltf.DefaultMatrix
	matrix[12] = 3
	doc.Nodes = []*gltf.Node{
		{Translation: [3]float64{1, 2, 3}}, {Rotation: [4]float64{0, 1, 0, 0}}, {Scale: [3]float64{2, 2, 2}}, {Matrix: matrix},
		{Matrix: gltf.DefaultMatrix, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale, Translation: gltf.DefaultTranslation},
		{Camera: gltf.Index(0), Mesh: gltf.Index(1), Skin: gltf.Index(2), Children: []int{1}, Weights: []float64{0.5},
			Extensions: gltf.Extensions{"<E>": map[string]any{"a": "<"}}, Extras: map[string]any{"&": 1}},
	}
	return doc
}

// The text is that of encoding/json, whatever the length of a list or an element, and where pieces end.
func TestDocumentsAreEncodedAsByJSON(t *testing.T) {
	some := gltf.NewDocument()
	some.Nodes = []*gltf.Node{{Name: "a<b>&"}, {Name: "b", Extras: map[string]any{"k": 1.5}}, {Name: strings.Repeat("x", 3*pieceSize)}}
	some.Extras, some.ExtensionsUsed, some.Scene = map[string]any{"k": "v"}, []string{"A"}, gltf.Index(0)
	some.Accessors, some.Extensions = []*gltf.Accessor{{Count: 3}}, gltf.Extensions{"B": map[string]any{}}
	docs := []*gltf.Document{{}, gltf.NewDocument(), some, everyAccessorAndNode()}
	for n := range 40 { // lengths around the end of a piece
		docs = append(docs, &gltf.Document{Nodes: []*gltf.Node{{Name: strings.Repeat("x", pieceSize-70+n)}, {Name: "y"}}})
	}
	for i, doc := range docs {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(doc); err != nil {
			t.Fatal(err)
		}
		got, err := encodeJSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		text := bytes.Join(got.list, nil)
		if !bytes.Equal(append(text, '\n'), want.Bytes()) || got.size != len(text) {
			t.Errorf("document %d: %d bytes, want %d: ...%s, want ...%s", i, len(text), want.Len()-1, text[max(0, len(text)-80):], want.Bytes()[max(0, want.Len()-80):])
		}
	}
}
