package reading

import (
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// Old reads a page as viz does, to compare with.
func Old(p reading.Page) []idv.Claim { return viz.Read(oldPage(p)).Claims }

func oldPage(p reading.Page) viz.Page {
	q := viz.Page{Width: p.Width, Height: p.Height, Kind: p.Kind, Issuer: p.Issuer, Today: p.Today, Dates: p.Dates, Number: p.Number}
	for _, l := range p.Lines {
		q.Lines = append(q.Lines, viz.Line{Text: l.Text, Chars: l.Chars, At: l.At, Strip: viz.Strip(l.Strip)})
	}
	return q
}

// OldIdentity is what viz says that a page is, and who issued it.
func OldIdentity(p reading.Page) (idv.DocumentKind, string) {
	r := viz.Read(oldPage(p))
	return r.Kind, r.Issuer
}
