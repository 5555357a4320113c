package session

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Figures is what statistics keep of a session. Nothing in it identifies, and erasing leaves it.
type Figures struct {
	Device    idv.Device // that it was last opened on
	FaceModel string     // name and version of the model that compared the faces in the newest report
	Source    idv.Source // where the captures came from that the newest report rests on; file where one of them did
	Automatic bool       // the newest decision is the policy's and final: no person took it
	Due       idv.Step   // what the applicant is asked for; after the end what they were asked for last
}

type deviceKey struct{}

// WithDevice says what sort of device a browser is on that opens a link.
func WithDevice(ctx context.Context, d idv.Device) context.Context {
	return context.WithValue(ctx, deviceKey{}, d)
}

// DeviceFrom returns what WithDevice said; the zero Device where nothing was said.
func DeviceFrom(ctx context.Context) idv.Device {
	d, _ := ctx.Value(deviceKey{}).(idv.Device)
	return d
}

// FirstStep is what an applicant is asked for before their first picture.
func FirstStep(rec Record) idv.Step {
	switch {
	case !rec.Consented:
		return idv.StepConsent
	case rec.DocumentKind == "":
		return idv.StepChoose
	default:
		return idv.StepDocumentFront
	}
}

// SetFrom keeps what a report and its verdict say.
func (f *Figures) SetFrom(report idv.Report, outcome idv.DecisionOutcome) {
	f.Automatic, f.Due = outcome != idv.DecideRefer, ""
	f.Source = report.SourceOf(idv.DocumentImage, idv.FaceImage, idv.Frames)
	i := slices.IndexFunc(report.Checks, func(c idv.Check) bool {
		return c.Kind == idv.CheckFaceMatch && c.Finding != nil && len(c.Finding.Models) > 0
	})
	if i >= 0 {
		m := report.Checks[i].Finding.Models[0]
		f.FaceModel = m.Name + " " + m.Version
	}
}
