package wire

import (
	"encoding/hex"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/trust/why"
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
	Lists      []TrustList      `json:"lists" nullable:"false" doc:"Master lists and VICALs in force"`
	Revoked    []TrustRevoked   `json:"revocation_lists" nullable:"false" doc:"Revocation lists in force"`
	Warnings   []TrustWarning   `json:"warnings" nullable:"false" doc:"What somebody should look at, the most pressing first"`
}

// TrustList is a list of authorities in force.
type TrustList struct {
	Update       idv.TrustUpdateID `json:"update"`
	Kind         register.Kind     `json:"kind" enum:"master_list,vical"`
	Scope        string            `json:"scope" doc:"Country whose state signed a master list, or provider of a VICAL"`
	Dated        time.Time         `json:"dated" doc:"When it was signed"`
	Certificates int               `json:"certificates"`
	Usable       bool              `json:"usable" doc:"false if its signer is not trusted any more"`
}

// TrustRevoked is a revocation list in force.
type TrustRevoked struct {
	Update  idv.TrustUpdateID `json:"update"`
	Purpose trust.Purpose     `json:"purpose" enum:"csca,iaca,issuer,vical"`
	Scope   string            `json:"scope" doc:"Country, docType or vct"`
	Issuer  string            `json:"issuer"`
	Dated   time.Time         `json:"dated"`
	Until   *time.Time        `json:"until" doc:"When the next one is due; null where it does not say"`
	Entries int               `json:"entries" doc:"Certificates that it revokes"`
	Usable  bool              `json:"usable" doc:"false if it is out of date, or its signer is not trusted any more; signers are then not checked"`
}

// TrustWarning is something that somebody should look at.
type TrustWarning struct {
	Kind    register.Worry    `json:"kind" enum:"authority_expired,authority_expires,list_old,revocation_old,revocation_ends"`
	Purpose trust.Purpose     `json:"purpose" enum:"csca,iaca,issuer,vical"`
	Scope   string            `json:"scope" doc:"Country, docType, vct or provider"`
	Update  idv.TrustUpdateID `json:"update" doc:"Of a list; empty for an authority"`
	At      time.Time         `json:"at" doc:"When it expires or expired; for a master list, when it was signed"`
}

// TrustAnswer says why a file is trusted or not.
type TrustAnswer struct {
	Kind       why.Kind       `json:"kind" enum:"certificate,security_object,master_list,sd_jwt,mdoc"`
	Purpose    trust.Purpose  `json:"purpose" enum:"csca,iaca,issuer" doc:"What an anchor was looked for"`
	Scope      string         `json:"scope" doc:"Country, docType or vct"`
	Trusted    bool           `json:"trusted"`
	Signer     *Certificate   `json:"signer" doc:"null if none can be read"`
	Revocation string         `json:"revocation" enum:"good,not_checked,revoked"`
	Refusals   []TrustRefusal `json:"refusals" nullable:"false" doc:"Why it is not trusted; none if it is"`
	Chain      []Certificate  `json:"chain" nullable:"false" doc:"From the signer to the anchor; empty if there is none"`
	Anchor     *TrustAnchor   `json:"anchor" doc:"null if there is none"`
	Tried      []TrustTried   `json:"tried" nullable:"false" doc:"Anchors that were tried, at most 50"`
	Missing    string         `json:"missing" doc:"Name and key of the certificate that is missing; empty if none is"`
}

// TrustRefusal is one reason.
type TrustRefusal struct {
	Code refusal.Code `json:"code" doc:"A code of the catalogue"`
	Says string       `json:"says"`
}

// TrustTried is an anchor that is not the issuer, and why.
type TrustTried struct {
	Anchor TrustAnchor  `json:"anchor"`
	Code   refusal.Code `json:"code" doc:"A code of the catalogue"`
	Says   string       `json:"says"`
}

// TrustCountry counts the authorities of one country.
type TrustCountry struct {
	Country    string    `json:"country" doc:"Code of ISO 3166-1, or that of an organisation"`
	Roots      int       `json:"roots"`
	Links      int       `json:"links" doc:"Certificates that connect two generations; they begin no trust"`
	Valid      int       `json:"valid" doc:"Roots that are valid now. Expired ones still prove what was signed in their time"`
	Later      int       `json:"valid_in_90_days" doc:"Roots that will be valid in 90 days"`
	Expired    int       `json:"expired"`
	Soon       int       `json:"expire_within_90_days"`
	LastExpiry time.Time `json:"last_expiry"`
}

