package httpapi

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// PersonSearch says whom to look for. Everything that is given has to fit, exactly.
type PersonSearch struct {
	Name           string        `json:"name,omitempty" maxLength:"300" doc:"Given names, or the first of them, and family name, in any order"`
	DocumentNumber string        `json:"document_number,omitempty" maxLength:"300" doc:"Spaces and hyphens do not matter"`
	Reference      string        `json:"external_reference,omitempty" maxLength:"200" doc:"Your own reference"`
	Metadata       *MetadataPair `json:"metadata,omitempty" doc:"A key of your own facts and its value"`
	Limit          int           `json:"limit,omitempty" minimum:"1" maximum:"100" doc:"Rows of a page; 25 if left out"`
	After          idv.SessionID `json:"after,omitempty" maxLength:"40" doc:"The next of the page before"`
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
