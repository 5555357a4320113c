package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// Trusted is what a mode trusts for signed evidence.
type Trusted struct {
	Mode       idv.Mode         `json:"mode" enum:"live,test"`
	TwoPersons bool             `json:"two_persons" doc:"Whether somebody else accepts than proposes, as the operator settled"`
	Countries  []TrustCountry   `json:"countries" nullable:"false" doc:"Those with a signing authority that is trusted, by code"`
	Gaps       []string         `json:"gaps" nullable:"false" doc:"States of ISO 3166-1 without a valid authority, by code"`
	Others     []TrustAnchor    `json:"others" nullable:"false" doc:"Anchors that are not a country's"`
	Updates    []TrustUpdate    `json:"updates" nullable:"false" doc:"Newest first, at most 200"`
	Unusable   []UnusableUpdate `json:"unusable" nullable:"false" doc:"What is in force and cannot be used, such as lists that are out of date"`
}

// TrustCountry counts the authorities of one country.
type TrustCountry struct {
	Country    string    `json:"country" doc:"Code of ISO 3166-1, or that of an organisation"`
	Roots      int       `json:"roots"`
	Links      int       `json:"links" doc:"Certificates that connect two generations; they begin no trust"`
	Expired    int       `json:"expired"`
	Soon       int       `json:"expire_within_90_days"`
	LastExpiry time.Time `json:"last_expiry"`
}

// TrustAnchor is a certificate that is trusted for one purpose.
type TrustAnchor struct {
	Purpose     trust.Purpose `json:"purpose" enum:"csca,iaca,issuer"`
	Scope       string        `json:"scope" doc:"Country, docType or vct"`
	Certificate Certificate   `json:"certificate"`
}

// Certificate is a certificate for people.
type Certificate struct {
	Subject   string    `json:"subject"`
	Issuer    string    `json:"issuer"`
	Serial    string    `json:"serial" doc:"Hexadecimal"`
	NotBefore time.Time `json:"not_before"`
	NotAfter  time.Time `json:"not_after"`
	Key       string    `json:"key" doc:"Kind and size; empty for one that cannot be used"`
	SHA256    string    `json:"sha256"`
}

// TrustUpdate is one change of what is trusted.
type TrustUpdate struct {
	ID         idv.TrustUpdateID `json:"id"`
	Mode       idv.Mode          `json:"mode" enum:"live,test"`
	Kind       register.Kind     `json:"kind" enum:"anchor,master_list,revocation_list,removal"`
	State      register.State    `json:"state" enum:"pending,in_force,declined,replaced,undone"`
	Purpose    trust.Purpose     `json:"purpose" doc:"csca, iaca or issuer; empty for a removal"`
	Scope      string            `json:"scope"`
	Subject    string            `json:"subject" doc:"Name of the authority or signer, or the fingerprint of what is removed"`
	Source     string            `json:"source" doc:"Where the file is from, as the one who uploaded it said"`
	SHA256     idv.Digest        `json:"sha256" doc:"Of the file"`
	Count      int               `json:"count" doc:"Certificates, or entries of a revocation list"`
	Dated      *time.Time        `json:"dated" doc:"When it was signed or begins to hold"`
	Proposed   *TrustAct         `json:"proposed"`
	Settled    *TrustAct         `json:"settled" doc:"When it was accepted or declined"`
	UndoAsked  *TrustAct         `json:"undo_asked" doc:"A first person asked to undo it"`
	Undone     *TrustAct         `json:"undone"`
	Difference *TrustDifference  `json:"difference,omitempty" doc:"Against what it replaces; absent in lists"`
}

// TrustAct is who did something to an update, and when.
type TrustAct struct {
	By   string    `json:"by" doc:"A member's id; empty for a command of the operator"`
	Name string    `json:"name" doc:"Of the member; empty if it was none, or they are gone"`
	At   time.Time `json:"at"`
}

// TrustDifference is what an update adds, removes and changes.
type TrustDifference struct {
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Changed int           `json:"changed"`
	Changes []TrustChange `json:"changes" nullable:"false" doc:"By country"`
}

