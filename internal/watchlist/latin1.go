package watchlist

import (
	"io"
	"unicode/utf8"
)

// latin1 turns ISO 8859-1 into UTF-8.
type latin1 struct{ r io.Reader }

func (l latin1) Read(p []byte) (int, error) {
	raw := make([]byte, max(1, len(p)/2))
	n, err := l.r.Read(raw)
	out := p[:0]
	for _, b := range raw[:n] {
		out = utf8.AppendRune(out, rune(b))
	}
	return len(out), err
}

// latin1OrUTF8 passes UTF-8, and takes a byte that is none for a letter of ISO 8859-1, as old files have them. It reads by the
// line, so that no letter is cut in two.
type latin1OrUTF8 struct {
	r interface {
		ReadByte() (byte, error)
		Peek(int) ([]byte, error)
	}
}

func (l latin1OrUTF8) Read(p []byte) (int, error) {
	n := 0
	for n+utf8.UTFMax <= len(p) {
		b, err := l.r.ReadByte()
		if err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err //nolint:wrapcheck // io.EOF has to stay what it is
		}
		if b < utf8.RuneSelf {
			p[n] = b
			n++
			continue
		}
		n += l.rune(b, p[n:])
	}
	return n, nil
}

// rune writes the letter that begins with b.
func (l latin1OrUTF8) rune(b byte, p []byte) int {
	rest, _ := l.r.Peek(utf8.UTFMax - 1)
	whole := append([]byte{b}, rest...)
	r, size := utf8.DecodeRune(whole)
	if r == utf8.RuneError {
		return utf8.EncodeRune(p, rune(b))
	}
	for range size - 1 {
		_, _ = l.r.ReadByte()
	}
	return utf8.EncodeRune(p, r)
}
