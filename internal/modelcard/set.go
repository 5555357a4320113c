package modelcard

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// What is wrong with a model. Callers branch on these; none of them may ever turn into a pass.
var (
	ErrUnknown = errors.New("no such model card")
	ErrMissing = errors.New("the model file is not in the pack (`make pack` puts it there)")
	ErrDigest  = errors.New("the model file is not the one that its card names")
)

// maxFile bounds what a gzipped pack file may unfold to.
const maxFile = 256 << 20

// Set is a collection of cards and the files that they name.
type Set struct {
	cards map[string]entry
}

type entry struct {
	card Card
	from fs.FS
}

// Status is the state of one model. Err is nil, ErrMissing or ErrDigest (wrapped), or a failure to read.
type Status struct {
	Card Card
	Err  error
}

// Open reads cards/*.json of each file system; a card in a later one replaces an earlier card of the same name together
// with its file (pack/<file> of the same file system). Files are read and checked when they are asked for.
func Open(layers ...fs.FS) (*Set, error) {
	s := &Set{cards: map[string]entry{}}
	for _, fsys := range layers {
		names, err := fs.Glob(fsys, "cards/*.json")
		if err != nil {
			return nil, fmt.Errorf("list model cards: %w", err)
		}
		for _, name := range names {
			b, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, fmt.Errorf("read model card: %w", err)
			}
			c, err := parseCard(b)
			if err != nil {
				return nil, fmt.Errorf("model card %s: %w", path.Base(name), err)
			}
			s.cards[c.Name] = entry{card: c, from: fsys}
		}
	}
	return s, nil
}

// Card returns the card of that name.
func (s *Set) Card(name string) (Card, bool) {
	e, ok := s.cards[name]
	return e.card, ok
}

// Cards returns all cards, sorted by name.
func (s *Set) Cards() []Card {
	out := make([]Card, 0, len(s.cards))
	for _, e := range s.cards {
		out = append(out, e.card)
	}
	slices.SortFunc(out, func(a, b Card) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Bytes returns the file of the card of that name after checking its digest: ErrUnknown, ErrMissing or ErrDigest
// (wrapped), or a failure to read.
func (s *Set) Bytes(name string) ([]byte, error) {
	e, ok := s.cards[name]
	if !ok {
		return nil, fmt.Errorf("model %s: %w", name, ErrUnknown)
	}
	if e.card.SHA256 == "" {
		return nil, fmt.Errorf("model %s: not published: %w", name, ErrMissing)
	}
	b, err := e.read()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != e.card.SHA256 {
		return nil, fmt.Errorf("model %s: %w", name, ErrDigest)
	}
	return b, nil
}

// Check reads every file and says what is wrong with it, sorted by name.
func (s *Set) Check() []Status {
	cards := s.Cards()
	out := make([]Status, len(cards))
	for i, c := range cards {
		_, err := s.Bytes(c.Name)
		out[i] = Status{Card: c, Err: err}
	}
	return out
}

// Missing returns the names of cards whose file is not there, without reading any.
func (s *Set) Missing() []string {
	var out []string
	for _, c := range s.Cards() {
		if _, err := fs.Stat(s.cards[c.Name].from, c.packed()); err != nil {
			out = append(out, c.Name)
		}
	}
	return out
}

func (c Card) packed() string {
	if c.Compressed {
		return "pack/" + c.File + ".gz"
	}
	return "pack/" + c.File
}

func (e entry) read() ([]byte, error) {
	b, err := fs.ReadFile(e.from, e.card.packed())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil || !e.card.Compressed {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDigest, err)
	}
	out, err := io.ReadAll(io.LimitReader(z, maxFile))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDigest, err)
	}
	return out, nil
}
