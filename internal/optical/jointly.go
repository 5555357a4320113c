package optical

import (
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// ReadJointly takes the facts out of recognised lines as viz.Read does, with the joint reader (Options.Facts). It names no places
// where print was not found: Missing, Letter and Open are empty.
func ReadJointly(p viz.Page) viz.Reading {
	read := reading.Read(jointPage(p))
	out := viz.Reading{Kind: read.Kind, Issuer: read.Issuer, Numbered: read.Numbered, Again: vizParts(read.Again)}
	for i, c := range read.Claims {
		c.Confidence = min(c.Confidence, meanOf(p, read.Fields[i]))
		out.Claims = append(out.Claims, c)
	}
	for _, f := range read.Fields {
		out.Fields = append(out.Fields, viz.Field{Name: f.Name, Number: f.Number, Parts: vizParts(f.Parts)})
	}
	return out
}

// jointPage is a page as the joint reader takes it.
func jointPage(p viz.Page) reading.Page {
	q := reading.Page{
		Width: p.Width, Height: p.Height, Kind: p.Kind, Issuer: p.Issuer, Today: p.Today, Dates: p.Dates, Number: p.Number,
	}
	if q.Kind == idv.UnknownKind {
		q.Kind = ""
	}
	for _, l := range p.Lines {
		q.Lines = append(q.Lines, reading.Line{Text: l.Text, Chars: l.Chars, At: l.At, Strip: reading.Strip(l.Strip)})
	}
	return q
}

func vizParts(all []reading.Part) []viz.Part {
	var out []viz.Part
	for _, p := range all {
		out = append(out, viz.Part{Line: p.Line, From: p.From, To: p.To, Strip: viz.Strip(p.Strip), Against: p.Against})
	}
	return out
}

// meanOf is the mean confidence of a field's characters.
func meanOf(p viz.Page, f reading.Field) float64 {
	sum, n := 0.0, 0
	for _, part := range f.Parts {
		for _, c := range p.Lines[part.Line].Chars[part.From:part.To] {
			sum, n = sum+c, n+1
		}
	}
	return sum / float64(max(1, n))
}
