package wire

import (
	"math"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Hit is an entry of a watchlist that may be the person of a session.
type Hit struct {
	ID         idv.HitID         `json:"id"`
	Session    idv.SessionID     `json:"session"`
	Mode       idv.Mode          `json:"mode" enum:"live,test"`
	State      session.HitState  `json:"state" enum:"open,unsure,awaits_second,not_the_person,is_the_person"`
	Trigger    session.HitCause  `json:"trigger" enum:"submitted,list_changed,rescreened"`
	Found      idv.ScreeningHit  `json:"found"`
	Was        *idv.ScreeningHit `json:"was" doc:"Of a hit that came back: the entry as it was when it was decided"`
	OpenedAt   time.Time         `json:"opened_at"`
	DecidedBy  string            `json:"decided_by" doc:"A member's id; empty before"`
	DecidedAt  *time.Time        `json:"decided_at"`
	Reason     string            `json:"reason"`
	Note       string            `json:"note"`
	ValidUntil *time.Time        `json:"valid_until" doc:"When the hit comes back although its entry has not changed"`
	SecondBy   string            `json:"second_by"`
	SecondAt   *time.Time        `json:"second_at"`
	Said       []Opinion         `json:"said" nullable:"false" doc:"By each reviewer, oldest first, the newest 20"`
	Version    int64             `json:"version"`
}

// HitPage is a page of hits, oldest first.
type HitPage struct {
	Items  []Hit     `json:"items" nullable:"false"`
	Next   string    `json:"next" doc:"The id to go on after; empty at the end"`
	Counts HitCounts `json:"counts"`
}

// HitCounts are how many hits of a mode are in each state.
type HitCounts struct {
	Open         int `json:"open"`
	Unsure       int `json:"unsure"`
	AwaitsSecond int `json:"awaits_second"`
	NotThePerson int `json:"not_the_person"`
	IsThePerson  int `json:"is_the_person"`
}

// SessionHits are the hits of a session.
type SessionHits struct {
	Items   []Hit    `json:"items" nullable:"false" doc:"Oldest first"`
	Reasons []string `json:"reasons" nullable:"false" doc:"What can be given as the reason why an entry is not the person"`
}

// HitList are the hits of a session, oldest first.
type HitList struct {
	Items []Hit `json:"items" nullable:"false"`
}

// HitDecision is what a reviewer says of a hit.
type HitDecision struct {
	Version    int64  `json:"version" doc:"Of the hit that was looked at"`
	Decision   string `json:"decision" enum:"not_the_person,is_the_person,unsure"`
	Reason     string `json:"reason,omitempty" maxLength:"40" doc:"Of not_the_person: one of those that the session's hits name"`
	Note       string `json:"note,omitempty" maxLength:"2000" doc:"For the team; the person never sees it"`
	ValidUntil string `json:"valid_until,omitempty" maxLength:"40" doc:"Of not_the_person: a day or time within two years"`
}

// HitOf returns the wire form of a hit.
func HitOf(h session.Hit) Hit {
	return Hit{
		ID: h.ID, Session: h.Session, Mode: h.Mode, State: h.State, Trigger: h.Cause, Found: shown(h.Found), Was: h.Was, OpenedAt: h.OpenedAt.UTC(),
		DecidedBy: h.DecidedBy, DecidedAt: OptionalTime(h.DecidedAt), Reason: h.Reason, Note: h.Note, ValidUntil: OptionalTime(h.Until),
		SecondBy: h.SecondBy, SecondAt: OptionalTime(h.SecondAt), Said: OpinionsOf(h.Said), Version: h.Version,
	}
}

// shown has no null where the schema says list.
func shown(h idv.ScreeningHit) idv.ScreeningHit {
	h.Topics, h.Parts, h.Names, h.Births = NonNil(h.Topics), NonNil(h.Parts), NonNil(h.Names), NonNil(h.Births)
	h.Nationalities, h.Sexes, h.Programmes = NonNil(h.Nationalities), NonNil(h.Sexes), NonNil(h.Programmes)
	return h
}

// HitsOf returns the wire forms of hits.
func HitsOf(in []session.Hit) []Hit {
	out := make([]Hit, 0, len(in))
	for _, h := range in {
		out = append(out, HitOf(h))
	}
	return out
}

// HitCountsOf returns the wire form of counts.
func HitCountsOf(n map[session.HitState]int) HitCounts {
	return HitCounts{
		Open: n[session.HitOpen], Unsure: n[session.HitUnsure], AwaitsSecond: n[session.HitAwaits], NotThePerson: n[session.HitNotPerson],
		IsThePerson: n[session.HitIsPerson],
	}
}

// Monitoring is who is screened again, and how that goes.
type Monitoring struct {
	Monitored  int            `json:"monitored" doc:"People who are screened again as the lists change"`
	Unscreened int            `json:"unscreened" doc:"People who were approved before their workflow screened"`
	Runs       []ScreeningRun `json:"runs" nullable:"false" doc:"Newest first, at most 50"`
}

// ScreeningRun is one pass over people.
type ScreeningRun struct {
	ID        idv.ScreeningRunID `json:"id"`
	Kind      monitor.Kind       `json:"kind" enum:"list_changed,weekly,everybody"`
	List      idv.WatchlistID    `json:"list" doc:"Of list_changed"`
	State     monitor.State      `json:"state" enum:"running,ended"`
	People    int                `json:"people" doc:"When it began"`
	Done      int                `json:"done"`
	Hits      int                `json:"hits" doc:"That were opened"`
	Failed    int                `json:"failed" doc:"People who could not be screened"`
	StartedAt time.Time          `json:"started_at"`
	EndedAt   *time.Time         `json:"ended_at"`
}

// ScreeningRunOf returns the wire form of a run.
func ScreeningRunOf(r monitor.Run) ScreeningRun {
	return ScreeningRun{
		ID: r.ID, Kind: r.Kind, List: r.List, State: r.State, People: r.People, Done: r.Done, Hits: r.Hits, Failed: r.Failed,
		StartedAt: r.StartedAt.UTC(), EndedAt: OptionalTime(r.EndedAt),
	}
}

// WatchlistSearch is a person who is looked for by hand.
type WatchlistSearch struct {
	Name          string   `json:"name" maxLength:"300" doc:"In any script and order"`
	BirthDate     string   `json:"birth_date,omitempty" maxLength:"10" doc:"YYYY, YYYY-MM or YYYY-MM-DD"`
	Sex           string   `json:"sex,omitempty" enum:"M,F"`
	Nationalities []string `json:"nationalities,omitempty" maxItems:"10" doc:"In two or three letters"`
	Numbers       []string `json:"document_numbers,omitempty" maxItems:"5"`
	AlikeFrom     int      `json:"written_alike_from,omitempty" minimum:"70" maximum:"100" doc:"Also list names written at least this much alike, in per cent"`
}

// WatchlistFound is what a search by hand found. Nothing of it is kept.
type WatchlistFound struct {
	Index   idv.Digest         `json:"index" doc:"SHA-256 of the compiled lists"`
	Lists   []idv.ScreenedList `json:"lists" nullable:"false"`
	Reasons []string           `json:"reasons" nullable:"false" doc:"What speaks against the answer being whole: codes of the catalogue"`
	Alarms  int                `json:"alarms" doc:"Entries that may be the person, also those that are not shown"`
	Hits    []idv.ScreeningHit `json:"hits" nullable:"false" doc:"The gravest first, at most 20"`
	Written *WrittenAlike      `json:"written_alike,omitempty" doc:"Where written_alike_from was asked for"`
}

// WrittenAlike are entries with a name that is written like the one that was looked for. They are no hits.
type WrittenAlike struct {
	Total int            `json:"total"`
	Items []WrittenEntry `json:"items" nullable:"false" doc:"The most alike first, at most 100"`
}

// WrittenEntry is an entry with a name that is written alike.
type WrittenEntry struct {
	List   string `json:"list"`
	Entry  string `json:"entry"`
	Listed string `json:"listed" doc:"The name as the list has it"`
	Alike  int    `json:"alike" doc:"In per cent, by Jaro and Winkler: the words one by one or the name as a whole, whichever is more"`
}

// WrittenAlikeOf returns the wire form of the entries that are written alike.
func WrittenAlikeOf(in []screening.WrittenAlike, total int) *WrittenAlike {
	out := &WrittenAlike{Total: total, Items: []WrittenEntry{}}
	for _, w := range in {
		out.Items = append(out.Items, WrittenEntry{w.List, w.Entry, w.Listed, int(math.Floor(100*w.Alike + 1e-9))})
	}
	return out
}

// WatchlistFoundOf returns the wire form of what a search found.
func WatchlistFoundOf(s idv.Screening, why []string) WatchlistFound {
	out := WatchlistFound{Index: s.Index, Lists: NonNil(s.Lists), Reasons: NonNil(why), Alarms: s.Alarms, Hits: []idv.ScreeningHit{}}
	for _, h := range s.Hits {
		out.Hits = append(out.Hits, shown(h))
	}
	return out
}