// TrustAnchor is a certificate that is trusted for one purpose.
type TrustAnchor struct {
	Purpose     trust.Purpose `json:"purpose" enum:"csca,iaca,issuer,vical"`
	Scope       string        `json:"scope" doc:"Country, docType or vct"`
	Source      string        `json:"source" doc:"Where it is from, as the one who uploaded it said"`
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
	KeyID     string    `json:"key_id" doc:"Subject key identifier, hexadecimal; empty where none is stated"`
	IssuerKey string    `json:"issuer_key_id" doc:"Authority key identifier, hexadecimal; empty where none is stated"`
	SHA256    string    `json:"sha256"`
}

// TrustUpdate is one change of what is trusted.
type TrustUpdate struct {
	ID         idv.TrustUpdateID `json:"id"`
	Mode       idv.Mode          `json:"mode" enum:"live,test"`
	Kind       register.Kind     `json:"kind" enum:"anchor,master_list,vical,revocation_list,removal"`
	State      register.State    `json:"state" enum:"pending,in_force,declined,replaced,undone"`
	Purpose    trust.Purpose     `json:"purpose" doc:"csca, iaca, issuer or vical; empty for a removal"`
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
		KeyID: hex.EncodeToString(c.SubjectKeyID), IssuerKey: hex.EncodeToString(c.AuthorityKeyID), SHA256: c.Fingerprint(),
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
		Unusable: []UnusableUpdate{}, Lists: []TrustList{}, Revoked: []TrustRevoked{}, Warnings: []TrustWarning{},
	}
	for _, v := range c.Countries {
		out.Countries = append(out.Countries, TrustCountry{
			Country: v.Country, Roots: v.Roots, Links: v.Links, Valid: v.Valid, Later: v.Later, Expired: v.Expired, Soon: v.Soon, LastExpiry: v.Last.UTC(),
		})
	}
	for _, a := range c.Anchors {
		out.Others = append(out.Others, TrustAnchorOf(a))
	}
	for _, l := range c.Lists {
		out.Lists = append(out.Lists, TrustList{
			Update: l.Update, Kind: l.Kind, Scope: l.Scope, Dated: l.Dated.UTC(), Certificates: l.Certificates, Usable: l.Usable,
		})
	}
	for _, l := range c.Revocations {
		out.Revoked = append(out.Revoked, TrustRevoked{
			Update: l.Update, Purpose: l.Purpose, Scope: l.Scope, Issuer: l.Issuer, Dated: l.Dated.UTC(), Until: OptionalTime(l.Until),
			Entries: l.Entries, Usable: l.Usable,
		})
	}
	for _, w := range c.Warnings {
		out.Warnings = append(out.Warnings, TrustWarning{Kind: w.Worry, Purpose: w.Purpose, Scope: w.Scope, Update: w.Update, At: w.At.UTC()})
	}
	for _, u := range c.Unusable {
		out.Unusable = append(out.Unusable, UnusableUpdate{Update: u.Update, Code: u.Refusal.Code, Says: u.Refusal.Says})
	}
	return out
}

// TrustAnchorOf returns the wire form of an anchor.
func TrustAnchorOf(a trust.Anchor) TrustAnchor {
	return TrustAnchor{Purpose: a.Purpose, Scope: a.Scope, Source: a.Source, Certificate: *CertificateOf(a.Certificate)}
}

// mostTried is the number of anchors in an answer that were tried.
const mostTried = 50

// TrustAnswerOf returns the wire form of why a file is trusted or not.
func TrustAnswerOf(a why.Answer) TrustAnswer {
	out := TrustAnswer{
		Kind: a.Kind, Purpose: a.Purpose, Scope: a.Scope, Trusted: a.Trusted(), Signer: CertificateOf(a.Signer), Revocation: string(a.Revocation),
		Refusals: []TrustRefusal{}, Chain: []Certificate{}, Tried: []TrustTried{}, Missing: a.Trust.Missing,
	}
	for _, r := range a.Refusals {
		if out.Refusals = append(out.Refusals, TrustRefusal{Code: r.Code, Says: r.Says}); r.Code == trust.Revoked {
			out.Revocation = "revoked"
		}
	}
	if chain := a.Trust.Chain; chain != nil {
		for _, c := range chain.Path {
			out.Chain = append(out.Chain, *CertificateOf(c))
		}
		anchor := TrustAnchorOf(chain.Anchor)
		out.Anchor = &anchor
	}
	for _, x := range a.Trust.Tried {
		if len(out.Tried) < mostTried {
			out.Tried = append(out.Tried, TrustTried{Anchor: TrustAnchorOf(x.Anchor), Code: x.Refusal.Code, Says: x.Refusal.Says})
		}
	}
	return out
}
