package write

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
)

// The text is that of encoding/json, whatever the length of a list or an element, and where pieces end.
func TestDocumentsAreEncodedAsByJSON(t *testing.T) {
	some := gltf.NewDocument()
	some.Nodes = []*gltf.Node{{Name: "a<b>&"}, {Name: "b", Extras: map[string]any{"k": 1.5}}, {Name: strings.Repeat("x", 3*pieceSize)}}
	some.Extras, some.ExtensionsUsed, some.Scene = map[string]any{"k": "v"}, []string{"A"}, gltf.Index(0)
	some.Accessors, some.Extensions = []*gltf.Accessor{{Count: 3}}, gltf.Extensions{"B": map[string]any{}}
	docs := []*gltf.Document{{}, gltf.NewDocument(), some}
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
