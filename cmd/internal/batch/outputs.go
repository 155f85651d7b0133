package batch

import (
	"context"
	"io/fs"
	"os"
	"strings"
)

// Outputs is where a batch puts outputs, their records and their pictures: a folder, or a folder of a store. It is safe for concurrent
// use.
type Outputs interface {
	// Manifests returns the names of the manifests of all shards.
	Manifests(ctx context.Context) ([]string, error)
	// Manifest opens one of them.
	Manifest(name string) (*os.File, error)
	// Add stores a record. When it returns, the record is safe.
	Add(ctx context.Context, r *Record) error
	// Unchanged reports whether a file exists and matches its record. With verify its content is compared.
	Unchanged(ctx context.Context, f *File, verify bool) bool
	// Same reports whether two names refer to the same existing file.
	Same(a, b string) bool
	// Place prepares a folder where a worker process writes an output.
	Place(output string) (*Place, error)
	// Keep completes an output that a worker process has written: the files, the main file last. It returns their descriptions.
	Keep(ctx context.Context, p *Place, written []string) ([]File, error)
	// Picture keeps the picture of an output. If data is empty, it removes an earlier one.
	Picture(ctx context.Context, output string, data []byte)
	// Pictured returns the picture of an output as a data: URL, or "".
	Pictured(output string) string
	// Whole returns an error if something that was kept since the batch began no longer exists.
	Whole() error
	// Tidy removes remains of failed outputs and of killed processes.
	Tidy(failed []*Record)
	Close()
}

// Place is where a worker process writes an output.
type Place struct {
	Output string   // the main file, relative to the folder of outputs
	Out    string   // its path for the worker process
	Folder *os.File // the folder that Out is relative to, which the worker process inherits; nil if Out is absolute
	Done   func()   // removes files that the worker process may have left, after the output was kept or has failed
}

// Stores accesses maps, game folders and outputs in stores.
type Stores interface {
	// List returns the maps that a URL names, or its models. For models it fetches the folder around them.
	List(ctx context.Context, url string, models bool) ([]Input, error)
	// Fetch returns the path of a copy of an input on this machine, and a function that removes it. It fails with
	// ErrLimit if the input is larger than most bytes.
	Fetch(ctx context.Context, in *Input, most int64) (name string, done func(), err error)
	// Game returns the path of a copy of a game folder.
	Game(ctx context.Context, url string) (string, error)
	// Outputs opens a folder of outputs. If write is false, nothing can be added.
	Outputs(ctx context.Context, url string, s Shard, write bool) (Outputs, error)
	Close()
}

// IsURL reports whether a name is the URL of a store rather than a path.
func IsURL(name string) bool {
	for _, scheme := range []string{"s3://", "gs://", "azblob://", "file://"} {
		if strings.HasPrefix(name, scheme) {
			return true
		}
	}
	return false
}

// nothing stands for a folder of outputs that does not exist yet, in a batch that only plans.
type nothing struct{}

func (nothing) Manifests(context.Context) ([]string, error)            { return nil, nil }
func (nothing) Manifest(string) (*os.File, error)                      { return nil, fs.ErrNotExist }
func (nothing) Add(context.Context, *Record) error                     { return fs.ErrPermission }
func (nothing) Unchanged(context.Context, *File, bool) bool            { return false }
func (nothing) Same(string, string) bool                               { return false }
func (nothing) Place(string) (*Place, error)                           { return nil, fs.ErrPermission }
func (nothing) Keep(context.Context, *Place, []string) ([]File, error) { return nil, fs.ErrPermission }
func (nothing) Picture(context.Context, string, []byte)                {}
func (nothing) Pictured(string) string                                 { return "" }
func (nothing) Whole() error                                           { return nil }
func (nothing) Tidy([]*Record)                                         {}
func (nothing) Close()                                                 {}
