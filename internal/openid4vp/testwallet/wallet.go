package testwallet

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// Choice is what the holder does with a request.
type Choice string

// The choices.
const (
	Share      Choice = "share"       // a good credential
	OtherName  Choice = "other_name"  // a good credential of somebody else
	OtherFace  Choice = "other_face"  // a good credential with the portrait of somebody else
	NoPortrait Choice = "no_portrait" // a good credential without a portrait; a driving licence always has one (ISO/IEC 18013-5 section 7.2.1)
	Expired    Choice = "expired"     // one that was good until yesterday
	Revoked    Choice = "revoked"     // one that its issuer revoked
	Decline    Choice = "decline"     // nothing
)

// Wallet answers requests.
type Wallet struct {
	Choice Choice
	Facts  map[idv.ClaimName]string // of the person; what is missing is invented
	Now    time.Time
}

// Answer returns what the browser's API would hand to a page for a request: an encrypted answer, or the wallet's error. The wallet has the
// credentials of the presets alone.
func (w Wallet) Answer(r *openid4vp.Request) ([]byte, error) {
	protocol := "openid4vp-v1-unsigned"
	if r.Signed {
		protocol = "openid4vp-v1-signed"
	}
	if w.Choice == Decline {
		return json.Marshal(map[string]any{"protocol": protocol, "data": map[string]any{"error": "access_denied"}})
	}
	by, err := newIssuer(w.Now)
	if err != nil {
		return nil, err
	}
	holder, err := keyOf("holder")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.Query.Credentials, func(c openid4vp.CredentialQuery) bool { return typeOf(c) != "" })
	if i < 0 { // nothing suitable, which a wallet says like this, too
		return json.Marshal(map[string]any{"protocol": protocol, "data": map[string]any{"error": "access_denied"}})
	}
	q := r.Query.Credentials[i]
	present := w.person
	if q.Format == openid4vp.MDoc {
		present = w.document
	}
	text, err := present(by, holder, q, r)
	if err != nil {
		return nil, err
	}
	sealed, err := r.Seal(map[string]any{"vp_token": map[string]any{q.ID: []string{text}}})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"protocol": protocol, "data": map[string]any{"response": sealed}})
}

// typeOf returns the type of credential that the wallet has for a query; empty for none.
func typeOf(q openid4vp.CredentialQuery) string {
	for _, t := range append(slices.Clone(q.Meta.Types), q.Meta.DocType) {
		if _, has := scopes[t]; has {
			return t
		}
	}
	return ""
}

// life is from when until when a credential is good.
func (w Wallet) life() (from, until time.Time) {
	day := w.Now.UTC().Truncate(time.Second)
	if w.Choice == Expired {
		return day.AddDate(0, -1, 0), day.AddDate(0, 0, -1)
	}
	return day.Add(-time.Hour), day.AddDate(0, 1, 0)
}

// index is the place of the credential in the status list.
func (w Wallet) index() int {
	if w.Choice == Revoked {
		return revokedAt
	}
	return soundAt
}

// portrait returns the portrait in the credential; nil for none. JPEG.
func (w Wallet) portrait() []byte {
	switch w.Choice {
	case OtherFace:
		return persona.OtherFace()
	case NoPortrait:
		return nil
	}
	return persona.Face()
}

// picture returns the portrait as the address that an SD-JWT credential has (PID Rulebook annex 3.1, section 4.1.1); nil for none.
func (w Wallet) picture() any {
	raw := w.portrait()
	if raw == nil {
		return nil
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(raw)
}

// nobody is the person where nothing else is known.
var nobody = map[idv.ClaimName]string{
	idv.FamilyName: "Persona", idv.GivenNames: "Test", idv.DateOfBirth: "1990-01-01", idv.Nationality: "UT", idv.Issuer: "UT",
	idv.DocumentNumber: "TEST00001", idv.Authority: "Test wallet", idv.Sex: "X",
}

// fact returns a fact about the person.
func (w Wallet) fact(name idv.ClaimName) string {
	switch name {
	case idv.FamilyName:
		if w.Choice == OtherName {
			return "Somebody-Else"
		}
	case idv.DateOfIssue:
		return w.Now.AddDate(-1, 0, 0).Format(time.DateOnly)
	case idv.DateOfExpiry:
		return w.Now.AddDate(5, 0, 0).Format(time.DateOnly)
	}
	if v := w.Facts[name]; v != "" && name != idv.Nationality && name != idv.Issuer && name != idv.DocumentNumber {
		return v
	}
	return nobody[name]
}

// facts are the names by which credentials call facts.
var facts = map[string]idv.ClaimName{
	"family_name": idv.FamilyName, "given_name": idv.GivenNames, "birthdate": idv.DateOfBirth, "birth_date": idv.DateOfBirth,
	"date_of_expiry": idv.DateOfExpiry, "expiry_date": idv.DateOfExpiry, "issue_date": idv.DateOfIssue, "document_number": idv.DocumentNumber,
	"nationality": idv.Nationality, "issuing_country": idv.Issuer, "issuing_authority": idv.Authority,
}

// reached reports whether the person has reached an age.
func (w Wallet) reached(years int) bool {
	born, err := time.Parse(time.DateOnly, w.fact(idv.DateOfBirth))
	return err == nil && !born.AddDate(years, 0, 0).After(w.Now)
}
