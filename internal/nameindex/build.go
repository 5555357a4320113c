package nameindex

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// listed is what the file keeps of an entry.
type listed struct {
	List   int              `json:"l"`
	Entity watchlist.Entity `json:"e"`
}

// Builder compiles entries into a file.
type Builder struct {
	path     string
	file     *os.File
	out      *bufio.Writer
	sum      hash.Hash
	at       uint64
	foot     footer
	entityAt []uint64
	ids      map[string]uint32 // of tokens, in the order in which they came
	tokens   []string
	names    []uint32
	nameAt   []uint32
	owners   []uint32
	numbers  [][2]uint32
	corpus   *names.Corpus
}

// NewBuilder begins an index that Close puts at path.
func NewBuilder(path string) (*Builder, error) {
	file, err := newFile(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("make a file for the index: %w", err)
	}
	b := &Builder{
		path: path, file: file, sum: sha256.New(), ids: map[string]uint32{}, corpus: names.NewCorpus(), nameAt: []uint32{0},
		entityAt: []uint64{0}, foot: footer{Sections: map[string][2]uint64{}},
	}
	b.out = bufio.NewWriterSize(io.MultiWriter(file, b.sum), 1<<20)
	return b, nil
}

// List begins a list: the entries that follow are its own.
func (b *Builder) List(l List) { b.foot.Lists = append(b.foot.Lists, l) }

// Add adds an entry. Only people are searched for: other entries are left out.
func (b *Builder) Add(e watchlist.Entity) error {
	if e.Kind != watchlist.Person {
		return nil
	}
	raw, err := json.Marshal(listed{len(b.foot.Lists) - 1, e})
	if err != nil {
		return fmt.Errorf("encode an entry: %w", err)
	}
	if _, err := b.out.Write(raw); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	b.at += uint64(len(raw))
	entity := uint32(b.foot.Entities) //nolint:gosec // far fewer
	b.entityAt = append(b.entityAt, b.at)
	b.foot.Entities++
	var parsed []names.Name
	for i, n := range e.Names {
		name := n.Parsed()
		if n.Strength != watchlist.Weak {
			parsed = append(parsed, name)
		}
		b.name(name, entity, uint32(i)) //nolint:gosec // bounded by the reader
	}
	b.corpus.Add(parsed)
	for _, d := range e.Documents {
		b.numbers = append(b.numbers, [2]uint32{digest(d.Number), entity})
	}
	return nil
}

func (b *Builder) name(n names.Name, entity, number uint32) {
	for _, t := range n.Tokens {
		id, ok := b.ids[t.Folded]
		if !ok {
			id = uint32(len(b.tokens)) //nolint:gosec // bounded by tokenMask
			b.ids[t.Folded] = id
			b.tokens = append(b.tokens, t.Folded)
		}
		b.names = append(b.names, id|uint32(t.Role)<<roleShift)
	}
	b.nameAt = append(b.nameAt, uint32(len(b.names))) //nolint:gosec // bounded
	b.owners = append(b.owners, entity, number)
	b.foot.Names++
}

// digest is of a key or a number.
func digest(s string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, s)
	return h.Sum32()
}

// Abandon ends the build. The file that was there before is still there.
func (b *Builder) Abandon() error {
	if err := errors.Join(b.file.Close(), os.Remove(b.file.Name())); err != nil {
		return fmt.Errorf("abandon an index: %w", err)
	}
	return nil
}

// Close writes what is left, and puts the file in its place. It returns the file's digest. After an error the file that was
// there before is still there.
func (b *Builder) Close() (string, error) {
	sum, err := b.finish()
	if err != nil {
		_ = b.file.Close()
		_ = os.Remove(b.file.Name())
		return "", err
	}
	if err := errors.Join(os.Rename(b.file.Name(), b.path), b.file.Close()); err != nil { // locked until it has its name
		return "", fmt.Errorf("put the index in its place: %w", err)
	}
	return sum, nil
}

func (b *Builder) finish() (string, error) {
	b.foot.Sections[sectionEntities] = [2]uint64{0, b.at}
	raw := make([]byte, 0, len(b.entityAt)*8)
	for _, at := range b.entityAt {
		raw = binary.LittleEndian.AppendUint64(raw, at)
	}
	if err := b.section(sectionEntityAt, raw); err != nil {
		return "", err
	}
	b.sortTokens()
	b.foot.Equivalents = b.corpus.Equivalents()
	for _, write := range []func() error{b.writeTokens, b.writeKeys, b.writeNames, b.writeFooter} {
		if err := write(); err != nil {
			return "", err
		}
	}
	if err := b.out.Flush(); err != nil {
		return "", fmt.Errorf("write the index: %w", err)
	}
	sum := b.sum.Sum(nil)
	if _, err := b.file.Write(append(sum, magic...)); err != nil {
		return "", fmt.Errorf("write the index: %w", err)
	}
	if err := b.file.Sync(); err != nil {
		return "", fmt.Errorf("write the index: %w", err)
	}
	return hex.EncodeToString(sum), nil
}

// section writes one section, aligned.
func (b *Builder) section(name string, raw []byte) error {
	pad := make([]byte, (8-b.at%8)%8)
	b.at += uint64(len(pad))
	b.foot.Sections[name] = [2]uint64{b.at, uint64(len(raw))}
	b.at += uint64(len(raw))
	for _, p := range [][]byte{pad, raw} {
		if _, err := b.out.Write(p); err != nil {
			return fmt.Errorf("write the index: %w", err)
		}
	}
	return nil
}

