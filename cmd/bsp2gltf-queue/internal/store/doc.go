// Package store accesses maps, game folders and outputs in stores: S3, Google Cloud Storage, Azure Blob Storage, and
// folders named by file:// URLs.
//
// A batch without a queue also keeps its records there. In a store, files can't grow and there are no locks. So each
// process writes manifests of its own, under names that no other process has, and reads the manifests of all. A
// conversion counts once its manifest is stored.
package store
