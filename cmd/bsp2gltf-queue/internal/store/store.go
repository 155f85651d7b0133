package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file:///folder
	"gocloud.dev/gcerrors"
	"gocloud.dev/gcp"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// FolderOf returns the path on disk of a folder of outputs. Ok is false if the folder is in a remote store.
//
// A file:// URL is written to directly as a folder, so that the next batch or worker removes what a killed one leaves there.
func FolderOf(out string) (dir string, ok bool) {
	if !batch.IsURL(out) {
		return out, true
	}
	u, err := url.Parse(out)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// plain returns a URL without its parameters, for messages.
func plain(name string) string { return strings.SplitN(name, "?", 2)[0] }

// buckets holds the open buckets. It is safe for concurrent use.
type buckets struct {
	mu  sync.Mutex
	all map[string]*blob.Bucket
}

// Split divides the URL of a file or folder into the URL of its bucket and its key there.
func Split(name string) (bucket, key string, err error) {
	u, err := url.Parse(name)
	if err != nil {
		return "", "", fmt.Errorf("%.200q is no URL: %w", name, limit.ErrUsage)
	}
	if u.User != nil {
		return "", "", fmt.Errorf("%s: no user or password in a URL: the environment or its files have them: %w", u.Host, limit.ErrUsage)
	}
	switch u.Scheme {
	case "s3", "gs", "azblob":
		if u.Host == "" {
			return "", "", fmt.Errorf("%.200q names no bucket: %w", name, limit.ErrUsage)
		}
		return u.Scheme + "://" + u.Host + "?" + u.RawQuery, strings.Trim(u.Path, "/"), nil
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
	return "", "", fmt.Errorf("%.200q is no s3://bucket/folder, gs://bucket/folder, azblob://container/folder or file:///folder: %w", name, limit.ErrUsage)
}

// open returns the bucket at a URL.
func (s *buckets) open(ctx context.Context, bucket string) (*blob.Bucket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.all[bucket]; b != nil {
		return b, nil
	}
	// A library prints that there are no credentials, and goes on.
	_, emulated := os.LookupEnv("STORAGE_EMULATOR_HOST")
	if strings.HasPrefix(bucket, "gs://") && !emulated && !strings.Contains(bucket, "anonymous=") {
		if _, err := gcp.DefaultCredentials(ctx); err != nil {
			return nil, storeError(bucket, err, limit.ErrInput)
		}
	}
	// Another one prints that it falls back to the first version of EC2's metadata, which is as old as 2019.
	if _, set := os.LookupEnv(firstMetadata); !set {
		_ = os.Setenv(firstMetadata, "true") // the name is valid
	}
	b, err := blob.OpenBucket(ctx, quiet(bucket))
	if err != nil {
		return nil, storeError(bucket, err, limit.ErrUsage)
	}
	if s.all == nil {
		s.all = map[string]*blob.Bucket{}
	}
	s.all[bucket] = b
	return b, nil
}

// firstMetadata is AWS's variable that switches off the fallback.
const firstMetadata = "AWS_EC2_METADATA_V1_DISABLED"

// quiet returns the URL of a bucket of S3 with a parameter for AWS's library. Otherwise it prints a line on standard error for each file
// that was stored without a checksum.
func quiet(bucket string) string {
	const parameter = "response_checksum_validation="
	if !strings.HasPrefix(bucket, "s3://") || strings.Contains(bucket, parameter) {
		return bucket
	}
	return bucket + "&" + parameter + "when_required"
}

func (s *buckets) close() {
	for _, b := range s.all {
		_ = b.Close() // its writers are closed already
	}
}

// folder returns the bucket of a folder and the prefix of the keys in the folder.
func (s *buckets) folder(ctx context.Context, name string) (*blob.Bucket, string, error) {
	u, query, _ := strings.Cut(name, "?")
	u = strings.TrimSuffix(u, "/") + "/"
	if query != "" {
		u += "?" + query
	}
	bucket, key, err := Split(u)
	if err != nil {
		return nil, "", err
	}
	b, err := s.open(ctx, bucket)
	if key != "" {
		key += "/"
	}
	return b, key, err
}

// Codes of S3 for requests that it would refuse again: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. Servers
// other than Amazon's have codes of their own, mostly with the same statuses.
var (
	wrong  = []string{"EntityTooLarge", "InvalidURI", "KeyTooLongError", "InvalidBucketName"}
	denied = []string{"AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AllAccessDisabled",
		"Forbidden", "AuthorizationHeaderMalformed", "XAdminUserNotFound"} // the last one is versitygw's
	full = []string{"InsufficientStorage", "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"} // Ceph's, MinIO's
)

// refusal returns the code of S3 in a store's error, and what the error means if it will not pass: a kind of limit, fs.ErrPermission, or
// syscall.ENOSPC for a store that is full.
func refusal(err error) (code string, kind error) {
	var answer interface{ ErrorCode() string }
	if errors.As(err, &answer) {
		code = answer.ErrorCode()
	}
	status := 0
	var response interface{ HTTPStatusCode() int }
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	switch {
	case slices.Contains(full, code) || status == http.StatusInsufficientStorage:
		return code, syscall.ENOSPC
	case slices.Contains(wrong, code):
		return code, limit.ErrLimit
	case slices.Contains(denied, code) || lacks(err) != "" || status == http.StatusUnauthorized || status == http.StatusForbidden ||
		gcerrors.Code(err) == gcerrors.PermissionDenied:
		return code, fs.ErrPermission
	}
	return code, nil
}

// lacking says what was not given, by a part of the libraries' errors.
var lacking = [][2]string{
	{"get identity: get credentials", "there are no credentials: AWS's variables or files have them"},
	{"could not find default credentials", "there are no credentials: GOOGLE_APPLICATION_CREDENTIALS names a file"},
	{"Invalid region", "no region is given: add ?region=NAME, or set AWS_REGION"},
	{"AccountName is required", "no account is given: AZURE_STORAGE_ACCOUNT names it"},
}

// lacks returns what was not given if that is the reason for an error, or "".
func lacks(err error) string {
	for _, l := range lacking {
		if strings.Contains(err.Error(), l[0]) {
			return l[1]
		}
	}
	return ""
}

// storeError wraps a store's error with its kind. It distinguishes a missing file, refused credentials, an unreachable store, a full one,
// and a size or a key that the store does not take.
func storeError(name string, err error, kind error) error {
	code, refused := refusal(err)
	switch {
	case lacks(err) != "":
		err = &told{lacks(err), fs.ErrPermission, err}
	case gcerrors.Code(err) == gcerrors.NotFound && code == "NoSuchBucket":
		err = &told{"there is no such bucket", fs.ErrNotExist, err}
	case gcerrors.Code(err) == gcerrors.NotFound:
		err = &told{"is not there", fs.ErrNotExist, err}
	case errors.Is(refused, syscall.ENOSPC):
		err = &told{syscall.ENOSPC.Error() + brackets(code), syscall.ENOSPC, err}
	case errors.Is(refused, fs.ErrPermission):
		err = &told{"the store refuses the credentials" + brackets(code), fs.ErrPermission, err}
	default:
		kind = cmp.Or(refused, kind)
		err = &told{cause(err), kind, err}
	}
	return fmt.Errorf("%.300s: %w: %w", plain(name), kind, err)
}

func brackets(code string) string {
	if code == "" {
		return ""
	}
	return " (" + code + ")"
}

// told is an error with a text of its own, of a kind, that wraps a store's.
type told struct {
	text string
	kind error
	err  error
}

func (e *told) Error() string   { return e.text }
func (e *told) Unwrap() []error { return []error{e.kind, e.err} }

// cause returns the innermost text of a store's error, without the names of calls and requests.
func cause(err error) string {
	var answer interface {
		ErrorCode() string
		ErrorMessage() string
	}
	if errors.As(err, &answer) {
		return strings.TrimSuffix(answer.ErrorCode()+": "+answer.ErrorMessage(), ": ")
	}
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Error()
	}
	return err.Error()
}

// fetchKey copies a file from a store to disk. It fails with ErrLimit if the file is larger than most bytes.
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
		return fmt.Errorf("%w: %w", limit.ErrWrite, err)
	}
	f, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("%w: %w", limit.ErrWrite, err)
	}
	_, err = io.Copy(f, io.LimitReader(r, most))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	var local *fs.PathError
	switch {
	case err == nil:
	case errors.As(err, &local):
		err = fmt.Errorf("%s: %w: %w", local.Path, limit.ErrWrite, local.Err)
	default:
		err = storeError(key, err, limit.ErrInput)
	}
	return err
}

// write writes a file to a store, which then has all of it or nothing.
func write(ctx context.Context, b *blob.Bucket, key, from string) error {
	f, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := reader(func(p []byte) (int, error) {
		n, err := f.Read(p)
		if err != nil && err != io.EOF {
			cancel() // otherwise some stores keep what was read
		}
		return n, err
	})
	if err := b.Upload(ctx, key, all, &blob.WriterOptions{ContentType: batch.ContentType(key)}); err != nil {
		return storeError(key, err, limit.ErrWrite)
	}
	return nil
}

// reader is a function as an io.Reader.
type reader func([]byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

// sumOf returns the SHA-256 of a file in a store.
func sumOf(ctx context.Context, b *blob.Bucket, key string) (string, error) {
	r, err := b.NewReader(ctx, key, nil)
	if err != nil {
		return "", storeError(key, err, limit.ErrWrite)
	}
	defer func() { _ = r.Close() }() // only read
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", storeError(key, err, limit.ErrWrite)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
