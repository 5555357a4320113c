package vpcd

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"
)

// echo answers every command with itself.
type echo struct{ resets int }

func (e *echo) Reset()                   { e.resets++ }
func (*echo) ATR() []byte                { return []byte{0x3B, 0x80} }
func (*echo) Transmit(cmd []byte) []byte { return append(slices.Clone(cmd), 0x90, 0) }

func TestAReaderReadsACard(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	card, ended := &echo{}, make(chan error, 1)
	go func() { ended <- Serve(there, card) }()
	r := NewReader(here, 5*time.Second)
	atr, err := r.PowerOn()
	if err != nil || !bytes.Equal(atr, card.ATR()) || card.resets != 2 {
		t.Fatalf("answer to reset %X, %v, %d resets", atr, err, card.resets)
	}
	for _, n := range []int{4, 300, 60_000} {
		cmd := bytes.Repeat([]byte{7}, n)
		if a, err := r.Transmit(cmd); err != nil || !bytes.Equal(a, append(cmd, 0x90, 0)) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := r.Transmit([]byte{2}); err == nil {
		t.Error("an order is sent as a command")
	}
	if _, err := r.Transmit(make([]byte, 70_000)); err == nil {
		t.Error("a message is longer than its length can say")
	}
	_ = r.Close()
	if err := <-ended; err != nil {
		t.Errorf("the card ends with %v", err)
	}
	if _, err := r.Transmit([]byte{0, 1, 2, 3}); !errors.Is(err, ErrGone) {
		t.Errorf("a card that has gone: %v", err)
	}
}

func TestASilentCardIsLeft(t *testing.T) {
	t.Parallel()
	here, there := net.Pipe()
	defer func() { _ = there.Close() }()
	go func() { _, _ = read(there) }()
	if _, err := NewReader(here, 50*time.Millisecond).Transmit([]byte{0, 1, 2, 3}); !errors.Is(err, ErrGone) {
		t.Errorf("a silent card: %v", err)
	}
}

// pipe is read from one side and written to the other.
type pipe struct {
	io.Reader
	io.Writer
}

// FuzzServe sends anything to a card.
func FuzzServe(f *testing.F) {
	f.Add([]byte{0, 1, 1, 0, 1, 4, 0, 4, 0, 0xA4, 4, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		var out bytes.Buffer
		_ = Serve(pipe{bytes.NewReader(raw), &out}, &echo{})
		if out.Len() > 4*len(raw)+4 {
			t.Fatalf("%d bytes from %d", out.Len(), len(raw))
		}
	})
}
