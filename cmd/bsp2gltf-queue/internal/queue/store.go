package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file:///folder
	"gocloud.dev/gcerrors"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// folderOf returns the path on disk of a folder of outputs. Ok is false if the folder is in a remote store.
//
// A file:// URL is written to directly as a folder, so that the next worker removes what a killed worker leaves there.
func folderOf(out string) (dir string, ok bool) {
	if !jobs.IsURL(out) {
		return out, true
	}
	u, err := url.Parse(out)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// stores holds the open buckets. It is safe for concurrent use.
type stores struct {
	mu  sync.Mutex
	all map[string]*blob.Bucket
}

// split divides the URL of a file or folder into the URL of its bucket and its key there.
func split(name string) (bucket, key string, err error) {
	u, err := url.Parse(name)
	if err != nil {
		return "", "", fmt.Errorf("%.200q is no URL: %w", name, limit.ErrUsage)
	}
	if u.User != nil {
		return "", "", fmt.Errorf("%s: no user or password in a URL: the environment or its files have them: %w", u.Host, limit.ErrUsage)
	}
	switch u.Scheme {
	case "s3":
		return "s3://" + u.Host + "?" + u.RawQuery, strings.Trim(u.Path, "/"), nil
	case "file":
		if u.RawQuery != "" || u.Host != "" && u.Host != "localhost" {
			return "", "", fmt.Errorf("%.200q is no file:///folder: %w", name, limit.ErrUsage)
		}
		dir, base := doublestar.SplitPattern(u.Path)
		if strings.HasSuffix(u.Path, "/") {
			dir, base = u.Path, ""
		}
		return (&url.URL{Scheme: "file", Path: dir, RawQuery: "metadata=skip"}).String(), base, nil
	}
	return "", "", fmt.Errorf("%.200q is neither s3://bucket/folder nor file:///folder: %w", name, limit.ErrUsage)
}

// open returns the bucket at a URL.
func (s *stores) open(ctx context.Context, bucket string) (*blob.Bucket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.all[bucket]; b != nil {
		return b, nil
	}
	b, err := blob.OpenBucket(ctx, bucket)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", bucket, limit.ErrInput, err)
	}
	if s.all == nil {
		s.all = map[string]*blob.Bucket{}
	}
	s.all[bucket] = b
	return b, nil
}

func (s *stores) close() {
	for _, b := range s.all {
		_ = b.Close() // its writers are closed already
	}
}

// folder returns the bucket of a folder and the prefix of the keys in the folder.
func (s *stores) folder(ctx context.Context, name string) (*blob.Bucket, string, error) {
	u, query, _ := strings.Cut(name, "?")
	u = strings.TrimSuffix(u, "/") + "/"
	if query != "" {
		u += "?" + query
	}
	bucket, key, err := split(u)
	if err != nil {
		return nil, "", err
	}
	b, err := s.open(ctx, bucket)
	if key != "" {
		key += "/"
	}
	return b, key, err
}

// refusals lists the codes of S3 for requests that it would refuse again:
// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
var refusals = []string{"EntityTooLarge", "InvalidURI", "KeyTooLongError"}

// storeError wraps a store's error with its kind. It distinguishes a missing file, an unreachable store, and a size or a key that
// the store does not take.
func storeError(name string, err error, kind error) error {
	var answer interface{ ErrorCode() string }
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		kind = limit.ErrInput
		err = errors.New("is not there")
	case errors.As(err, &answer) && slices.Contains(refusals, answer.ErrorCode()):
		kind = limit.ErrLimit
	}
	return fmt.Errorf("%.300s: %w: %w", strings.SplitN(name, "?", 2)[0], kind, err)
}

// fetch copies a file from a store to disk. It fails with ErrLimit if the file is larger than most bytes.
func (s *stores) fetch(ctx context.Context, name, to string, most int64) error {
	bucket, key, err := split(name)
	if err != nil {
		return err
	}
	b, err := s.open(ctx, bucket)
	if err != nil {
		return err
	}
	return fetchKey(ctx, b, key, to, most)
}

