package bsp2gltf_test

import (
	"os"
	"regexp"
	"testing"
)

// The library's importers get no queue and no cloud: those belong to the module cmd/bsp2gltf-queue.
func TestLibraryNeedsNoQueue(t *testing.T) {
	foreign := regexp.MustCompile(`(?m)^.*(nats-io|gocloud|aws|google\.golang\.org|opentelemetry).*$`)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range foreign.FindAllString(string(text), -1) {
			t.Errorf("%s: %s", name, line)
		}
	}
}
