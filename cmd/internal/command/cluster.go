package command

import (
	"os"
	"path/filepath"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/handover"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// cluster returns the functions for queues and stores. A program without them starts bsp2gltf-queue instead.
func (a *app) cluster() (*jobs.Engine, error) {
	if a.engine == nil {
		return nil, handover.To(bsp2gltf.Version, a.words)
	}
	if from := os.Getenv(handover.Env); from != "" && from != bsp2gltf.Version {
		return nil, usagef("this bsp2gltf-queue is of version %s, bsp2gltf of %s: install both from one release", bsp2gltf.Version,
			human.Clean(from, 40))
	}
	return a.engine, nil
}

// scratchFolder returns the folder for fetched files, by default in the user's cache.
func scratchFolder(dir string) string {
	if dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "bsp2gltf-worker")
}

// reads returns the files and folders that options name.
func reads(options string) ([]string, error) {
	c, err := pipeline.Load(pipeline.FileLayer("options", []byte(options)))
	if err != nil {
		return nil, err
	}
	names := c.Pipeline.Game.Paths
	if c.Pipeline.Game.Palette != "" {
		names = append(names, c.Pipeline.Game.Palette)
	}
	return names, nil
}

// withGames returns the options with game folders before those that they have.
func withGames(options string, game []string) (string, error) {
	c, err := pipeline.Load(pipeline.FileLayer("options", []byte(options)), pipeline.GameLayer(game...))
	if err != nil {
		return "", err
	}
	return pipelineText(c.Pipeline)
}
