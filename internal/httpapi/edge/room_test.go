package edge

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// bodyOf is a request with that body, whose header says that it has so many bytes; -1 for one in chunks.
func bodyOf(body io.Reader, says int64) *http.Request {
	r := httptest.NewRequest(http.MethodPut, "/v1/applicant/steps/selfie", body)
	r.ContentLength = says
	return r
}

func sending(size int64) *http.Request { return bodyOf(strings.NewReader("x"), size) }

func TestFiftySendsAtOnceStayWithinTheRoomAndAllHaveTheirTurn(t *testing.T) {
	const most, largest = 64 << 20, MaxPictureBytes
	r := NewRoom(most, time.Minute)
	var held, peak atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			size := int64(1+i%7) << 21 // 2 to 14 MiB
			q := bodyOf(bytes.NewReader(make([]byte, size)), size)
			leave, err := r.Enter(t.Context(), q, "session "+strconv.Itoa(i), largest)
			if err != nil {
				t.Errorf("send %d: %v", i, err)
				return
			}
			if n, err := io.Copy(io.Discard, q.Body); n != size || err != nil {
				t.Errorf("send %d: %d of %d bytes, %v", i, n, size, err)
			}
			now := held.Add(size * CopiesOfBody)
			for {
				before := peak.Load()
				if now <= before || peak.CompareAndSwap(before, now) {
					break
				}
			}
			time.Sleep(2 * time.Millisecond)
			held.Add(-size * CopiesOfBody)
			leave()
		})
	}
	all.Wait()
	if peak.Load() > most || peak.Load() < 14<<20 {
		t.Errorf("at most %d bytes were held at once, want at most %d and some", peak.Load(), most)
	}
	wantEmpty(t, r)
}

// wantEmpty checks that nothing is held and nobody is remembered.
func wantEmpty(t *testing.T, r *Room) {
	t.Helper()
	if r.bytes.free != r.most {
		t.Errorf("%d of %d bytes are still held", r.most-r.bytes.free, r.most)
	}
	if len(r.senders) != 0 || len(r.held) != 0 || len(r.bytes.waiters) != 0 {
		t.Errorf("%d senders and %d sharers are remembered, %d wait", len(r.senders), len(r.held), len(r.bytes.waiters))
	}
}

func TestWhoFindsNoRoomIsToldToComeBack(t *testing.T) {
	r := NewRoom(30<<20, 10*time.Millisecond)
	anna := bodyOf(bytes.NewReader(make([]byte, 9<<20)), 9<<20)
	leave, err := r.Enter(t.Context(), anna, "anna", MaxPictureBytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, anna.Body); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, sender string
		size, said   int64
		refused      bool
	}{
		{"another large body", "bob", 9 << 20, 9 << 20, true},
		{"a body that does not say how large it is", "bob", 9 << 20, -1, true},
		{"a small one", "bob", 64 << 10, 64 << 10, false},
		{"the repeat of the first", "anna", 64 << 10, 64 << 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := bytes.NewReader(make([]byte, c.size))
			q := bodyOf(sent, c.said)
			leave, err := r.Enter(t.Context(), q, c.sender, MaxPictureBytes)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, q.Body)
			if got := problem.Has(err, problem.Unavailable); got != c.refused || (err != nil) != c.refused {
				t.Errorf("got %v", err)
			}
			leave()
			if sent.Len() != 0 {
				t.Error("what was sent in vain was not read, so that a browser sees a broken connection")
			}
		})
	}
	leave()
	large := bodyOf(bytes.NewReader(make([]byte, 15<<20)), 15<<20)
	leave, err = r.Enter(t.Context(), large, "bob", MaxPictureBytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, large.Body); err != nil {
		t.Errorf("a body larger than all of the room never has its turn: %v", err)
	}
	leave()
	wantEmpty(t, r)
}

func TestABodyOfUnknownSizeHoldsWhatArrived(t *testing.T) {
	const size = 3 << 20
	r := NewRoom(256<<20, 10*time.Millisecond)
	q := bodyOf(bytes.NewReader(make([]byte, size)), -1)
	leave, err := r.Enter(t.Context(), q, "anna", MaxPictureBytes)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, q.Body); n != size || err != nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if got := r.held[sharer{"session anna", SessionShare}]; got != size*CopiesOfBody {
		t.Errorf("it holds %d bytes, want %d", got, size*CopiesOfBody)
	}
	leave()
	wantEmpty(t, r)
}

