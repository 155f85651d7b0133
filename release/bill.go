package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
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

// bill writes the bills of materials of the program and of the program with queues.
func (r *release) bill(context.Context) error {
	var programs, queues []string
	for _, t := range r.targets {
		programs = append(programs, r.built(t))
		if t.queues() {
			queues = append(queues, r.builtQueue(t))
		}
	}
	if err := r.billOf("bsp2gltf", programs); err != nil || len(queues) == 0 {
		return err
	}
	return r.billOf("bsp2gltf-queue", queues)
}

// billOf writes the bill of a program that was built for several systems. It uses the module list that Go wrote into the
// programs, which states what they contain, unlike go.mod. Systems differ in a module or two; the bill names the modules of all.
func (r *release) billOf(name string, programs []string) error {
	parts := map[string]component{}
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p)
		if err != nil {
			return err
		}
		parts["go"] = component{Type: "library", Ref: "go", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
			Licences: []licence{{licenceID{"BSD-3-Clause"}}}, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")}
		for _, m := range info.Deps {
			if m.Path == ours { // of this commit
				purl := "pkg:golang/" + ours + "@v" + r.version
				parts[purl] = component{Type: "library", Ref: purl, Name: ours, Version: "v" + r.version,
					Licences: []licence{{licenceID{"MIT"}}}, PURL: purl}
				continue
			}
			c, err := module(m)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", p, m.Path, err)
			}
			parts[c.Ref] = c
		}
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
	return writeJSON(filepath.Join(r.out, name+"-"+r.version+".cdx.json"), b)
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

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// checksums writes SHA256SUMS of all files so far, in the format that sha256sum -c reads.
func (r *release) checksums(context.Context) error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, e := range entries {
		if e.IsDir() || e.Name() == mark {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		r.files[e.Name()] = hex.EncodeToString(sum[:])
		fmt.Fprintf(&list, "%s  %s\n", r.files[e.Name()], e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(list.String()), 0o644)
}
