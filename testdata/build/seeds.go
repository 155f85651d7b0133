package main

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/phy"
)

// seeds returns files from which .ci/mutants.py makes mutants and which testdata does without: the gate in each version of Source's
// models, with its animations in a file of their own and with its physics, and a packed map.
func seeds() map[string][]byte {
	made := map[string][]byte{}
	for version := int32(44); version <= 49; version++ {
		m, name := gate(), fmt.Sprintf("gate%d", version)
		m.Version, m.File, m.Animations[1].Block = version, "models/"+name+".ani", 1
		for ext, data := range m.Files() {
			made["models/"+name+ext] = data
		}
		made["models/"+name+".phy"] = phy.File(phy.Solid{Bone: "post", Mins: p3{-2, -2, 0}, Maxs: p3{2, 2, 64}},
			phy.Solid{Bone: "leaf", Mins: p3{-1, 2, 8}, Maxs: p3{1, 42, 56}})
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(demoFile()); err != nil {
		fatal(err)
	}
	if err := w.Close(); err != nil {
		fatal(err)
	}
	made["maps/demo.bsp.gz"] = packed.Bytes()
	return made
}
