package verified

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Ground is which row of the rule chose a value.
type Ground string

// The grounds, in the order of the rule.
const (
	ByCorrection     Ground = "correction"      // a reviewer stated it
	BySignature      Ground = "signature"       // an issuer signed it, and the signature was verified
	ByZone           Ground = "zone"            // the machine-readable zone, read beyond doubt
	ByBarcode        Ground = "barcode"         // its error correction leaves no doubt
	ByPrint          Ground = "print"           // what is printed
	ByUnverifiedZone Ground = "unverified_zone" // a machine-readable zone that was not read beyond doubt
	ByNone           Ground = "contradicted"    // sources contradict each other: there is no value
)

// Grounds returns every ground, in the order of the rule.
func Grounds() []Ground {
	return []Ground{ByCorrection, BySignature, ByZone, ByBarcode, ByPrint, ByUnverifiedZone, ByNone}
}

// Outputs are the facts of one person and their document. A fact that no source states is nil.
type Outputs struct {
	FamilyName  *Fact           `json:"family_name"`
	GivenNames  *Fact           `json:"given_names"`
	DateOfBirth *Fact           `json:"date_of_birth" doc:"YYYY-MM-DD; XX for a month or day that the document does not know"`
	Sex         *Fact           `json:"sex" doc:"F, M or X"`
	Nationality *Fact           `json:"nationality" doc:"Code of ICAO 9303-3 §5, three letters"`
	Address     *Fact           `json:"address" doc:"As the document states it"`
	Document    DocumentOutputs `json:"document"`
	Credentials []Credential    `json:"credentials" nullable:"false" doc:"What was disclosed of credentials that the workflow names by their type; often none"`
}

// DocumentOutputs are the facts of the document itself.
type DocumentOutputs struct {
	Kind         *Fact `json:"kind" doc:"passport, id_card, visa, residence_permit or driving_licence"`
	Number       *Fact `json:"number"`
	Issuer       *Fact `json:"issuer" doc:"Code of ICAO 9303-3 §5, three letters"`
	DateOfIssue  *Fact `json:"date_of_issue" doc:"YYYY-MM-DD"`
	DateOfExpiry *Fact `json:"date_of_expiry" doc:"YYYY-MM-DD"`
}

// KindName names the kind of the document among the facts. It is no claim: no source states it in so many words.
const KindName idv.ClaimName = "document_kind"

// Fact is one fact, with where it comes from.
type Fact struct {
	Name       idv.ClaimName     `json:"-"`
	Value      *string           `json:"value" doc:"Null where sources contradict each other and nothing settles it"`
	Rule       Ground            `json:"rule" doc:"Which row of the rule chose the value"`
	Spelling   *idv.ClaimSource  `json:"spelling" doc:"The source whose way of writing the value has; null where there is no value"`
	Sources    []idv.ClaimSource `json:"sources" nullable:"false" doc:"Those that state this value, in this or another spelling"`
	Disagree   []idv.ClaimSource `json:"disagree" nullable:"false" doc:"Those that state something else"`
	Correction *Corrected        `json:"correction" doc:"By whom it was stated, and when; null unless the rule is correction"`
}

// Corrected says what kind of person stated a fact, and when. It does not say who.
type Corrected struct {
	By idv.ClaimSource `json:"by" doc:"reviewer"`
	At time.Time       `json:"at"`
}

// Facts returns the facts that are there, in the order of a form.
func (o Outputs) Facts() []Fact {
	d := o.Document
	var out []Fact
	for _, f := range []*Fact{
		o.FamilyName, o.GivenNames, o.DateOfBirth, o.Sex, o.Nationality, o.Address, d.Kind, d.Number, d.Issuer, d.DateOfIssue, d.DateOfExpiry,
	} {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}
