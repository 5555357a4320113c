// Package vpcd speaks the protocol between a reader of virtual cards and a card (vsmartcard's vpcd): over TCP, each message is its length in
// two bytes and its bytes. A message of one byte to the card is an order; all others are commands and answers.
package vpcd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// Orders of a reader.
const (
	powerOff = 0
	powerOn  = 1
	reset    = 2
	askATR   = 4
)

// maxMessage is the longest message that its length can say.
const maxMessage = 1<<16 - 1

// ErrGone means that the card has left the reader.
var ErrGone = errors.New("the card has left the reader")

// Reader is a reader with a card in it. It is safe for concurrent use.
type Reader struct {
	mu   sync.Mutex
	conn net.Conn
	wait time.Duration
}

// NewReader returns the reader of a connection to a card. An answer that takes longer than wait ends it.
func NewReader(conn net.Conn, wait time.Duration) *Reader { return &Reader{conn: conn, wait: wait} }

// Close ends the connection.
func (r *Reader) Close() error { return r.conn.Close() }

// PowerOn powers the card and resets it, and returns its answer to reset.
func (r *Reader) PowerOn() ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, order := range []byte{powerOn, reset} {
		if err := r.write([]byte{order}); err != nil {
			return nil, err
		}
	}
	return r.exchange([]byte{askATR})
}

// PowerOff ends what the card was in the middle of.
func (r *Reader) PowerOff() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.write([]byte{powerOff})
}

// Transmit sends a command and returns the card's answer. ErrGone if there is none.
func (r *Reader) Transmit(command []byte) ([]byte, error) {
	if len(command) < 4 {
		return nil, fmt.Errorf("a command of %d bytes would be taken for an order", len(command))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.exchange(command)
}

func (r *Reader) exchange(message []byte) ([]byte, error) {
	if err := r.write(message); err != nil {
		return nil, err
	}
	out, err := read(r.conn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	return out, nil
}

func (r *Reader) write(message []byte) error {
	if err := r.conn.SetDeadline(time.Now().Add(r.wait)); err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	if err := write(r.conn, message); err != nil {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return nil
}

// Card is what a reader reads.
type Card interface {
	Reset()
	ATR() []byte
	Transmit(command []byte) []byte
}

// Serve lets a reader read a card until the connection ends. The error is nil at its end.
func Serve(conn io.ReadWriter, card Card) error {
	for {
		m, err := read(conn)
		if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		var answer []byte
		switch {
		case len(m) == 1 && m[0] == askATR:
			answer = card.ATR()
		case len(m) == 1 && (m[0] == reset || m[0] == powerOn || m[0] == powerOff):
			card.Reset()
			continue
		case len(m) < 4:
			continue // no command, and no order that is known
		default:
			answer = card.Transmit(m)
		}
		if err := write(conn, answer); err != nil {
			return err
		}
	}
}

func read(from io.Reader) ([]byte, error) {
	var size [2]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return nil, err
	}
	out := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err := io.ReadFull(from, out)
	return out, err
}

func write(to io.Writer, message []byte) error {
	if len(message) > maxMessage {
		return fmt.Errorf("a message of %d bytes, at most %d can be sent", len(message), maxMessage)
	}
	out := binary.BigEndian.AppendUint16(make([]byte, 0, 2+len(message)), uint16(len(message))) //nolint:gosec // bounded above
	_, err := to.Write(append(out, message...))
	return err
}
