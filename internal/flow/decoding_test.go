package flow

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// slow is a gate and an extractor that keep a picture open for a while.
type slow struct {
	reader
	takes      time.Duration
	open, peak *atomic.Int64
}

func slowOf(takes time.Duration) slow {
	return slow{
		reader: reader{reads: idv.DocumentImage, yields: []idv.ArtifactKind{idv.ArtifactPage}},
		takes:  takes, open: &atomic.Int64{}, peak: &atomic.Int64{},
	}
}

func (s slow) Glance(context.Context, idv.Capture) error {
	if now := s.open.Add(1); now > s.peak.Load() {
		s.peak.Store(now)
	}
	time.Sleep(s.takes)
	s.open.Add(-1)
	return nil
}

func (s slow) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	_ = s.Glance(ctx, c)
	return s.reader.Extract(ctx, c)
}

// large is a picture of 50 million pixels.
func large(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 10_000, 5_000))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAHundredLargePicturesAtOnceAreOpenedTwoAtATimeAndAllAnswered(t *testing.T) {
	picture := large(t)
	synctest.Test(t, func(t *testing.T) {
		s := slowOf(time.Second)
		e, err := New([]idv.Gate{s}, nil, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		c := idv.Capture{Kind: idv.DocumentImage, Bytes: picture}
		var good, busy atomic.Int64
		var all sync.WaitGroup
		began := time.Now()
		for range 100 {
			all.Go(func() {
				switch err := e.Glance(t.Context(), c); {
				case err == nil:
					good.Add(1)
				case problem.Has(err, problem.Unavailable):
					busy.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if got := busy.Load(); got != 100-2-DefaultLooks {
			t.Errorf("%d were refused at once, want all that neither look nor wait", got)
		}
		all.Wait()
		if s.peak.Load() != 2 {
			t.Errorf("%d were open at the same time, want 2 of 50 million pixels", s.peak.Load())
		}
		if took := time.Since(began); took > DefaultLookWait+2*time.Second || good.Load() < 10 {
			t.Errorf("the last answer came after %v, %d were looked at", took, good.Load())
		}
		if !e.decoding.pixels.TryAcquire(DefaultPixels) {
			t.Error("some pixels are still counted")
		}
	})
}

func TestAJobWaitsForItsTurnAndAVerificationIsRefused(t *testing.T) {
	picture := large(t)
	synctest.Test(t, func(t *testing.T) {
		s := slowOf(time.Minute)
		e, err := New(nil, []idv.Extractor{s}, nil, Options{Pixels: 1})
		if err != nil {
			t.Fatal(err)
		}
		c := idv.Capture{Kind: idv.DocumentImage, Bytes: picture}
		done := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := e.Extract(t.Context(), c)
				done <- err
			}()
		}
		synctest.Wait()
		if _, err := e.Verify(t.Context(), Request{Document: picture}); !problem.Has(err, problem.Unavailable) {
			t.Errorf("a verification meanwhile: %v", err)
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Errorf("a job: %v", err)
			}
		}
	})
}
