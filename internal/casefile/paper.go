package casefile

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// The page, in millimetres, and the longest edge of a picture on it, in pixels.
const (
	pageWidth    = 210.0
	pageMargin   = 16.0
	textWidth    = pageWidth - 2*pageMargin
	lineHeight   = 4.6
	pictureWidth = (textWidth - 6) / 2
	mostEdge     = 1200
)

// Paper returns a case as one PDF document for people who read or print it: the decision and who took it, the checks with their
// reasons, each source's facts, consents, what happened, and the pictures that were asked for. It has its own fonts and fetches
// nothing. Unlike the archive it proves nothing by itself: its digest is in the audit log. The same content gives the same bytes in
// the same language.
func Paper(ctx context.Context, c Content, pictures map[string]Opener, in Language) ([]byte, error) {
	v := viewOf(c)
	p := newPaper(c, in)
	p.head(v)
	p.decisions(v)
	p.reviews(v)
	p.hits(v)
	p.links(v)
	p.verified(v)
	p.sources(v)
	p.checks(v)
	p.history(v)
	if err := p.pictures(ctx, v, pictures); err != nil {
		return nil, err
	}
	p.end()
	var out bytes.Buffer
	if err := p.doc.Output(&out); err != nil {
		return nil, fmt.Errorf("write a case file as PDF: %w", err)
	}
	return out.Bytes(), nil
}

// paper is a document that is being written, from the top of the page down.
type paper struct {
	*tongue
	doc     *fpdf.Fpdf
	letters *letters
}

func newPaper(c Content, in Language) *paper {
	tongue := speak(in)
	doc := fpdf.New("P", "mm", "A4", "")
	doc.SetMargins(pageMargin, pageMargin, pageMargin)
	doc.SetAutoPageBreak(true, pageMargin+4)
	doc.SetCatalogSort(true)
	doc.SetCreationDate(c.MadeAt.UTC())
	doc.SetModificationDate(c.MadeAt.UTC())
	doc.SetProducer("Bonafide", true)
	doc.SetTitle(tongue.say("Case file")+" "+string(c.Session.ID), true)
	doc.SetLang(string(tongue.language))
	for style, font := range fonts {
		doc.AddUTF8FontFromBytes(family, style, font)
	}
	doc.AliasNbPages("{pages}")
	p := &paper{tongue: tongue, doc: doc, letters: newLetters()}
	doc.SetFooterFunc(func() {
		doc.SetY(-pageMargin)
		p.style("", 8, soft)
		doc.CellFormat(textWidth/2, lineHeight, string(c.Session.ID), "", 0, "L", false, 0, "")
		doc.CellFormat(textWidth/2, lineHeight, fmt.Sprintf(p.say("%d of {pages}"), doc.PageNo()), "", 0, "R", false, 0, "")
	})
	doc.AddPage()
	return p
}

type colour [3]int

var (
	ink  = colour{11, 31, 51}
	soft = colour{67, 85, 106}
	rule = colour{211, 219, 228}
)

// outcomes are the colours of a decision; its word stands beside them.
var outcomes = map[idv.DecisionOutcome]colour{idv.DecideApprove: {21, 112, 56}, idv.DecideDecline: {179, 32, 28}, idv.DecideRefer: {106, 43, 208}}

func (p *paper) style(style string, size float64, c colour) {
	p.doc.SetFont(family, style, size)
	p.doc.SetTextColor(c[0], c[1], c[2])
}

// line writes a paragraph over the whole width.
func (p *paper) line(style string, size float64, c colour, format string, args ...any) {
	p.style(style, size, c)
	p.doc.MultiCell(textWidth, size*0.5, p.letters.readable(fmt.Sprintf(format, args...)), "", "L", false)
}

// heading begins a section, never as the last line of a page.
func (p *paper) heading(text string) {
	_, height := p.doc.GetPageSize()
	if p.doc.GetY() > height-pageMargin-30 {
		p.doc.AddPage()
	}
	p.doc.Ln(3)
	p.doc.SetDrawColor(ink[0], ink[1], ink[2])
	p.doc.Line(pageMargin, p.doc.GetY(), pageWidth-pageMargin, p.doc.GetY())
	p.doc.Ln(1.5)
	p.line("B", 12, ink, "%s", text)
	p.doc.Ln(1)
}

// cell is a text of a table, with what is said of it below in a lighter colour.
type cell struct{ text, note string }

// table writes rows whose cells break their lines; a row never goes on on another page unless it is longer than one.
func (p *paper) table(widths []float64, head []string, rows [][]cell) {
	if len(head) > 0 {
		cells := make([]cell, len(head))
		for i, text := range head {
			cells[i] = cell{note: text}
		}
		p.row(widths, cells)
	}
	for _, row := range rows {
		p.row(widths, row)
	}
}

