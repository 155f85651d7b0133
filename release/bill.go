package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// bom holds the fields of a CycloneDX 1.6 document (ECMA-424) that we fill.
type bom struct {
	Schema       string      `json:"$schema"`
	Format       string      `json:"bomFormat"`
	SpecVersion  string      `json:"specVersion"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []dependsOn `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type     string    `json:"type"`
	Ref      string    `json:"bom-ref"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Licences []licence `json:"licenses,omitempty"`
	PURL     string    `json:"purl,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
}

type licenceID struct {
	ID string `json:"id"`
}

type licence struct {
	Licence licenceID `json:"license"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type dependsOn struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// ours is the module that every program contains.
const ours = "github.com/bsp2gltf/bsp2gltf"

// bill writes the bill of materials of a program. It uses the module list that Go wrote into the program, which states what it contains,
// unlike go.mod. (cyclonedx-gomod bin does the same, with the time of the day in it.)
func (r *release) bill(program, to string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	name := path.Base(info.Path)
	version := strings.TrimPrefix(info.GoVersion, "go")
	parts := map[string]component{"go": {Type: "library", Ref: "go", Name: "std", Version: version,
		Licences: []licence{{licenceID{"BSD-3-Clause"}}}, PURL: "pkg:golang/std@" + version}}
	for _, m := range info.Deps {
		c, err := module(m)
		if m.Path == ours { // of this commit, in the program with queues
			purl := "pkg:golang/" + ours + "@v" + r.version
			c, err = component{Type: "library", Ref: purl, Name: ours, Version: "v" + r.version, Licences: []licence{{licenceID{"MIT"}}}, PURL: purl}, nil
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", program, m.Path, err)
		}
		parts[c.Ref] = c
	}
	purl := "pkg:golang/" + ours + "@v" + r.version
	if name != "bsp2gltf" {
		purl = "pkg:golang/" + ours + "/cmd/" + name + "@v" + r.version
	}
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{
			Timestamp: r.date.Format(time.RFC3339),
			Component: component{Type: "application", Ref: purl, Name: name, Version: r.version, Licences: []licence{{licenceID{"MIT"}}},
				PURL: purl},
		},
	}
	refs := slices.Sorted(maps.Keys(parts))
	for _, ref := range refs {
		b.Components = append(b.Components, parts[ref])
	}
	b.Dependencies = []dependsOn{{purl, refs}}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(data, '\n'), 0o644)
}

// module returns a module of a program as a component. Its hash is that of go.sum: the SHA-256 of the list of its
// files' hashes.
func module(m *debug.Module) (component, error) {
	if m.Replace != nil {
		return component{}, errors.New("it is replaced, which a release must not be")
	}
	sum, ok := strings.CutPrefix(m.Sum, "h1:")
	bytes, err := base64.StdEncoding.DecodeString(sum)
	if !ok || err != nil {
		return component{}, fmt.Errorf("%q is no sum of a module", m.Sum)
	}
	purl := "pkg:golang/" + m.Path + "@" + m.Version
	return component{Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl,
		Hashes: []hash{{"SHA-256", hex.EncodeToString(bytes)}}}, nil
}
