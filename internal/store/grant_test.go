package store

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// grantsBounded lets many ask at once: together they are granted what there is room for, and no more.
func grantsBounded(t *testing.T, d *deployment) {
	ctx := t.Context()
	expires := d.clock.now().Add(time.Minute)
	var all atomic.Int64
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			for range 6 {
				got, _, err := d.store.Grant(ctx, "address 192.0.2.7", 7, 4, 50, expires)
				if err != nil {
					t.Error(err)
				}
				all.Add(int64(got))
			}
		})
	}
	asking.Wait()
	if all.Load() != 50 {
		t.Errorf("%d were granted of 50", all.Load())
	}
	if n, err := d.store.Granted(ctx, "address 192.0.2.7", 7); err != nil || n != 50 {
		t.Errorf("granted %d, %v", n, err)
	}
	for _, other := range []struct {
		caller string
		span   int64
	}{{"address 192.0.2.8", 7}, {"address 192.0.2.7", 8}} {
		if n, err := d.store.Granted(ctx, other.caller, other.span); err != nil || n != 0 {
			t.Errorf("%+v was granted %d, %v", other, n, err)
		}
	}
	var clear int
	must(t, d.store.Read.NewRaw("SELECT COUNT(*) FROM call_grants WHERE caller LIKE '%192.0.2%'").Scan(ctx, &clear))
	if clear != 0 {
		t.Error("an address lies in the clear")
	}
	d.clock.advance(time.Hour)
	must(t, d.store.dropExpired(ctx))
	if n, err := d.store.Granted(ctx, "address 192.0.2.7", 7); err != nil || n != 0 {
		t.Errorf("after its time: granted %d, %v", n, err)
	}
}
