package write_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// The tables of the map have a second level of detail, which stands in no tree and which MSFT_lod names. The models with one level
// have no chain, and nothing else changes.
func TestLevelsOfDetailAsAChain(t *testing.T) {
	t.Parallel()
	file := filepath.FromSlash("../../../testdata/source/maps/models.bsp")
	one, counted := convertMap(t, defaults(), file)
	s, r := convertMap(t, set(t, "models.lods=chain"), file)
	if r.Props != counted.Props {
		t.Errorf("%+v, without the chain %+v", r.Props, counted.Props)
	}
	triangles := func(n *scene.Node) (sum int) {
		for _, p := range s.Meshes[n.Mesh].Primitives {
			sum += len(p.Indices) / 3
		}
		return sum
	}
	var chains []string
	detached := 0
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if i > 0 && n.Parent == scene.None {
			detached++
		}
		for _, at := range n.Levels {
			l := &s.Nodes[at]
			if l.Parent != scene.None || l.Translation != n.Translation || l.Rotation != n.Rotation || l.Scale != n.Scale {
				t.Errorf("%s does not stand where %s does", l.Name, n.Name)
			}
			// The file's switching point is 10: 14.4 units for each, in a picture of 1080 lines.
			if far, ok := l.Extras["lod_distance"].(float64); !ok || math.Abs(far-10*14.4*0.0254) > 1e-4 {
				t.Errorf("%s is shown from %v on", l.Name, l.Extras)
			}
			chains = append(chains, fmt.Sprintf("%s %d, %s %d", n.Name, triangles(n), l.Name, triangles(l)))
		}
	}
	want := []string{"table_mdl 96, table_mdl_lod1 72", "table 84, table_lod1 60", "table_2 84, table_2_lod1 60"}
	if !slices.Equal(chains, want) || detached != len(want) || len(s.Nodes) != len(one.Nodes)+detached {
		t.Errorf("%q, %d detached of %d nodes, without them %d", chains, detached, len(s.Nodes), len(one.Nodes))
	}

	doc, _ := readGLB(t, glb(t, s))
	for _, n := range doc.Nodes {
		chain, ok := n.Extensions["MSFT_lod"]
		if !ok {
			continue
		}
		text, err := json.Marshal(chain)
		var ids struct{ IDs []int }
		if err != nil || json.Unmarshal(text, &ids) != nil || len(ids.IDs) != 1 || doc.Nodes[ids.IDs[0]].Name != n.Name+"_lod1" {
			t.Errorf("%s: %s", n.Name, text)
		}
		want = slices.DeleteFunc(want, func(s string) bool { return strings.HasPrefix(s, n.Name+" ") })
	}
	if len(want) != 0 || slices.Contains(doc.ExtensionsRequired, "MSFT_lod") || !slices.Contains(doc.ExtensionsUsed, "MSFT_lod") {
		t.Errorf("not in the file: %q; %q", want, doc.ExtensionsUsed)
	}

	files, err := write.FindFormat("obj").Files(s, "x", "x")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := files[len(files)-1].Write(&text); err != nil || bytes.Contains(text.Bytes(), []byte("_lod1")) ||
		!bytes.Contains(text.Bytes(), []byte("o table")) {
		t.Error("a program that reads OBJ would show all levels at once", err)
	}
}
