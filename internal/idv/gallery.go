package idv

import "strconv"

// GallerySettings say how a workflow that requires CheckDuplicateFace searches the faces of other applicants. The zero value is what a
// workflow has that does not.
type GallerySettings struct {
	Name    string `json:"name,omitempty"`    // workflows of one mode with the same name share a gallery; empty for DefaultGallery
	Consent string `json:"consent,omitempty"` // the operator's text for applicants, shown unchanged; required
	FPIR    string `json:"fpir,omitempty"`    // part of the searches of strangers that may find somebody, of GalleryTargets; empty for 1e-2
	Months  int    `json:"months,omitempty"`  // a face is kept so long, and never longer than its session's pictures; 0 for 12
}

// Bounds and defaults of GallerySettings.
const (
	DefaultGallery       = "main"
	DefaultGalleryTarget = "1e-2"
	DefaultGalleryMonths = 12
	MaxGalleryMonths     = 36
	MaxGalleryConsent    = 2000 // characters
)

// GalleryTargets returns the rates of false alarms to choose from, strictest first.
func GalleryTargets() []string { return []string{"1e-3", "1e-2", "5e-2", "1e-1"} }

// OrDefault returns the settings with defaults where nothing is set.
func (g GallerySettings) OrDefault() GallerySettings {
	if g.Name == "" {
		g.Name = DefaultGallery
	}
	if g.FPIR == "" {
		g.FPIR = DefaultGalleryTarget
	}
	if g.Months == 0 {
		g.Months = DefaultGalleryMonths
	}
	return g
}

// Target returns FPIR as a number; the default's where it is none.
func (g GallerySettings) Target() float64 {
	t, err := strconv.ParseFloat(g.OrDefault().FPIR, 64)
	if err != nil {
		return 0.01
	}
	return t
}

// GalleryFault is why the faces of others could not be searched.
type GalleryFault string

// The faults. Each refers.
const (
	GalleryOff      GalleryFault = "off"         // this server has no gallery
	GalleryLoading  GalleryFault = "loading"     // it is still being read
	GalleryModel    GalleryFault = "model"       // it holds faces of another model, which compare with nothing
	GalleryRates    GalleryFault = "rates"       // the model's card has no measured error rates
	GalleryNoFace   GalleryFault = "no_template" // no template was made of the selfie
	GalleryTooLarge GalleryFault = "too_large"   // the measured rates do not reach as far as its size asks
)

// GallerySearch is how the faces of others were searched: among how many, and from which similarity a face counts.
type GallerySearch struct {
	Fault     GalleryFault `json:"fault,omitempty"`
	Faces     int          `json:"faces"`               // others that were compared
	Target    float64      `json:"target"`              // part of the searches of strangers that may find somebody
	Alone     float64      `json:"alone,omitempty"`     // cosine from which a face counts by itself; 0 where the measured rates do not reach that far
	Beside    float64      `json:"beside,omitempty"`    // cosine from which it counts if birth, name or document agrees; 0: even that finds too many strangers
	Strangers float64      `json:"strangers"`           // expected in one search
	FNMR      float64      `json:"fnmr"`                // part of the same people's faces that are missed at Alone, or at Beside where there is no Alone
	MostAlone int          `json:"most_alone"`          // faces up to which one counts by itself
	Unlooked  int          `json:"unlooked,omitempty"`  // faces that were alike enough but exceed MostAlike
	Consented bool         `json:"consented,omitempty"` // the applicant agreed; without that nothing was searched
}

// MostAlike bounds how many faces that are alike are looked at closely.
const MostAlike = 64
