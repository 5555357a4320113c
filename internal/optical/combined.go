package optical

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// ReadTogether takes the facts out of recognised lines by one joint reading of the page, to which what viz's rules say is a witness among
// others (Options.Facts). What the joint reading is not sure of is no claim, though the rules may state it. Where print was not found,
// the rules name the places.
func ReadTogether(p viz.Page) viz.Reading {
	rules := viz.Read(p)
	page := jointPage(p)
	page.Heard, page.Said = true, rules.Claims
	read := reading.Read(page)
	out := rules
	out.Claims, out.Fields, out.Likely, out.Again = nil, nil, read.Likely, slices.Concat(rules.Again, besides(vizParts(read.Again), rules.Again))
	if out.Kind == idv.UnknownKind {
		out.Kind = read.Kind
	}
	if out.Issuer == "" {
		out.Issuer = read.Issuer
	}
	for i, c := range read.Claims {
		field := vizField(read.Fields[i])
		if len(field.Parts) > 0 {
			c.Confidence = min(c.Confidence, meanOf(p, field.Parts))
		}
		if r := slices.IndexFunc(rules.Claims, func(r idv.Claim) bool { return r.Name == c.Name && r.Value == c.Value }); r >= 0 {
			c.Box, c.Confidence = rules.Claims[r].Box, min(c.Confidence, rules.Claims[r].Confidence)
			if f := slices.IndexFunc(rules.Fields, func(f viz.Field) bool { return f.Name == c.Name }); f >= 0 {
				field = rules.Fields[f]
			}
		}
		out.Claims = append(out.Claims, c)
		if len(field.Parts) > 0 {
			out.Fields = append(out.Fields, field)
		}
	}
	return out
}

// besides are the parts that overlap none of others.
func besides(parts, others []viz.Part) []viz.Part {
	return slices.DeleteFunc(parts, func(p viz.Part) bool {
		return slices.ContainsFunc(others, func(o viz.Part) bool { return o.Line == p.Line && o.From < p.To && p.From < o.To })
	})
}

func vizField(f reading.Field) viz.Field {
	return viz.Field{Name: f.Name, Number: f.Number, Parts: vizParts(f.Parts)}
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

// meanOf is the mean confidence of the characters of parts.
func meanOf(p viz.Page, parts []viz.Part) float64 {
	sum, n := 0.0, 0
	for _, part := range parts {
		for _, c := range p.Lines[part.Line].Chars[part.From:part.To] {
			sum, n = sum+c, n+1
		}
	}
	return sum / float64(max(1, n))
}
