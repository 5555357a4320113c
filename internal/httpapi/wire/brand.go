package wire

import (
	"github.com/bonafide-id/bonafide/internal/idv"
)

// WorkflowBrand is how the applicant's pages look under a version.
type WorkflowBrand struct {
	Name      string              `json:"name" maxLength:"200" doc:"Who asks; empty for what the deployment says, as with each of these"`
	Colour    string              `json:"colour" maxLength:"20" example:"#0f766e" doc:"The pages adapt it until it can be read"`
	Logo      string              `json:"logo" maxLength:"64" doc:"Digest of a logo that was sent before"`
	Support   string              `json:"support" maxLength:"600" doc:"https or mailto"`
	Privacy   string              `json:"privacy" maxLength:"600" doc:"https"`
	Languages []string            `json:"languages" maxItems:"50" nullable:"false" doc:"In which the pages are offered; empty for all"`
	Hello     []WorkflowBrandText `json:"hello" maxItems:"50" nullable:"false"`
}

// WorkflowBrandText is a sentence in one language.
type WorkflowBrandText struct {
	Language string `json:"language" maxLength:"10" example:"en"`
	Text     string `json:"text" maxLength:"1000" doc:"Plain text of one line"`
}

// KeptLogo is a logo that is kept.
type KeptLogo struct {
	Digest string `json:"digest" doc:"As a brand names it"`
	Path   string `json:"path" example:"/brand/0f76.png" doc:"Where it is served"`
}

// LogoPath returns where the logo with a digest is served; empty for no digest.
func LogoPath(digest string) string {
	if digest == "" {
		return ""
	}
	return "/brand/" + digest + ".png"
}

func brandOf(b idv.Brand) WorkflowBrand {
	out := WorkflowBrand{
		Name: b.Name, Colour: b.Colour, Logo: b.Logo, Support: b.Support, Privacy: b.Privacy, Languages: NonNil(b.Languages),
		Hello: []WorkflowBrandText{},
	}
	for _, t := range b.Hello {
		out.Hello = append(out.Hello, WorkflowBrandText(t))
	}
	return out
}

func brandFrom(in WorkflowBrand) idv.Brand {
	out := idv.Brand{
		Name: in.Name, Colour: in.Colour, Logo: in.Logo, Support: in.Support, Privacy: in.Privacy, Languages: NonNil(in.Languages),
		Hello: []idv.BrandText{},
	}
	for _, t := range in.Hello {
		out.Hello = append(out.Hello, idv.BrandText(t))
	}
	return out
}