func (b *Builder) numbersSection(name string, values []uint32) error {
	raw := make([]byte, 0, len(values)*bytesOfU32)
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, v)
	}
	return b.section(name, raw)
}

// texts writes strings one after the other, and where each begins.
func (b *Builder) texts(name, at string, texts []string) error {
	var raw []byte
	ends := []uint32{0}
	for _, t := range texts {
		raw = append(raw, t...)
		ends = append(ends, uint32(len(raw))) //nolint:gosec // bounded
	}
	if err := b.section(name, raw); err != nil {
		return err
	}
	return b.numbersSection(at, ends)
}

// sortTokens sorts the tokens and rewrites the names by it.
func (b *Builder) sortTokens() {
	order := make([]uint32, len(b.tokens))
	for i := range order {
		order[i] = uint32(i) //nolint:gosec // bounded
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(b.tokens[x], b.tokens[y]) })
	place := make([]uint32, len(order))
	sorted := make([]string, len(order))
	for i, o := range order {
		place[o], sorted[i] = uint32(i), b.tokens[o] //nolint:gosec // bounded
	}
	for i, v := range b.names {
		b.names[i] = place[v&tokenMask] | v&^tokenMask
	}
	b.tokens, b.ids = sorted, nil
}

func (b *Builder) writeTokens() error {
	sounds := make([]string, len(b.tokens))
	counts := make([]uint32, len(b.tokens))
	for i, t := range b.tokens {
		token := names.NewToken(t)
		sounds[i] = token.Sound
		counts[i] = uint32(b.corpus.Count(token)) //nolint:gosec // a count of names
	}
	if err := b.texts(sectionTokens, sectionTokenAt, b.tokens); err != nil {
		return err
	}
	if err := b.texts(sectionSounds, sectionSoundAt, sounds); err != nil {
		return err
	}
	b.corpus = nil
	return b.numbersSection(sectionCounts, counts)
}

// writeKeys writes the keys of the tokens, and the keys with a letter left out.
func (b *Builder) writeKeys() error {
	type keyed struct {
		key   string
		token uint32
	}
	var all []keyed
	for i, t := range b.tokens {
		token := names.NewToken(t)
		if token.Sort == names.Particle || token.Sort == names.Initial {
			continue
		}
		for _, k := range token.Keys() {
			all = append(all, keyed{k, uint32(i)}) //nolint:gosec // bounded
		}
	}
	slices.SortFunc(all, func(x, y keyed) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.token, y.token)) })
	var keys []string
	var tokens, at []uint32
	var near []uint64
	for _, k := range all {
		if len(keys) == 0 || keys[len(keys)-1] != k.key {
			for _, d := range shorter(k.key) {
				near = append(near, uint64(d)<<32|uint64(len(keys)))
			}
			keys, at = append(keys, k.key), append(at, uint32(len(tokens))) //nolint:gosec // bounded
		}
		tokens = append(tokens, k.token)
	}
	at = append(at, uint32(len(tokens))) //nolint:gosec // bounded
	slices.Sort(near)
	pairs := make([]uint32, 0, 2*len(near))
	for _, n := range slices.Compact(near) {
		pairs = append(pairs, uint32(n>>32), uint32(n)) //nolint:gosec // the halves
	}
	if err := b.texts(sectionKeys, sectionKeyAt, keys); err != nil {
		return err
	}
	return b.numbersSections([]numbered{{sectionKeyTokens, tokens}, {sectionKeyTokenAt, at}, {sectionNear, pairs}})
}

// shorter returns the digests of a key and of the key with each letter left out.
func shorter(key string) []uint32 {
	out := []uint32{digest(key)}
	for i := range len(key) {
		if len(key) >= leastNearKey {
			out = append(out, digest(key[:i]+key[i+1:]))
		}
	}
	return out
}

func (b *Builder) writeNames() error {
	count := make([]uint32, len(b.tokens)+1)
	for _, v := range b.names {
		count[v&tokenMask+1]++
	}
	for i := 1; i < len(count); i++ {
		count[i] += count[i-1]
	}
	postings, next := make([]uint32, len(b.names)), slices.Clone(count)
	for name := range len(b.nameAt) - 1 {
		for _, v := range b.names[b.nameAt[name]:b.nameAt[name+1]] {
			t := v & tokenMask
			postings[next[t]] = uint32(name) //nolint:gosec // bounded
			next[t]++
		}
	}
	slices.SortFunc(b.numbers, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	numbers := make([]uint32, 0, 2*len(b.numbers))
	for _, n := range b.numbers {
		numbers = append(numbers, n[0], n[1])
	}
	return b.numbersSections([]numbered{
		{sectionPostings, postings}, {sectionPostingAt, count}, {sectionNames, b.names}, {sectionNameAt, b.nameAt},
		{sectionNameEntity, b.owners}, {sectionNumbers, numbers},
	})
}

// numbered is a section of numbers.
type numbered struct {
	name   string
	values []uint32
}

// numbersSections writes sections in the given order: the same entries make the same file, on every server.
func (b *Builder) numbersSections(all []numbered) error {
	for _, s := range all {
		if err := b.numbersSection(s.name, s.values); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) writeFooter() error {
	raw, err := json.Marshal(b.foot)
	if err != nil {
		return fmt.Errorf("encode the footer: %w", err)
	}
	raw = binary.LittleEndian.AppendUint32(raw, uint32(len(raw))) //nolint:gosec // bounded
	if _, err := b.out.Write(raw); err != nil {
		return fmt.Errorf("write the index: %w", err)
	}
	return nil
}
