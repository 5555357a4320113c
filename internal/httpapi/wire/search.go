package wire

import (
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// PersonSearch says whom to look for. Everything that is given has to fit, exactly.
type PersonSearch struct {
	Name           string        `json:"name,omitempty" maxLength:"300" doc:"Given names, or the first of them, and family name, in any order"`
	DocumentNumber string        `json:"document_number,omitempty" maxLength:"300" doc:"Spaces and hyphens do not matter"`
	Reference      string        `json:"external_reference,omitempty" maxLength:"200" doc:"Your own reference"`
	Metadata       *MetadataPair `json:"metadata,omitempty" doc:"A key of your own facts and its value"`
	Limit          int           `json:"limit,omitempty" minimum:"1" maximum:"100" doc:"Rows of a page; 25 if left out"`
	After          idv.SessionID `json:"after,omitempty" maxLength:"40" doc:"The next of the page before"`

	State    []idv.SessionState  `json:"state,omitempty" maxItems:"8" doc:"Only these states"`
	Outcome  idv.DecisionOutcome `json:"outcome,omitempty" maxLength:"20" doc:"Only this outcome"`
	Workflow string              `json:"workflow,omitempty" maxLength:"64" doc:"Only sessions of the workflow of this name, whatever its version"`
	From     string              `json:"from,omitempty" maxLength:"30" doc:"Created at or after: YYYY-MM-DD or RFC 3339"`
	To       string              `json:"to,omitempty" maxLength:"30" doc:"Created before: YYYY-MM-DD or RFC 3339"`
	Sort     session.Sort        `json:"sort,omitempty" enum:"-created_at,created_at" doc:"Newest first (-created_at), or oldest first"`
	Expand   []Expansion         `json:"expand,omitempty" maxItems:"5" doc:"What each session comes with. Needs reports.read"`
	Total    bool                `json:"total,omitempty" doc:"Whether to count what is found"`
}

// MetadataPair is one of an integrator's own facts.
type MetadataPair struct {
	Key   string `json:"key" minLength:"1" maxLength:"40"`
	Value string `json:"value" minLength:"1" maxLength:"500"`
}

// ConsolePersonSearch is the same for a person, who sees both modes.
type ConsolePersonSearch struct {
	Mode idv.Mode `json:"mode" enum:"live,test"`
	PersonSearch
}

// SessionFacets are what the list of sessions can be filtered by.
type SessionFacets struct {
	Workflows []string `json:"workflows" nullable:"false" doc:"Names"`
	Countries []State  `json:"countries" nullable:"false" doc:"Issuing states of sessions that are there"`
}

// State is a state or organisation that issues documents.
type State struct {
	Code string `json:"code" of:"state" example:"UTO" doc:"ICAO 9303-3 §5"`
	Name string `json:"name" example:"Utopia" doc:"In English; the code where it is not known"`
}

// ViewFilter is what a saved view filters by.
type ViewFilter struct {
	State    []idv.SessionState  `json:"state,omitempty" maxItems:"8"`
	Outcome  idv.DecisionOutcome `json:"outcome,omitempty" maxLength:"20"`
	Reason   string              `json:"reason,omitempty" maxLength:"64" pattern:"^[a-z_]+\\.[a-z_]+$" doc:"Code of the catalogue"`
	Workflow string              `json:"workflow,omitempty" maxLength:"64" pattern:"^[a-z0-9_]+$" doc:"Name"`
	Country  string              `json:"country,omitempty" maxLength:"3" pattern:"^[A-Z]{1,3}$"`
	Kind     idv.DocumentKind    `json:"kind,omitempty" maxLength:"40" pattern:"^[a-z_]+$"`
	From     string              `json:"from,omitempty" maxLength:"10" pattern:"^\\d{4}-\\d{2}-\\d{2}$" doc:"Created on this day or later"`
	To       string              `json:"to,omitempty" maxLength:"10" pattern:"^\\d{4}-\\d{2}-\\d{2}$" doc:"Created on this day or before"`
}

// NewView gives a filter a name.
type NewView struct {
	Mode   idv.Mode   `json:"mode" enum:"live,test"`
	Name   string     `json:"name" minLength:"1" maxLength:"60"`
	Filter ViewFilter `json:"filter"`
}

// SavedView is a filter that somebody gave a name.
type SavedView struct {
	ID        idv.ViewID `json:"id"`
	Mode      idv.Mode   `json:"mode"`
	Name      string     `json:"name"`
	Filter    ViewFilter `json:"filter"`
	CreatedAt time.Time  `json:"created_at"`
}

// SavedViews are those of a member, by name.
type SavedViews struct {
	Items []SavedView `json:"items" nullable:"false"`
}

// WithoutPersonalData returns of a session what a search tells a key that may not read sessions: its id, state, outcome, workflow, times and
// `external_reference`. A reference is the integrator's own name for the session: where that holds something personal, it is answered.
func WithoutPersonalData(x Session) Session {
	return Session{
		ID: x.ID, Mode: x.Mode, State: x.State, Outcome: x.Outcome, ExternalReference: x.ExternalReference, Metadata: map[string]string{},
		Claimed: map[idv.ClaimName]string{}, Workflow: x.Workflow, CreatedAt: x.CreatedAt, LinkExpiresAt: x.LinkExpiresAt, ExpiresAt: x.ExpiresAt,
		OpenedAt: x.OpenedAt, SubmittedAt: x.SubmittedAt, DecidedAt: x.DecidedAt, ErasedAt: x.ErasedAt, Keeping: x.Keeping,
	}
}

// Filter returns the filter that the search describes, within a mode. Problems: request.malformed.
func (p PersonSearch) Filter(mode idv.Mode) (session.Filter, error) {
	from, err := ParseTime("/from", p.From)
	if err != nil {
		return session.Filter{}, err
	}
	to, err := ParseTime("/to", p.To)
	f := session.Filter{
		Mode: mode, Limit: p.Limit, After: string(p.After), States: p.State, Outcome: p.Outcome, Workflow: p.Workflow, From: from, To: to,
		Sort: p.Sort,
		Wanted: session.Wanted{
			Name: strings.TrimSpace(p.Name), DocumentNumber: strings.TrimSpace(p.DocumentNumber), Reference: strings.TrimSpace(p.Reference),
		},
	}
	if p.Metadata != nil {
		f.Wanted.MetadataKey, f.Wanted.MetadataValue = strings.TrimSpace(p.Metadata.Key), strings.TrimSpace(p.Metadata.Value)
	}
	return f, err
}

// SessionFacetsOf returns the wire form of what a list of sessions can be filtered by.
func SessionFacetsOf(found session.Facets) SessionFacets {
	out := SessionFacets{Workflows: NonNil(found.Workflows), Countries: []State{}}
	for _, code := range found.Countries {
		one := State{Code: code, Name: code}
		if known, ok := icao.StateByCode(code); ok {
			one.Name = known.Name
		}
		out.Countries = append(out.Countries, one)
	}
	return out
}

// ViewFilterFrom returns the filter of a saved view.
func ViewFilterFrom(f ViewFilter) session.ViewFilter {
	return session.ViewFilter{
		States: f.State, Outcome: f.Outcome, Reason: f.Reason, Workflow: f.Workflow, Country: f.Country, Kind: f.Kind, From: f.From, To: f.To,
	}
}

// SavedViewOf returns the wire form of a saved view.
func SavedViewOf(v session.SavedView) SavedView {
	f := v.Filter
	return SavedView{
		ID: v.ID, Mode: v.Mode, Name: v.Name, CreatedAt: v.CreatedAt.UTC(),
		Filter: ViewFilter{
			State: f.States, Outcome: f.Outcome, Reason: f.Reason, Workflow: f.Workflow, Country: f.Country, Kind: f.Kind, From: f.From, To: f.To,
		},
	}
}
