package edge

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// sending is a request with a body of that size, as far as its header says.
func sending(size int64) *http.Request {
	r := httptest.NewRequest(http.MethodPut, "/v1/applicant/steps/selfie", strings.NewReader("x"))
	r.ContentLength = size
	return r
}

func TestFiftySendsAtOnceStayWithinTheRoomAndAllHaveTheirTurn(t *testing.T) {
	const most, largest = 64 << 20, MaxPictureBytes
	r := NewRoom(most, time.Minute)
	var held, peak atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			size := int64(1+i%7) << 21 // 2 to 14 MiB
			leave, err := r.Enter(t.Context(), sending(size), "session "+strconv.Itoa(i), largest)
			if err != nil {
				t.Errorf("send %d: %v", i, err)
				return
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
	if len(r.senders) != 0 {
		t.Errorf("%d senders are remembered", len(r.senders))
	}
}

func TestWhoFindsNoRoomIsToldToComeBack(t *testing.T) {
	r := NewRoom(30<<20, 10*time.Millisecond)
	leave, err := r.Enter(t.Context(), sending(9<<20), "anna", MaxPictureBytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, sender string
		size         int64
		refused      bool
	}{
		{"another large body", "bob", 9 << 20, true},
		{"a body that does not say how large it is", "bob", -1, true},
		{"a small one", "bob", 1 << 20, false},
		{"the repeat of the first", "anna", 1 << 20, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := sending(c.size)
			leave, err := r.Enter(t.Context(), q, c.sender, MaxPictureBytes)
			if got := problem.Has(err, problem.Unavailable); got != c.refused || (err != nil) != c.refused {
				t.Fatalf("got %v", err)
			}
			if err == nil {
				leave()
				return
			}
			if n, _ := q.Body.Read(make([]byte, 1)); n != 0 {
				t.Error("what was sent in vain was not read, so that a browser sees a broken connection")
			}
		})
	}
	leave()
	if leave, err := r.Enter(t.Context(), sending(15<<20), "bob", MaxPictureBytes); err != nil {
		t.Errorf("a body larger than all of the room never has its turn: %v", err)
	} else {
		leave()
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
