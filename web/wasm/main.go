//go:build js

// Command wasm is the converter in the page of package web. It runs in a worker, once for each conversion.
//
// The worker passes the job as the arguments FORMAT PRESET MAP [GAME...], with paths below /in in its file system (worker.js),
// and receives the output and the report through functions of the object bsp2gltf:
//
//	bsp2gltf.stage(name)     a stage begins
//	bsp2gltf.items(items, done, of)    an image or a page of light is done
//	bsp2gltf.data(bytes)     the next bytes of the output
//	bsp2gltf.report(json)    the report; also before an error
//	bsp2gltf.fail(message)   the reason for no output
//
// With the format "maps" it lists the maps in the archives among the games, as ARCHIVE:MEMBER, through
// bsp2gltf.maps.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path"
	"strings"
	"syscall/js"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

var page = js.Global().Get("bsp2gltf")

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "maps" {
		page.Call("maps", list(args[1:]))
		return
	}
	if len(args) < 3 {
		page.Call("fail", "the worker was given too few arguments")
		return
	}
	if err := run(args[0], args[1], args[2], args[3:]); err != nil {
		page.Call("fail", strings.ReplaceAll(err.Error(), "/in/", ""))
	}
}

// run converts a map.
func run(format, preset, in string, games []string) error {
	layers := []pipeline.Layer{pipeline.GameLayer(games...), convert.SetLayer("game.steam=false")}
	if preset != "" {
		layer, err := convert.PresetLayer(preset)
		if err != nil {
			return err
		}
		layers = append([]pipeline.Layer{layer}, layers...)
	}
	config, err := convert.Load(layers...)
	if err != nil {
		return err
	}
	report, err := convert.Run(context.Background(), convert.Job{
		Pipeline: config.Pipeline, In: in, Out: "-", Format: format, Unhashed: true, Stdout: output{},
		Progress: func(stage string) { page.Call("stage", stage) },
		Count:    func(items string, done, of int) { page.Call("items", items, done, of) },
	})
	if report != nil {
		if text, err := json.Marshal(report); err == nil {
			page.Call("report", string(text))
		}
	}
	return err
}

// output passes bytes to the page.
type output struct{}

func (output) Write(b []byte) (int, error) {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	page.Call("data", array)
	return len(b), nil
}

// list returns the maps in the archives, and the errors of archives that can't be read.
func list(archives []string) map[string]any {
	var maps, problems []any
	for _, archive := range archives {
		members, err := assets.Maps(archive, limit.NewBudget(limit.Limits{}))
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			problems = append(problems, path.Base(archive)+": "+strings.ReplaceAll(err.Error(), "/in/", ""))
		}
		for _, m := range members {
			maps = append(maps, archive+":"+m.Name)
		}
	}
	return map[string]any{"maps": maps, "problems": problems}
}
