package main

import (
	"context"
	"os"
	"path/filepath"
)

// queues reports whether the program with queues is released for a target: only for Linux, because clusters run Linux. Users of
// other systems can build it.
func (t target) queues() bool { return t.goos == "linux" }

// builtQueue returns the path at which a target's program with queues is built.
func (r *release) builtQueue(t target) string {
	return filepath.Join(filepath.Dir(r.built(t)), "bsp2gltf-queue")
}

// queues builds the program with queues and packs it in separate archives, because it is three times as large as the
// other program.
func (r *release) queues(ctx context.Context) error {
	licence, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	licences, err := r.licences(ctx, queueFolder)
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		if !t.queues() {
			continue
		}
		if err := r.build(ctx, t, queueFolder, r.builtQueue(t)); err != nil {
			return err
		}
		data, err := os.ReadFile(r.builtQueue(t))
		if err != nil {
			return err
		}
		stem := "bsp2gltf-queue-" + r.version + "-" + t.name()
		err = r.pack(archiveName(stem, t), []file{
			{name: stem + "/bsp2gltf-queue", data: data, program: true},
			{name: stem + "/LICENSE", data: licence},
			{name: stem + "/THIRD-PARTY-LICENSES.txt", data: licences},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