func (p *paper) row(widths []float64, cells []cell) {
	type lines struct{ text, note []string }
	split := make([]lines, len(cells))
	height := lineHeight
	for i, c := range cells {
		width := widths[i]*textWidth - 2
		p.style("", 9, ink)
		split[i].text = p.split(c.text, width)
		p.style("", 8, soft)
		split[i].note = p.split(c.note, width)
		height = max(height, float64(len(split[i].text)+len(split[i].note))*lineHeight)
	}
	if _, page := p.doc.GetPageSize(); p.doc.GetY()+height > page-pageMargin-4 {
		p.doc.AddPage()
	}
	top, x := p.doc.GetY(), pageMargin
	for i := range cells {
		p.doc.SetXY(x, top)
		p.column(split[i].text, 9, ink, widths[i]*textWidth-2)
		p.column(split[i].note, 8, soft, widths[i]*textWidth-2)
		x += widths[i] * textWidth
	}
	p.doc.SetXY(pageMargin, top+height+0.8)
	p.doc.SetDrawColor(rule[0], rule[1], rule[2])
	p.doc.Line(pageMargin, p.doc.GetY(), pageWidth-pageMargin, p.doc.GetY())
	p.doc.Ln(0.8)
}

// split breaks a text into lines that fit.
func (p *paper) split(text string, width float64) []string {
	if text == "" {
		return nil
	}
	return p.doc.SplitText(p.letters.readable(text), width)
}

func (p *paper) column(lines []string, size float64, c colour, width float64) {
	x := p.doc.GetX()
	p.style("", size, c)
	for _, line := range lines {
		p.doc.CellFormat(width, lineHeight, line, "", 2, "L", false, 0, "")
		p.doc.SetX(x)
	}
}

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// pictures puts two pictures beside each other, upright and smaller than they were sent.
func (p *paper) pictures(ctx context.Context, v view, open map[string]Opener) error {
	if len(v.Pictures) == 0 {
		return nil
	}
	p.heading(p.say("Pictures"))
	p.line("", 8.5, soft, "%s", p.say(smallerPictures))
	for i := 0; i < len(v.Pictures); i += 2 {
		pair := v.Pictures[i:min(i+2, len(v.Pictures))]
		if err := p.pair(ctx, i, pair, open); err != nil {
			return err
		}
	}
	return nil
}

func (p *paper) pair(ctx context.Context, at int, pair []Picture, open map[string]Opener) error {
	type shown struct {
		name   string
		height float64
	}
	var all []shown
	tallest := 0.0
	for i, one := range pair {
		s := shown{}
		if !one.Unopened {
			raw, err := open[one.File](ctx)
			if err != nil {
				return err
			}
			small, size, err := smaller(raw)
			if err != nil {
				return err
			}
			s.name = fmt.Sprintf("picture-%d", at+i)
			s.height = min(pictureWidth*float64(size.Y)/float64(size.X), 110)
			p.doc.RegisterImageOptionsReader(s.name, fpdf.ImageOptions{ImageType: "JPEG"}, bytes.NewReader(small))
		}
		all, tallest = append(all, s), max(tallest, s.height)
	}
	const caption = 4 * lineHeight
	if _, page := p.doc.GetPageSize(); p.doc.GetY()+tallest+caption > page-pageMargin-4 {
		p.doc.AddPage()
	}
	p.doc.Ln(2)
	top := p.doc.GetY()
	for i, one := range pair {
		x := pageMargin + float64(i)*(pictureWidth+6)
		if all[i].name != "" {
			p.doc.ImageOptions(all[i].name, x, top, 0, all[i].height, false, fpdf.ImageOptions{ImageType: "JPEG"}, 0, "")
		}
		p.doc.SetXY(x, top+tallest+1)
		text := p.code("step", one.Step) + ", " + p.when(one.At)
		if one.Unopened {
			text += ": " + p.say("could not be opened")
		}
		p.style("", 8, soft)
		p.column(p.split(text, pictureWidth), 8, soft, pictureWidth)
		p.column(p.split(string(one.Sent), pictureWidth), 7, soft, pictureWidth)
	}
	p.doc.SetXY(pageMargin, top+tallest+caption)
	return nil
}

// smaller returns a picture as a JPEG that fits the page, and its size.
func smaller(raw []byte) ([]byte, image.Point, error) {
	rgb, _, err := imaging.Decode(raw, imaging.Limits{})
	if err != nil {
		return nil, image.Point{}, fmt.Errorf("a picture of a case file: %w", err)
	}
	fitting, _ := rgb.Fit(mostEdge)
	small, err := imaging.EncodeJPEG(fitting, 80)
	return small, fitting.Bounds().Size(), err
}

// end says how the document can be recognised, and what its letters could not show.
func (p *paper) end() {
	p.heading(p.say("About this document"))
	p.line("", 9, ink, "%s", p.say(recognised))
	if len(p.letters.foreign) > 0 {
		p.line("", 9, ink, "%s", p.say(transliterated))
	}
}

// What the document says about itself.
const (
	smallerPictures = "Smaller than they were sent, and without what the camera wrote beside the pixels. The SHA-256 is that of what was sent."
	recognised      = "The audit log of the deployment names this document by the SHA-256 of its bytes, as the subject of the entry " +
		"“Case file created”. For a file that proves itself without the deployment, download the archive instead."
	transliterated = "Words in angle brackets are transliterated: this document has letters for Latin, Greek and Cyrillic. " +
		"The archive has them as they were read."
)

// list joins texts by commas.
func list[T any](all []T, say func(T) string) string {
	out := make([]string, 0, len(all))
	for _, one := range all {
		out = append(out, say(one))
	}
	return strings.Join(out, ", ")
}
