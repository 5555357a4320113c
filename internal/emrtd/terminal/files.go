package terminal

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// fileIDs are the files of the document (ICAO 9303-10 section 4.6).
var fileIDs = map[lds.File]uint16{
	lds.SOD: 0x011D, "DG1": 0x0101, "DG2": 0x0102, "DG11": 0x010B, "DG12": 0x010C, "DG14": 0x010E, "DG15": 0x010F,
}

// wanted are the files that are read where EF.SOD lists them, the portrait last. EF.COM says nothing that EF.SOD does not.
var wanted = []lds.File{"DG14", "DG15", "DG1", "DG11", "DG12", "DG2"}

// needed are those without which nothing is proved. Of the others, one that the chip lists and does not give stays unread.
var needed = []lds.File{lds.SOD, "DG1", "DG2"}

// file is one file as far as it was read.
type file struct {
	data  []byte
	total int // 0 before its beginning was read
}

func (f *file) whole() bool { return f != nil && f.total > 0 && len(f.data) >= f.total }

// sizeOf returns the length of a file from its first bytes: tag and length. ok is false where they do not say it.
func sizeOf(raw []byte) (n int, ok bool) {
	if len(raw) < 2 || raw[0]&0x1F == 0x1F {
		return 0, false
	}
	if raw[1] < 0x80 {
		return 2 + int(raw[1]), true
	}
	bytes := int(raw[1] & 0x7F)
	if bytes == 0 || bytes > 3 || len(raw) < 2+bytes {
		return 0, false
	}
	for _, b := range raw[2 : 2+bytes] {
		n = n<<8 | int(b)
	}
	return 2 + bytes + n, true
}

// chunk returns how many bytes one command of reading asks for.
func (c *contact) chunk() int {
	most := max(min(c.longest, c.accepts), apdu.ShortLe)
	if c.channel != nil {
		most = c.channel.MaxData(most)
	}
	if c.limit > 0 {
		most = min(most, c.limit)
	}
	return min(most, maxChunk)
}

// minLimit is the fewest bytes that a chip gives at a time.
const minLimit = 16

// maxChunk bounds what one command asks for: a phone shows progress by answers, and a tag is lost in the middle of long ones.
const maxChunk = 2048

// piece is a command of reading within a batch.
type piece struct {
	file   lds.File
	offset int
	n      int
}

// fetch reads files to their ends. Refusals: FileUnreadable, TooMuch, AnswerWrong.
func (c *contact) fetch(ctx context.Context, names ...lds.File) error {
	for {
		commands, pieces := c.plan(names)
		if len(commands) == 0 {
			return nil
		}
		before, _ := c.progress()
		answers, err := c.send(ctx, pieces[len(pieces)-1].file, commands...)
		if taken := c.take(pieces, answers); taken != nil {
			return taken
		}
		if err != nil {
			return err
		}
		if after, _ := c.progress(); after == before {
			if c.longest > 0 { // long answers are not for this chip after all
				c.longest = 0
				continue
			}
			if !c.cautious {
				c.cautious = true
				continue
			}
			last, name := answers[len(answers)-1].Status, pieces[len(answers)-1].file
			if !slices.Contains(c.listed, name) || slices.Contains(needed, name) {
				return refusal.New(FileUnreadable, "the chip does not give %s (status %04X)", name, uint16(last))
			}
			c.listed = slices.DeleteFunc(slices.Clone(c.listed), func(f lds.File) bool { return f == name })
			names = slices.DeleteFunc(slices.Clone(names), func(f lds.File) bool { return f == name })
			delete(c.files, name)
		}
	}
}

// plan returns the commands of the next batch: the rest of each file, or its beginning where its length is not known. There is one piece
// for each command; that of a selection has no bytes.
func (c *contact) plan(names []lds.File) ([]apdu.Command, []piece) {
	var commands []apdu.Command
	var pieces []piece
	selected, chunk := c.selected, c.chunk()
	for _, name := range names {
		f := c.files[name]
		if f.whole() {
			continue
		}
		if f == nil {
			f = &file{}
		}
		if len(commands)+2 > MostCommands {
			break
		}
		if selected != name {
			commands, pieces = append(commands, selectFile(fileIDs[name])), append(pieces, piece{file: name})
			selected = name
		}
		for _, p := range c.pieces(name, f, chunk) {
			if len(commands) < MostCommands {
				commands, pieces = append(commands, read(p.offset, p.n)), append(pieces, p)
			}
		}
	}
	return commands, pieces
}

// headBytes hold the tag and the length of every file, and are fewer than any has.
const headBytes = 8

// pieces divides what is left of a file; of one whose length is not known, its beginning.
func (c *contact) pieces(name lds.File, f *file, chunk int) []piece {
	if f.total == 0 {
		if c.cautious {
			chunk = headBytes
		}
		return []piece{{name, len(f.data), chunk}}
	}
	var out []piece
	for at := len(f.data); at < f.total && len(out) < MostCommands; {
		n := min(chunk, f.total-at)
		if at > maxShortOffset {
			n = min(n, chunk-wrapping)
		}
		out = append(out, piece{name, at, n})
		at += n
	}
	return out
}

// take keeps what the chip answered. Bytes that do not follow what is there already are read again.
func (c *contact) take(pieces []piece, answers []apdu.Answer) error {
	for i, a := range answers {
		p := pieces[i]
		if !a.Status.Done() {
			c.selected = ""
			return nil
		}
		if p.n == 0 {
			c.selected = p.file
			continue
		}
		data, err := readData(p.offset, a)
		if err != nil {
			return err
		}
		if len(data) > p.n {
			return refusal.New(AnswerWrong, "%d bytes where %d were asked for", len(data), p.n)
		}
		if err := c.add(p, data); err != nil {
			return err
		}
	}
	return nil
}

func (c *contact) add(p piece, data []byte) error {
	f := c.files[p.file]
	if f == nil {
		f = &file{}
		c.files[p.file] = f
	}
	if p.offset != len(f.data) {
		return nil
	}
	f.data = append(slices.Clip(f.data), data...)
	if f.total == 0 {
		if f.total, _ = sizeOf(f.data); f.total == 0 && len(f.data) > 5 {
			return refusal.New(AnswerWrong, "%s does not begin with its length", p.file)
		}
	}
	if f.total > 0 && len(f.data) > f.total {
		f.data = f.data[:f.total:f.total] // the file is longer than what it holds
	}
	if len(data) < p.n && len(f.data) < f.total {
		c.limit = max(len(data), minLimit) // the chip gives no more at a time
	}
	sum := 0
	for _, f := range c.files {
		sum += max(f.total, len(f.data))
	}
	if sum > c.most {
		return refusal.New(TooMuch, "files of %d bytes, at most %d are read from one chip", sum, c.most)
	}
	return nil
}
