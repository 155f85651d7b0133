package write

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// PropertiesVersion is the version of the layout of NAME_entities.json.gz. It increases when a field is removed or
// changes its meaning.
const PropertiesVersion = 1

// propertiesComment precedes the map's hash in the comment of the gzip header, where it can be read without
// decompression.
const propertiesComment = mapTag + " "

// withProperties returns a scene for an output without sidecars: the key-values of entities are in their nodes'
// extras.
func withProperties(s *scene.Scene) *scene.Scene {
	out := *s
	out.Nodes, out.Properties = slices.Clone(s.Nodes), nil
	for _, p := range s.Properties {
		n := &out.Nodes[p.Node]
		extras := maps.Clone(p.Keys)
		maps.Copy(extras, n.Extras)
		n.Extras = extras
	}
	return &out
}

// writeProperties writes the key-values of entities as gzipped JSON, an entity per line.
func writeProperties(w io.Writer, s *scene.Scene) error {
	z, hash := gzip.NewWriter(w), s.MapSHA256
	if hash != "" {
		z.Comment = propertiesComment + hash
	}
	lines := bytes.NewBuffer(nil)
	e := json.NewEncoder(lines)
	e.SetEscapeHTML(false)
	value := func(v any, end string) error {
		if err := e.Encode(v); err != nil {
			return err
		}
		lines.Truncate(lines.Len() - 1) // the line break
		lines.WriteString(end)
		return nil
	}
	lines.WriteString("{\n\"version\": ")
	if err := value(PropertiesVersion, ",\n"); err != nil {
		return err
	}
	if hash != "" {
		lines.WriteString(probesMap + hash + "\",\n")
	}
	lines.WriteString("\"entities\": {\n")
	for i, p := range s.Properties {
		if i > 0 {
			lines.WriteString(",\n")
		}
		if err := value(s.Nodes[p.Node].Name, ": "); err != nil {
			return err
		}
		if err := value(p.Keys, ""); err != nil {
			return err
		}
		if _, err := lines.WriteTo(z); err != nil {
			return err
		}
	}
	if _, err := z.Write([]byte("\n}\n}\n")); err != nil {
		return err
	}
	return z.Close()
}

// propertiesMap returns the hash of the map that the start of NAME_entities.json.gz states, or "".
func propertiesMap(head []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return ""
	}
	hash, ok := strings.CutPrefix(z.Comment, propertiesComment)
	if !ok || !isHash([]byte(hash)) {
		return ""
	}
	return hash
}
