package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"

	"github.com/bonafide-id/bonafide/internal/trace"
)

// ErrNoBlob means that there is no blob of that name.
var ErrNoBlob = errors.New("no such blob")

// ErrDamaged means that a blob is not what was written, or was not written under its name and key.
var ErrDamaged = errors.New("the blob is damaged")

// Blobs is a bucket of encrypted blobs.
type Blobs struct {
	bucket *blob.Bucket
	local  bool // on a file system
}

// bucketDefaults are the URL parameters that each kind of bucket needs here. Files go beside their final place
// (a rename across file systems is a copy) and carry no side files; S3 servers other than Amazon's want the
// address in the path and checksums only where they are required.
var bucketDefaults = map[string]map[string]string{
	"file": {"no_tmp_dir": "true", "metadata": "skip", "create_dir": "true", "dir_file_mode": "0700"},
	"s3": {
		"use_path_style": "true", "response_checksum_validation": "when_required",
		"request_checksum_calculation": "when_required",
	},
}

// OpenBlobs opens file://DIR or s3://BUCKET?region=…&endpoint=…; credentials for S3 come from the environment.
func OpenBlobs(ctx context.Context, where string) (*Blobs, error) {
	u, err := url.Parse(where)
	if err != nil {
		return nil, errors.New("blobs: not a URL like file:///DIR or s3://BUCKET")
	}
	defaults, ok := bucketDefaults[u.Scheme]
	if !ok {
		return nil, fmt.Errorf("blobs: want file:// or s3://, not %q", u.Scheme)
	}
	q := u.Query()
	for k, v := range defaults {
		if !q.Has(k) {
			q.Set(k, v)
		}
	}
	u.RawQuery = q.Encode()
	b, err := blob.OpenBucket(ctx, u.String())
	if err != nil {
		return nil, fmt.Errorf("open the blobs: %w", err)
	}
	return &Blobs{bucket: b, local: u.Scheme == "file"}, nil
}

// Close releases the bucket.
func (b *Blobs) Close() error { return b.bucket.Close() }

// Check returns an error unless the bucket can be reached and, on a file system, be written to.
func (b *Blobs) Check(ctx context.Context) error {
	ok, err := b.bucket.IsAccessible(ctx)
	if err != nil {
		return fmt.Errorf("reach the blobs: %w", err)
	}
	if !ok {
		return errors.New("the blobs cannot be reached")
	}
	if !b.local {
		return nil
	}
	name := "health/" + rand.Text()
	if err := b.WriteSealed(ctx, name, bytes.NewReader(make([]byte, probeSize))); err != nil {
		return err
	}
	return b.Delete(ctx, name)
}

// probeSize is how many bytes Check writes.
const probeSize = 4096

// Put encrypts and writes a blob. After an error there is no partial blob.
func (b *Blobs) Put(ctx context.Context, k *Keyset, name string, plain []byte) (err error) {
	ctx, span := trace.Start(ctx, "blob put", trace.Size.Is(len(plain)))
	defer span.Close(&err)
	var buf bytes.Buffer
	if err := k.sealBlob(&buf, name, plain); err != nil {
		return err
	}
	opts := &blob.WriterOptions{ContentType: "application/octet-stream"}
	if err := b.bucket.WriteAll(ctx, name, buf.Bytes(), opts); err != nil {
		return fmt.Errorf("write blob: %w", err)
	}
	return nil
}

// Get reads and decrypts a blob. ErrNoBlob if there is none, ErrDamaged if it does not open.
func (b *Blobs) Get(ctx context.Context, k *Keyset, name string) (plain []byte, err error) {
	ctx, span := trace.Start(ctx, "blob get")
	defer span.Close(&err)
	defer func() { span.SetFacts(trace.Size.Is(len(plain))) }()
	sealed, err := b.bucket.ReadAll(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%s: %w", name, ErrNoBlob)
	}
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", err)
	}
	return k.unsealBlob(bytes.NewReader(sealed), name)
}

// OpenSealed opens a blob without decrypting it, and returns its size in bytes. ErrNoBlob if there is none.
func (b *Blobs) OpenSealed(ctx context.Context, name string) (io.ReadCloser, int64, error) {
	r, err := b.bucket.NewReader(ctx, name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, 0, fmt.Errorf("%s: %w", name, ErrNoBlob)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read blob: %w", err)
	}
	return r, r.Size(), nil
}

// WriteSealed writes a blob that is encrypted already. After an error there is no partial blob.
func (b *Blobs) WriteSealed(ctx context.Context, name string, r io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := b.bucket.NewWriter(ctx, name, &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return fmt.Errorf("write blob: %w", err)
	}
	if _, err := io.Copy(w, r); err != nil {
		cancel() // closing would keep half of it
		_ = w.Close()
		return fmt.Errorf("write blob: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("write blob: %w", err)
	}
	return nil
}

// Delete removes a blob. It succeeds if there is none.
func (b *Blobs) Delete(ctx context.Context, name string) (err error) {
	ctx, span := trace.Start(ctx, "blob delete")
	defer span.Close(&err)
	err = b.bucket.Delete(ctx, name)
	if err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return fmt.Errorf("delete blob: %w", err)
	}
	return nil
}

// ListPrefix calls f with the name of every blob that begins with a prefix.
func (b *Blobs) ListPrefix(ctx context.Context, prefix string, f func(name string) error) error {
	return b.list(ctx, prefix, func(o *blob.ListObject) error { return f(o.Key) })
}

// ListBefore calls f with the name of every blob that was written before a time.
func (b *Blobs) ListBefore(ctx context.Context, before time.Time, f func(name string) error) error {
	return b.list(ctx, "", func(o *blob.ListObject) error {
		if !o.ModTime.Before(before) {
			return nil
		}
		return f(o.Key)
	})
}

func (b *Blobs) list(ctx context.Context, prefix string, f func(o *blob.ListObject) error) error {
	it := b.bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		o, err := it.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list blobs: %w", err)
		}
		if o.IsDir || strings.HasSuffix(o.Key, "/") {
			continue
		}
		if err := f(o); err != nil {
			return err
		}
	}
}
