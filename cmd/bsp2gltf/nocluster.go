//go:build nocluster

package main

import (
	"context"

	"github.com/spf13/cobra"
)

// addCluster adds nothing: this program was built without queues.
func (a *app) addCluster(*cobra.Command, *batchFlags) {}

// addQueueWorker adds nothing.
func (a *app) addQueueWorker(*cobra.Command) func(context.Context) error {
	return func(context.Context) error {
		return usagef("a worker is started by bsp2gltf batch; this program was built without queues (-tags nocluster)")
	}
}
