package idv

import "slices"

// ScreeningTopic is what somebody is listed for.
type ScreeningTopic string

// The topics.
const (
	TopicSanctions ScreeningTopic = "sanctions" // sanctions of states and organisations
	TopicPEP       ScreeningTopic = "pep"       // politically exposed people, their relatives and close associates
	TopicWatch     ScreeningTopic = "watch"     // everything else: crime, debarment, the operator's own lists
)

// ScreeningTopics returns every topic, the gravest first.
func ScreeningTopics() []ScreeningTopic {
	return []ScreeningTopic{TopicSanctions, TopicPEP, TopicWatch}
}

// CheckOfTopic returns the check that looks for people who are listed for a topic.
func CheckOfTopic(t ScreeningTopic) CheckKind {
	return map[ScreeningTopic]CheckKind{TopicSanctions: CheckSanctions, TopicPEP: CheckPEP, TopicWatch: CheckWatch}[t]
}

// ScreeningBand is how likely an entry of a list is the person, in words.
type ScreeningBand string

// The bands. Entries of the last are kept in the record and never refer.
const (
	BandStrong   ScreeningBand = "strong"
	BandPossible ScreeningBand = "possible"
	BandDistant  ScreeningBand = "distant"
)

// ScreeningSettings say how a workflow screens. Without topics it does not.
type ScreeningSettings struct {
	Topics  []ScreeningTopic `json:"topics,omitempty"`
	From    ScreeningBand    `json:"from,omitempty"`    // the weakest band that refers: strong or possible; empty for possible
	Monitor bool             `json:"monitor,omitempty"` // people who were approved are screened again as the lists change
}

// On reports whether the workflow screens at all.
func (s ScreeningSettings) On() bool { return len(s.Topics) > 0 }

// Takes reports whether the workflow screens for a topic.
func (s ScreeningSettings) Takes(t ScreeningTopic) bool { return slices.Contains(s.Topics, t) }

// Alarms reports whether a hit of a band refers.
func (s ScreeningSettings) Alarms(b ScreeningBand) bool {
	return b == BandStrong || b == BandPossible && s.From != BandStrong
}

// Screening is what a search for one person on the lists found. It is personal: it says what of their name was compared.
type Screening struct {
	Topic  ScreeningTopic `json:"topic"`
	Index  Digest         `json:"index,omitempty"` // of the compiled lists that were searched; empty where there were none
	Lists  []ScreenedList `json:"lists"`           // those that were searched
	Alarms int            `json:"alarms"`          // hits that refer, also those that are not shown
	Hits   []ScreeningHit `json:"hits"`            // the gravest first, at most MostHits
}

// MostHits is how many hits of a check are shown. More alarms than that are one finding, not so many cases.
const MostHits = 20

// ScreenedList is a version of a list that was searched.
type ScreenedList struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	SHA256    Digest `json:"sha256"` // of the list's file
	Published string `json:"published,omitempty"`
}

// ScreeningHit is an entry that may be the person, with what speaks for and against it.
type ScreeningHit struct {
	List      string         `json:"list"`
	Version   Digest         `json:"version"` // SHA-256 of the list's file
	Index     Digest         `json:"index"`   // of the compiled lists
	Entry     string         `json:"entry"`   // the list's own id of the entry
	FormerIDs []string       `json:"former_ids,omitempty"`
	Content   Digest         `json:"content"` // of the entry's names, births and document numbers
	Topic     ScreeningTopic `json:"topic"`
	Topics    []string       `json:"topics"` // as the list names them
	Band      ScreeningBand  `json:"band"`

	NameGrade   string     `json:"name_grade"`  // exact, variant, fuzzy, partial, weak_alias or other
	Birth       string     `json:"birth"`       // same, close, conflict or unknown
	Nationality string     `json:"nationality"` // agrees, differs or unknown, as the next two
	Sex         string     `json:"sex"`
	Number      string     `json:"document_number"`
	Mixed       bool       `json:"mixed_scripts,omitempty"` // a word of the name as read has letters of two scripts
	Read        string     `json:"read"`                    // the name as it was read
	Listed      string     `json:"listed"`                  // the name of the entry that agrees best
	Parts       []NamePart `json:"parts"`

	Names         []string `json:"names"` // others of the entry, at most 20
	Births        []string `json:"births"`
	Nationalities []string `json:"nationalities"`
	Sexes         []string `json:"sexes"`
	Programmes    []string `json:"programmes"`
	ListedOn      string   `json:"listed_on,omitempty"`
	Remarks       string   `json:"remarks,omitempty"`
}

// NamePart is one step of the comparison of two names: two words that were paired, or one without a counterpart.
type NamePart struct {
	Read     string  `json:"read,omitempty"`
	Listed   string  `json:"listed,omitempty"`
	Means    string  `json:"means"`
	Likeness float64 `json:"likeness"` // 0 to 1
	Bits     float64 `json:"bits"`     // how rare the word is
}