// TrustChange is one certificate that differs.
type TrustChange struct {
	Kind    trust.Kind   `json:"kind" enum:"added,removed,changed"`
	Country string       `json:"country"`
	Before  *Certificate `json:"before" doc:"null where it was added"`
	After   *Certificate `json:"after" doc:"null where it was removed"`
}

// UnusableUpdate is an update that is in force and cannot be used.
type UnusableUpdate struct {
	Update idv.TrustUpdateID `json:"update"`
	Code   refusal.Code      `json:"code" doc:"A code of the catalogue"`
	Says   string            `json:"says"`
}

// TrustRemoval names a certificate that is not to be trusted.
type TrustRemoval struct {
	Mode   idv.Mode `json:"mode" enum:"live,test"`
	SHA256 string   `json:"sha256" minLength:"64" maxLength:"95" doc:"Of the certificate, in hexadecimal"`
	Source string   `json:"source,omitempty" maxLength:"200" doc:"Why"`
}

// CertificateOf returns the wire form of a certificate; nil for none.
func CertificateOf(c *pki.Certificate) *Certificate {
	if c == nil {
		return nil
	}
	out := &Certificate{
		Subject: c.Subject.String(), Issuer: c.Issuer.String(), Serial: c.Serial.Text(16), NotBefore: c.NotBefore.UTC(), NotAfter: c.NotAfter.UTC(),
		SHA256: c.Fingerprint(),
	}
	if c.Key != nil {
		out.Key = c.Key.String()
	}
	return out
}

// TrustUpdateOf returns the wire form of an update, with the names of members by their ids.
func TrustUpdateOf(u register.Update, names map[idv.UserID]string) TrustUpdate {
	act := func(by string, at time.Time) *TrustAct {
		if at.IsZero() {
			return nil
		}
		return &TrustAct{By: by, Name: names[idv.UserID(by)], At: at.UTC()}
	}
	return TrustUpdate{
		ID: u.ID, Mode: u.Mode, Kind: u.Kind, State: u.State, Purpose: u.Purpose, Scope: u.Scope, Subject: u.Subject, Source: u.Source, SHA256: u.Digest,
		Count: u.Count, Dated: OptionalTime(u.Dated), Proposed: act(u.ProposedBy, u.ProposedAt), Settled: act(u.SettledBy, u.SettledAt),
		UndoAsked: act(u.UndoBy, u.UndoAt), Undone: act(u.UndoneBy, u.UndoneAt),
	}
}

// TrustDifferenceOf returns the wire form of a difference.
func TrustDifferenceOf(changes []trust.Change) *TrustDifference {
	out := &TrustDifference{Changes: []TrustChange{}}
	for _, c := range changes {
		switch c.Kind {
		case trust.Added:
			out.Added++
		case trust.Removed:
			out.Removed++
		case trust.Changed:
			out.Changed++
		}
		out.Changes = append(out.Changes, TrustChange{Kind: c.Kind, Country: c.Country, Before: CertificateOf(c.Before), After: CertificateOf(c.After)})
	}
	return out
}

// TrustedOf returns the wire form of what a mode trusts, without its updates.
func TrustedOf(mode idv.Mode, two bool, c register.Coverage, gaps []string) Trusted {
	out := Trusted{
		Mode: mode, TwoPersons: two, Countries: []TrustCountry{}, Gaps: NonNil(gaps), Others: []TrustAnchor{}, Updates: []TrustUpdate{},
		Unusable: []UnusableUpdate{},
	}
	for _, v := range c.Countries {
		out.Countries = append(out.Countries, TrustCountry{
			Country: v.Country, Roots: v.Roots, Links: v.Links, Expired: v.Expired, Soon: v.Soon, LastExpiry: v.Last.UTC(),
		})
	}
	for _, a := range c.Anchors {
		out.Others = append(out.Others, TrustAnchor{Purpose: a.Purpose, Scope: a.Scope, Certificate: *CertificateOf(a.Certificate)})
	}
	for _, u := range c.Unusable {
		out.Unusable = append(out.Unusable, UnusableUpdate{Update: u.Update, Code: u.Refusal.Code, Says: u.Refusal.Says})
	}
	return out
}