func TestWhoDoesNotGoOnSendingLosesTheClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(256<<20, time.Second)
		from, to := io.Pipe()
		q := bodyOf(from, 15<<20)
		leave, err := r.Enter(t.Context(), q, "anna", MaxPictureBytes)
		if err != nil {
			t.Fatal(err)
		}
		var read atomic.Int64
		go func() {
			n, _ := io.Copy(io.Discard, q.Body)
			read.Store(n)
		}()
		anna := sharer{"session anna", SessionShare}
		holds := func(when string, want int64) {
			t.Helper()
			synctest.Wait()
			r.mu.Lock()
			defer r.mu.Unlock()
			if got := r.held[anna]; got != want*CopiesOfBody {
				t.Errorf("%s: %d bytes are held, want %d", when, got, want*CopiesOfBody)
			}
		}
		holds("before a byte", arrivalChunk)
		_, _ = to.Write(make([]byte, 80<<10))
		holds("after the first chunk", 15<<20)
		time.Sleep(claimTime)
		holds("a second later", 88<<10) // io.Discard reads 8 KiB at a time
		_, _ = to.Write(make([]byte, 100<<10))
		synctest.Wait()
		_ = to.Close()
		synctest.Wait()
		if read.Load() != 180<<10 {
			t.Errorf("%d bytes were read", read.Load())
		}
		holds("at the end", 180<<10)
		leave()
		wantEmpty(t, r)
	})
}

func TestOneMoreThanMayWaitIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRoom(30<<20, 5*time.Second)
		release, err := r.Hold(t.Context(), 10<<20)
		if err != nil {
			t.Fatal(err)
		}
		var refused atomic.Int64
		for range MostWaiting {
			go func() {
				if _, err := r.Hold(t.Context(), 1); problem.Has(err, problem.Unavailable) {
					refused.Add(1)
				}
			}()
		}
		synctest.Wait()
		began := time.Now()
		if _, err := r.Hold(t.Context(), 1); !problem.Has(err, problem.Unavailable) || time.Since(began) != 0 {
			t.Errorf("one more: %v after %v", err, time.Since(began))
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if refused.Load() != MostWaiting {
			t.Errorf("%d of %d were refused when the wait was over", refused.Load(), MostWaiting)
		}
		release()
		wantEmpty(t, r)
	})
}

func TestOneAddressHoldsAPartOfTheRoom(t *testing.T) {
	r := NewRoom(256<<20, time.Minute) // nobody waits that long: refusals come at once
	from := func(address, session string) error {
		ctx := withRequest(t.Context(), &request{address: address})
		q := bodyOf(bytes.NewReader(make([]byte, 14<<20)), 14<<20)
		if _, err := r.Enter(ctx, q, session, MaxPictureBytes); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, q.Body)
		return err
	}
	for i, refused := range []bool{false, false, false, true} { // 42 MiB each, of 128 MiB
		if err := from("192.0.2.1", "session "+strconv.Itoa(i)); problem.Has(err, problem.Unavailable) != refused || (err != nil) != refused {
			t.Errorf("body %d of one address: %v", i+1, err)
		}
	}
	if err := from("192.0.2.2", "session 0"); !problem.Has(err, problem.Unavailable) {
		t.Errorf("a second large body of a session: %v", err)
	}
	if err := from("192.0.2.2", "another session"); err != nil {
		t.Errorf("another address: %v", err)
	}
}

func TestOneSessionCannotHoldAllOfTheRoom(t *testing.T) {
	r := NewRoom(1<<30, 10*time.Millisecond)
	for range SendsAtOnce {
		if _, err := r.Enter(t.Context(), sending(1), "anna", MaxPictureBytes); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Enter(t.Context(), sending(1), "anna", MaxPictureBytes); !problem.Has(err, problem.Unavailable) {
		t.Errorf("one more: %v", err)
	}
	for range 2 * SendsAtOnce {
		if _, err := r.Enter(t.Context(), sending(1), "", MaxPictureBytes); err != nil {
			t.Errorf("an integrator: %v", err)
		}
	}
}
