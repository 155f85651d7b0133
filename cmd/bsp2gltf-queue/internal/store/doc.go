// Package store reaches maps, game folders and outputs in stores: S3, Google Cloud Storage, Azure Blob Storage, and folders by
// file:// URLs.
//
// A batch without a queue keeps its records there, too. A store has no files that grow, and no locks. So each process writes manifests of
// its own, with a name that no other process has, and reads those of all. What it has converted counts once its manifest is stored.
package store
