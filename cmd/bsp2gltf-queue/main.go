// Command bsp2gltf-queue is bsp2gltf with queues on NATS JetStream and stores on S3, Google Cloud and Azure. bsp2gltf
// starts it for commands that need them.
package main

import (
	_ "gocloud.dev/blob/azureblob" // azblob://container/folder
	_ "gocloud.dev/blob/gcsblob"   // gs://bucket/folder
	_ "gocloud.dev/blob/s3blob"    // s3://bucket/folder

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/command"
)

func main() { command.Main(queue.Engine()) }
