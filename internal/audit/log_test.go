package audit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// memory is a log in memory.
type memory struct {
	entries     []Entry
	checkpoints []Checkpoint
	hashes      []tlog.Hash
}

func (m *memory) AuditEntries(_ context.Context, from int64, limit int) ([]Entry, error) {
	var out []Entry
	for _, e := range m.entries {
		if e.Position >= from && len(out) < limit {
			out = append(out, e)
		}
	}
	return out, nil
}

func (m *memory) AuditCheckpoints(context.Context) ([]Checkpoint, error) { return m.checkpoints, nil }

func (m *memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var out []tlog.Hash
	for _, i := range indexes {
		out = append(out, m.hashes[i])
	}
	return out, nil
}

func (m *memory) AuditHashes(_ context.Context, from, to int64) (map[int64]tlog.Hash, error) {
	out := map[int64]tlog.Hash{}
	for i := from; i < min(to, int64(len(m.hashes))); i++ {
		out[i] = m.hashes[i]
	}
	return out, nil
}

func (m *memory) AuditTrims(context.Context) (out []Entry, err error) {
	for _, e := range m.entries {
		if e.Action == Trimmed {
			out = append(out, e)
		}
	}
	return out, nil
}

// grow appends batches of entries, with a checkpoint after each.
func grow(t *testing.T, key ed25519.PrivateKey, batches ...int) *memory {
	t.Helper()
	m := &memory{}
	for _, n := range batches {
		size := int64(len(m.entries))
		var batch []Entry
		for i := range n {
			batch = append(batch, Entry{
				Position: size + int64(i), ID: idv.AuditID(fmt.Sprintf("aud_%d", size+int64(i))),
				At: time.Unix(1_700_000_000+size, 123_456_000), Actor: System, Action: "session.created",
			})
		}
		hashes, root, err := Append(size, batch, m)
		if err != nil {
			t.Fatal(err)
		}
		if want := tlog.StoredHashCount(size + int64(n)); int64(len(m.hashes)+len(hashes)) != want {
			t.Fatalf("stored %d hashes, want %d", len(m.hashes)+len(hashes), want)
		}
		m.hashes = append(m.hashes, hashes...)
		m.entries = append(m.entries, batch...)
		m.checkpoints = append(m.checkpoints, Sign(size+int64(n), root, time.Unix(0, 0), key))
	}
	return m
}

func keys(t *testing.T) (ed25519.PublicKey, ed25519.PrivateKey) {
	t.Helper()
	pub, priv, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return pub, priv
}

// fixedKeys are the same in every run, for golden files.
func fixedKeys() (ed25519.PublicKey, ed25519.PrivateKey) {
	priv := ed25519.NewKeyFromSeed([]byte("a seed of a test, thirty-two by."))
	pub, _ := priv.Public().(ed25519.PublicKey)
	return pub, priv
}

func TestAnUntouchedLogVerifies(t *testing.T) {
	pub, priv := keys(t)
	for _, batches := range [][]int{nil, {1}, {1, 1, 1}, {7, 2, 13}, {1024}, {999, 1, 1005}} {
		m := grow(t, priv, batches...)
		v, err := Verify(context.Background(), m, pub, time.Unix(1_800_000_000, 0))
		if err != nil {
			t.Fatalf("%v: %v", batches, err)
		}
		if v.Size != int64(len(m.entries)) || v.Checkpoints != len(batches) {
			t.Fatalf("%v: verified %+v", batches, v)
		}
	}
}

func TestTamperingIsDetected(t *testing.T) {
	pub, priv := keys(t)
	_, stranger := keys(t)
	for name, spoil := range map[string]func(*memory){
		"an entry is changed":              func(m *memory) { m.entries[4].Action = "session.approved" },
		"a time is changed":                func(m *memory) { m.entries[0].At = m.entries[0].At.Add(time.Microsecond) },
		"an entry is removed":              func(m *memory) { m.entries = append(m.entries[:3], m.entries[4:]...) },
		"the last entry is removed":        func(m *memory) { m.entries = m.entries[:len(m.entries)-1] },
		"an entry is appended unsigned":    func(m *memory) { m.entries = append(m.entries, Entry{Position: int64(len(m.entries))}) },
		"two entries change places":        func(m *memory) { m.entries[1], m.entries[2] = m.entries[2], m.entries[1] },
		"a checkpoint's root is changed":   func(m *memory) { m.checkpoints[1].Root[0] ^= 1 },
		"the last checkpoint is removed":   func(m *memory) { m.checkpoints = m.checkpoints[:1] },
		"a checkpoint by another key":      func(m *memory) { c := &m.checkpoints[1]; *c = Sign(c.Size, c.Root, c.At, stranger) },
		"an entry and positions rewritten": func(m *memory) { m.entries[3].ID = "aud_x" },
	} {
		t.Run(name, func(t *testing.T) {
			m := grow(t, priv, 6, 5)
			spoil(m)
			if _, err := Verify(context.Background(), m, pub, time.Unix(1_800_000_000, 0)); !errors.Is(err, ErrTampered) {
				t.Fatalf("Verify = %v, want ErrTampered", err)
			}
		})
	}
}

func TestAddressesAreShortened(t *testing.T) {
	for in, want := range map[string]string{
		"203.0.113.77": "203.0.113.0/24", "203.0.113.77:1234": "203.0.113.0/24", "::ffff:203.0.113.77": "203.0.113.0/24",
		"2001:db8:1:2:3::4": "2001:db8:1::/48", "[2001:db8:1:2:3::4]:80": "2001:db8:1::/48", "somewhere": "", "": "",
	} {
		if got := ShortenAddress(in); got != want {
			t.Errorf("Shorten(%q) = %q, want %q", in, got, want)
		}
	}
}
