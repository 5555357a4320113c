package nameindex

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/bonafide-id/bonafide/internal/names"
)

// Index is an open file. It is safe for concurrent searches.
type Index struct {
	digest      string
	data        []byte
	foot        footer
	sections    map[string]u32s
	tokens      texts
	sounds      texts
	shapes      []atomic.Uint64 // of tokens, as they are needed; 0 before
	equivalents map[string]map[string]bool
	scratch     sync.Pool
}

// Open checks and maps a file. It returns [ErrDamaged] for one that is not whole.
func Open(path string) (*Index, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	defer func() { _ = file.Close() }()
	tail := int64(sha256.Size + len(magic))
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	size := info.Size()
	if size < tail+bytesOfU32 {
		return nil, ErrDamaged
	}
	end := make([]byte, tail)
	if _, err := file.ReadAt(end, size-tail); err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size-tail)); err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	if !bytes.Equal(end, append(sum.Sum(nil), magic...)) {
		return nil, ErrDamaged
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the index: %w", err)
	}
	x := &Index{digest: hex.EncodeToString(end[:sha256.Size]), data: data}
	if err := x.parse(data[:size-tail]); err != nil {
		_ = x.Close()
		return nil, err
	}
	return x, nil
}

func (x *Index) parse(data []byte) error {
	n := uint64(binary.LittleEndian.Uint32(data[len(data)-bytesOfU32:]))
	rest := uint64(len(data) - bytesOfU32)
	if n > rest || json.Unmarshal(data[rest-n:rest], &x.foot) != nil {
		return ErrDamaged
	}
	x.sections = map[string]u32s{}
	for name, s := range x.foot.Sections {
		if s[0] > rest || s[1] > rest-s[0] {
			return ErrDamaged
		}
		x.sections[name] = data[s[0] : s[0]+s[1]]
	}
	x.equivalents = map[string]map[string]bool{}
	for _, p := range x.foot.Equivalents {
		for _, d := range [][2]string{p, {p[1], p[0]}} {
			if x.equivalents[d[0]] == nil {
				x.equivalents[d[0]] = map[string]bool{}
			}
			x.equivalents[d[0]][d[1]] = true
		}
	}
	x.tokens = texts{x.sections[sectionTokens], x.sections[sectionTokenAt]}
	x.sounds = texts{x.sections[sectionSounds], x.sections[sectionSoundAt]}
	all, tokens := x.foot.Names, max(0, x.tokens.at.len()-1)
	x.shapes = make([]atomic.Uint64, tokens)
	x.scratch.New = func() any { return newScratch(all, tokens) }
	return nil
}

// texts are strings one after the other, and where each begins.
type texts struct{ raw, at u32s }

// view is a text as it lies in the file: it must not outlive the search.
func (t texts) view(i int) string {
	from, to := t.at.at(i), t.at.at(i+1)
	if from == to {
		return ""
	}
	return unsafe.String(&t.raw[from:to][0], to-from)
}

// shape is that of a token.
func (x *Index) shape(token int) names.Shape {
	if s := x.shapes[token].Load(); s != 0 {
		return names.Shape(s)
	}
	s := names.ShapeOf(x.tokens.view(token), x.sounds.view(token))
	x.shapes[token].Store(uint64(s))
	return s
}

// Close unmaps the file. No search may be running or begin.
func (x *Index) Close() error {
	if err := syscall.Munmap(x.data); err != nil {
		return fmt.Errorf("unmap the index: %w", err)
	}
	return nil
}

// Digest identifies the file.
func (x *Index) Digest() string { return x.digest }

// Lists are the lists that the index was compiled from.
func (x *Index) Lists() []List { return x.foot.Lists }

// Size returns how many people and how many names the index has.
func (x *Index) Size() (entities, all int) { return x.foot.Entities, x.foot.Names }

func (x *Index) text(texts, at string, i int) string {
	ends := x.sections[at]
	return string(x.sections[texts][ends.at(i):ends.at(i+1)])
}

// find returns the place of a text among sorted ones.
func (x *Index) find(texts, at, text string) (int, bool) {
	ends, raw, want := x.sections[at], x.sections[texts], []byte(text)
	n := ends.len() - 1
	i := sort.Search(n, func(i int) bool { return bytes.Compare(raw[ends.at(i):ends.at(i+1)], want) >= 0 })
	return i, i < n && bytes.Equal(raw[ends.at(i):ends.at(i+1)], want)
}

// token reads a token; its sound is in the file.
func (x *Index) token(i int) names.Token {
	return names.KnownToken(x.text(sectionTokens, sectionTokenAt, i), x.text(sectionSounds, sectionSoundAt, i))
}

// entity reads an entry.
func (x *Index) entity(i int) (listed, error) {
	at := x.sections[sectionEntityAt][i*8:]
	from, to := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
	var out listed
	if err := json.Unmarshal(x.sections[sectionEntities][from:to], &out); err != nil {
		return out, ErrDamaged
	}
	return out, nil
}

// forms are the sounds of a name's other forms: those that everybody knows, and those that the lists use.
func (x *Index) forms(sound string) []string {
	out := slices.Clone(names.FamilyOf(sound))
	for s := range x.equivalents[sound] {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// reference answers from the index for one search, and remembers what it answered.
type reference struct {
	x    *Index
	bits map[string]float64
}

// Equivalent implements [names.Reference].
func (r reference) Equivalent(a, b string) bool { return r.x.equivalents[a][b] }

// Bits implements [names.Reference].
func (r reference) Bits(t names.Token) float64 {
	if b, ok := r.bits[t.Folded]; ok {
		return b
	}
	count := 0
	if i, ok := r.x.find(sectionTokens, sectionTokenAt, t.Folded); ok {
		count = int(r.x.sections[sectionCounts].at(i))
	}
	b := names.Rarity(count, r.x.foot.Names)
	r.bits[t.Folded] = b
	return b
}
