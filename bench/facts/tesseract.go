package facts

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/peer"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// tesseractArgs: sparse text in the languages that Debian's packages of this program's setup bring, as a table of words.
var tesseractArgs = []string{"-l", "eng+fra+deu", "--psm", "11", "tsv"}

// readPeer reads the page with Tesseract and takes the facts out of its lines as out of ours. What the machine-readable
// zone says it is given, so that nothing but the reading of print differs.
func (x *reading) readPeer(ctx context.Context, raw []byte, page optical.Page) error {
	said, err := peer.Tesseract(ctx, raw, tesseractArgs...)
	if errors.Is(err, peer.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	x.peerPresent, x.peerCPU = true, bench.Milliseconds(said.CPU)
	p := joint.Page{Lines: linesOf(said.Text), Width: page.Width, Height: page.Height, Today: time.Now()}
	if page.MRZ == nil {
		x.peer = joint.Read(p).Claims
		return nil
	}
	p.Kind, p.Issuer = page.Kind, page.Issuer
	var zone []idv.Claim
	for _, c := range page.Claims {
		if c.Source == idv.FromMRZ {
			zone = append(zone, c)
			if c.Name == idv.DateOfBirth || c.Name == idv.DateOfExpiry {
				p.Dates = append(p.Dates, c.Value)
			}
		}
	}
	answers, rest := joint.Compare(p, joint.Read(p), zone, max(0, page.MRZ.Document.NameCutAt))
	x.peer = printedOnly(rest)
	for _, a := range answers {
		if a.Verdict != joint.Silent {
			x.peer = append(x.peer, a.Claim)
		}
		if a.Filled {
			x.peerFilled = append(x.peerFilled, a.Fact)
		}
	}
	return nil
}

// linesOf reads Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
func linesOf(table string) []joint.Line {
	var out []joint.Line
	last := ""
	for row := range strings.Lines(table) {
		f := strings.Split(strings.TrimRight(row, "\n"), "\t")
		if len(f) != 12 || f[0] != "5" || strings.TrimSpace(f[11]) == "" {
			continue
		}
		var n [5]float64
		for i := range n {
			n[i], _ = strconv.ParseFloat(f[6+i], 64) //nolint:errcheck // a word without a place stands at zero
		}
		if id := strings.Join(f[1:5], "."); id != last {
			last = id
			out = append(out, joint.Line{Strip: joint.Strip{X: n[0], Y: n[1], Length: n[0] + n[2], Height: n[1] + n[3]}})
		}
		appendWord(&out[len(out)-1], f[11], n[0], n[1], n[2], n[3], n[4]/100)
	}
	for i := range out {
		finish(&out[i])
	}
	return out
}

// appendWord adds a word; until the line is finished its strip holds the edges, and At pixels.
func appendWord(l *joint.Line, text string, left, top, width, height, sure float64) {
	s := &l.Strip
	s.X, s.Y, s.Length, s.Height = min(s.X, left), min(s.Y, top), max(s.Length, left+width), max(s.Height, top+height)
	if l.Text != "" {
		l.Text += " "
		l.Chars, l.At = append(l.Chars, sure), append(l.At, left)
	}
	runes := []rune(text)
	l.Text += text
	for i := range runes {
		l.Chars = append(l.Chars, sure)
		l.At = append(l.At, left+(float64(i)+.5)/float64(len(runes))*width)
	}
}

func finish(l *joint.Line) {
	s := l.Strip
	length := max(1, s.Length-s.X)
	for i := range l.At {
		l.At[i] = (l.At[i] - s.X) / length
	}
	l.Strip = joint.Strip{X: (s.X + s.Length) / 2, Y: (s.Y + s.Height) / 2, Length: length, Height: (s.Height - s.Y) * 1.3}
}

// peerOf adds up what the peer read.
func peerOf(readings []reading) (Peer, bool) {
	var all, good sum
	var cpu []float64
	for _, r := range readings {
		if !r.peerPresent {
			continue
		}
		s := judge(r, r.peer, r.peerFilled)
		all.add(s)
		cpu = append(cpu, r.peerCPU)
		if r.good {
			good.add(s)
		}
	}
	if len(cpu) == 0 {
		return Peer{}, false
	}
	return Peer{Name: "Tesseract " + strings.Join(tesseractArgs, " "), All: all.tally(), Good: good.tally(), CPU: bench.QuantilesOf(cpu)}, true
}
