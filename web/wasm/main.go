//go:build js

// Command wasm is the converter in the page of package web. It runs in a worker, once for each conversion.
//
// The worker passes the job as bsp2gltf.args: FORMAT PRESET MAP [GAME...], with paths below /in in its file system (worker.js). They
// are no arguments of a command line, which may have 12 KB here. It receives the output and the report through functions of the
// object bsp2gltf:
//
//	bsp2gltf.stage(name)     a stage begins
//	bsp2gltf.items(items, done, of)    an image or a page of light is done
//	bsp2gltf.data(bytes)     the next bytes of the output
//	bsp2gltf.report(json)    the report; also before an error
//	bsp2gltf.fail(message)   the reason for no output
//
// With the format "maps" the arguments are all files, and it lists the maps among them and in their archives, as ARCHIVE:MEMBER,
// through bsp2gltf.maps.
package main

import (
	"context"
	"encoding/json"
	"path"
	"strings"
	"syscall/js"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

var page = js.Global().Get("bsp2gltf")

func main() {
	var args []string
	for i := range page.Get("args").Length() {
		args = append(args, page.Get("args").Index(i).String())
	}
	if len(args) > 0 && args[0] == "maps" {
		page.Call("maps", list(args[1:]))
		return
	}
	if len(args) < 3 {
		page.Call("fail", "the worker was given too few arguments")
		return
	}
	if err := run(args[0], args[1], args[2], args[3:]); err != nil {
		page.Call("fail", strings.ReplaceAll(limit.Plain(err.Error()), "/in/", ""))
	}
}

// run converts a map.
func run(format, preset, in string, games []string) error {
	layers := []pipeline.Layer{pipeline.GameLayer(games...), pipeline.SetLayer("game.steam=false")}
	if preset != "" {
		layer, err := pipeline.PresetLayer(preset)
		if err != nil {
			return err
		}
		layers = append([]pipeline.Layer{layer}, layers...)
	}
	config, err := pipeline.Load(layers...)
	if err != nil {
		return err
	}
	ctx := invocation.With(context.Background(), invocation.Call{Unhashed: true})
	report, err := convert.Run(ctx, convert.Job{
		Pipeline: config.Pipeline, In: in, Out: "-", Format: format, Stdout: output{},
		Progress: func(p convert.Progress) {
			if p.Stage != "" {
				page.Call("stage", p.Stage)
			} else {
				page.Call("items", p.Items, p.Done, p.Of)
			}
		},
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

// list returns the maps among the files and in their archives, and what is wrong with archives that can't be read.
func list(files []string) map[string]any {
	var maps, problems []any
	problem := func(file, what string) {
		problems = append(problems, path.Base(file)+": "+strings.ReplaceAll(limit.Plain(what), "/in/", ""))
	}
	for _, file := range files {
		switch {
		case inputfile.IsMap(file):
			maps = append(maps, file)
		case inputfile.Foreign(file) != "":
			problem(file, "is "+inputfile.Foreign(file))
		case inputfile.MayHoldMaps(file):
			members, err := assets.Maps(context.Background(), file)
			if err != nil {
				problem(file, strings.TrimPrefix(err.Error(), file+": "))
			}
			for _, m := range members {
				maps = append(maps, file+":"+m.Name)
			}
		}
	}
	return map[string]any{"maps": maps, "problems": problems}
}