func fetchKey(ctx context.Context, b *blob.Bucket, key, to string, most int64) (err error) {
	r, err := b.NewReader(ctx, key, nil)
	if err != nil {
		return storeError(key, err, limit.ErrInput)
	}
	defer func() { _ = r.Close() }() // only read
	if err := limit.Check("MaxFile", most, r.Size()); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(r, most))
	if err != nil {
		err = storeError(key, err, limit.ErrInput)
	}
	return errors.Join(err, f.Close())
}

// put writes a file to a store. It keeps an existing file with the same content and replaces one with other content,
// which comes from an earlier version or other options.
func put(ctx context.Context, b *blob.Bucket, key, from, sum string) error {
	err := write(ctx, b, key, from, true)
	if gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return err
	}
	if same, err := holds(ctx, b, key, from, sum); err != nil || same {
		return err
	}
	return write(ctx, b, key, from, false)
}

func write(ctx context.Context, b *blob.Bucket, key, from string, ifNotExist bool) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(ctx) // cancelled before Close, the writer stores nothing
	defer cancel()
	w, err := b.NewWriter(ctx, key, &blob.WriterOptions{IfNotExist: ifNotExist, ContentType: batch.ContentType(key)})
	if err != nil {
		return storeError(key, err, limit.ErrWrite)
	}
	if _, err := io.Copy(w, f); err != nil {
		cancel()
		_ = w.Close() // it only reports the cancellation
		return storeError(key, err, limit.ErrWrite)
	}
	if err := w.Close(); err != nil {
		if gcerrors.Code(err) == gcerrors.FailedPrecondition {
			return err
		}
		return storeError(key, err, limit.ErrWrite)
	}
	return nil
}

// holds reports whether a file in a store has the same content as one on disk.
func holds(ctx context.Context, b *blob.Bucket, key, from, sum string) (bool, error) {
	info, err := os.Stat(from)
	if err != nil {
		return false, err
	}
	r, err := b.NewReader(ctx, key, nil)
	if err != nil {
		return false, storeError(key, err, limit.ErrWrite)
	}
	defer func() { _ = r.Close() }() // only read
	if r.Size() != info.Size() {
		return false, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return false, storeError(key, err, limit.ErrWrite)
	}
	return hex.EncodeToString(h.Sum(nil)) == sum, nil
}

// List returns the maps that a URL names. The URL is a file, a folder with everything below it, or a pattern with *
// and **.
func List(ctx context.Context, name string) ([]jobs.Found, error) {
	var s stores
	defer s.close()
	bucket, key, err := split(name)
	if err != nil {
		return nil, err
	}
	b, err := s.open(ctx, bucket)
	if err != nil {
		return nil, err
	}
	pattern := key
	base, rest := doublestar.SplitPattern(key)
	switch {
	case strings.ContainsAny(rest, "*[{"):
	case strings.EqualFold(path.Ext(key), ".bsp"):
		base = path.Dir(key)
	default:
		base, pattern = key, path.Join(key, "**/*.bsp")
	}
	prefix := strings.TrimPrefix(base+"/", "./")
	if prefix == "/" {
		prefix = ""
	}
	var all []jobs.Found
	for list := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, storeError(name, err, limit.ErrInput)
		}
		if ok, _ := doublestar.Match(pattern, o.Key); !ok || o.IsDir || !strings.EqualFold(path.Ext(o.Key), ".bsp") {
			continue
		}
		u, _, _ := strings.Cut(name, "?")
		at := strings.TrimSuffix(u, key) + (&url.URL{Path: o.Key}).EscapedPath()
		if _, query, ok := strings.Cut(name, "?"); ok {
			at += "?" + query
		}
		identity := fmt.Sprintf("%s %d %x %d", at, o.Size, o.MD5, o.ModTime.UnixNano())
		all = append(all, jobs.Found{URL: at, Rel: strings.TrimPrefix(o.Key, prefix), Size: o.Size, Identity: identity})
	}
	slices.SortFunc(all, func(a, b jobs.Found) int { return strings.Compare(a.Rel, b.Rel) })
	return all, nil
}
