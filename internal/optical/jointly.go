package optical

import (
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// ReadJointly takes the facts out of recognised lines as viz.Read does, with the joint reader (Options.Facts). It names no places
// where print was not found: Missing, Letter and Open are empty.
func ReadJointly(p viz.Page) viz.Reading {
	read := reading.Read(jointPage(p))
	out := viz.Reading{Kind: read.Kind, Issuer: read.Issuer, Numbered: read.Numbered, Again: vizParts(read.Again)}
	for i, c := range read.Claims {
		c.Confidence = min(c.Confidence, meanOf(p, vizParts(read.Fields[i].Parts)))
		out.Claims = append(out.Claims, c)
	}
	for _, f := range read.Fields {
		out.Fields = append(out.Fields, vizField(f))
	}
	return out
}
