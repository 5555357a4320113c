package faces

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Templates returns the templates of the pictures below a folder, without those in which no face was found. They are kept in the user's
// cache directory.
func Templates(ctx context.Context, dir string, e *face.Engine, progress func(done, total int)) ([][]float32, error) {
	files, err := pictures(dir)
	if err != nil {
		return nil, err
	}
	all, err := templatesOf(ctx, slices.Sorted(maps.Keys(files)), files, e, progress)
	return slices.DeleteFunc(all, func(t []float32) bool { return t == nil }), err
}

// templatesOf returns one template for each name, nil where no face was found.
func templatesOf(ctx context.Context, names []string, files map[string]string, e *face.Engine, progress func(done, total int)) ([][]float32, error) {
	cache, err := openCache(e)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([][]float32, len(names))
	var next atomic.Int64
	var reporting sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(names) {
					return
				}
				t, err := cache.template(ctx, files[names[i]], e)
				if err != nil {
					cancel(fmt.Errorf("bench faces: %s: %w", names[i], err))
					return
				}
				out[i] = t
				reporting.Lock()
				if done++; progress != nil {
					progress(done, len(names))
				}
				reporting.Unlock()
			}
		})
	}
	wg.Wait()
	return out, context.Cause(ctx)
}

// cache keeps templates on disk by the digests of model and picture, so that measuring again takes seconds.
type cache struct{ dir string }

func openCache(e *face.Engine) (cache, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return cache{}, fmt.Errorf("bench faces: %w", err)
	}
	key := sha256.New()
	key.Write([]byte("most central face, recipe " + face.Recipe))
	for _, name := range []string{face.DetectModel, face.MeshModel, face.TemplateModel} {
		key.Write([]byte(e.Card(name).SHA256))
	}
	dir := filepath.Join(base, "bonafide", "bench-templates", hex.EncodeToString(key.Sum(nil)[:8]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cache{}, fmt.Errorf("bench faces: %w", err)
	}
	return cache{dir}, nil
}

func (c cache) template(ctx context.Context, path string, e *face.Engine) ([]float32, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	kept := filepath.Join(c.dir, hex.EncodeToString(sum[:16]))
	if old, err := os.ReadFile(kept); err == nil {
		if t, ok := unpack(old); ok {
			return t, nil
		}
	}
	t, err := compute(ctx, b, e)
	if err != nil {
		return nil, err
	}
	return t, saveTemplate(kept, t)
}

func compute(ctx context.Context, b []byte, e *face.Engine) ([]float32, error) {
	p, _, err := imaging.Decode(b, imaging.Limits{})
	if err != nil {
		return nil, err
	}
	found, err := e.Detect(ctx, p)
	if err != nil {
		return nil, err
	}
	f, ok := face.MostCentral(found)
	if !ok {
		return nil, nil
	}
	return e.TemplateOf(ctx, p, f)
}

func saveTemplate(path string, t []float32) error {
	b := make([]byte, 4*len(t))
	for i, v := range t {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return os.Rename(tmp.Name(), path)
}

// unpack reads a kept template: no bytes stand for "no face".
func unpack(b []byte) ([]float32, bool) {
	if len(b) == 0 {
		return nil, true
	}
	if len(b) != 4*512 {
		return nil, false
	}
	t := make([]float32, len(b)/4)
	for i := range t {
		t[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return t, true
}
