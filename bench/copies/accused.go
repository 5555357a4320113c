package copies

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Accusations are what genuine pages were accused of, all of it wrongly.
type Accusations struct {
	Pages  int                   `json:"pages"`
	Any    bench.Rate            `json:"any"`
	Codes  map[string]bench.Rate `json:"by_reason"`
	Groups []AccusedGroup        `json:"groups"`  // by light, camera and side
	Who    []string              `json:"accused"` // pages, with their reasons
	All    []Accused             `json:"-"`
}

// AccusedGroup is a part of the pages.
type AccusedGroup struct {
	Name  string                `json:"name"`
	Pages int                   `json:"pages"`
	Codes map[string]bench.Rate `json:"by_reason"`
}

// Accused is one genuine page.
type Accused struct {
	File   string
	Camera string
	Light  Light
	Side   idv.Side
	Signs  idv.Signs
	Codes  []string // of the reasons for which a check failed
}

// suspicions are the checks whose failing accuses.
var suspicions = []idv.CheckKind{idv.CheckDocumentOriginal, idv.CheckPortraitOriginal}

// ask has the checkers judge the page by its signs alone.
func (a *Accused) ask(ctx context.Context, checkers []idv.Checker) error {
	page, err := idv.PresentArtifact(idv.ArtifactPage, idv.Capture{Side: a.Side, SHA256: "d"}, idv.Page{Signs: &a.Signs})
	if err != nil {
		return err
	}
	for _, c := range checkers {
		if !slices.Contains(suspicions, c.Kind()) {
			continue
		}
		f, err := c.Check(ctx, idv.Evidence{Artifacts: []idv.Artifact{page}})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Kind(), err)
		}
		if f.Outcome != idv.Fail {
			continue
		}
		for _, reason := range f.Reasons {
			a.Codes = append(a.Codes, reason.Code)
		}
	}
	return nil
}

// reasonsOfCopies are the reasons that a table of accusations shows, also where nobody was accused.
var reasonsOfCopies = []string{"document.paper_copy", "document.portrait_altered", "document.screen_copy"}

// sumAccusations counts.
func sumAccusations(all []Accused) *Accusations {
	out := &Accusations{Pages: len(all), Codes: countCodes(all), All: all, Who: []string{}}
	accused := 0
	groups := map[string][]Accused{}
	for _, a := range all {
		if len(a.Codes) > 0 {
			accused++
			out.Who = append(out.Who, fmt.Sprintf("%s, %s, %s: %v", a.File, a.Camera, a.Light, a.Codes))
		}
		for _, name := range []string{"light: " + string(a.Light), "camera: " + a.Camera, "side: " + string(a.Side)} {
			groups[name] = append(groups[name], a)
		}
	}
	out.Any = bench.RateOf(accused, len(all))
	for name, pages := range groups {
		out.Groups = append(out.Groups, AccusedGroup{Name: name, Pages: len(pages), Codes: countCodes(pages)})
	}
	slices.SortFunc(out.Groups, func(a, b AccusedGroup) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

func countCodes(pages []Accused) map[string]bench.Rate {
	n := map[string]int{}
	for _, code := range reasonsOfCopies {
		n[code] = 0
	}
	for _, p := range pages {
		for _, code := range p.Codes {
			n[code]++
		}
	}
	out := map[string]bench.Rate{}
	for code, count := range n {
		out[code] = bench.RateOf(count, len(pages))
	}
	return out
}
