package idv

import (
	"slices"
	"time"
)

// WalletUse says how a workflow uses the credentials of a wallet.
type WalletUse string

// The uses.
const (
	WalletOff      WalletUse = "off"      // none is asked for
	WalletOffered  WalletUse = "offered"  // one that is presented counts; without one nothing is missing
	WalletRequired WalletUse = "required" // without one a person decides
)

// WalletUses returns every use.
func WalletUses() []WalletUse { return []WalletUse{WalletOff, WalletOffered, WalletRequired} }

// WalletAsk is a preset of what wallets are asked for.
type WalletAsk string

// The presets.
const (
	AskPID WalletAsk = "pid" // personal identification data of the EU, as SD-JWT VC or mobile document
	AskMDL WalletAsk = "mdl" // a mobile driving licence (ISO/IEC 18013-5, with the name space of AAMVA)
	AskAge WalletAsk = "age" // whether the person has reached the workflow's minimum age, and nothing else
)

// WalletAsks returns every preset.
func WalletAsks() []WalletAsk { return []WalletAsk{AskPID, AskMDL, AskAge} }

// TakesWallet reports whether wallets are asked.
func (w WorkflowVersion) TakesWallet() bool {
	return w.Wallet == WalletOffered || w.Wallet == WalletRequired
}

// AsksAgeOnly reports whether wallets are asked for an age and nothing else.
func (w WorkflowVersion) AsksAgeOnly() bool { return slices.Equal(w.WalletAsks, []WalletAsk{AskAge}) }

// WalletStanding says what a session has of a wallet.
type WalletStanding string

// The standings.
const (
	NoWallet     WalletStanding = ""         // nothing was presented, or it was not looked at yet
	WalletStands WalletStanding = "stands"   // it replaces the photographs of a document
	WalletBeside WalletStanding = "beside"   // it counts beside the photographs of a document
	WalletNoGood WalletStanding = "rejected" // it proves nothing
)

// WalletRequestLife is how long a wallet can answer a request.
const WalletRequestLife = 5 * time.Minute

// Wallet is the result of verifying what a wallet presented.
type Wallet struct {
	Valid       bool               `json:"valid"`        // trusted issuers signed all of it, it is in force, and it is what was asked for
	HolderBound bool               `json:"holder_bound"` // the holder's key signed it for this request
	Revocation  WalletRevocation   `json:"revocation"`   // of the credentials: the worst of their states
	Refusals    []ChipReason       `json:"refusals"`     // why it is not valid
	Notes       []ChipReason       `json:"notes"`        // what could not be checked
	Channel     string             `json:"channel"`      // response mode: direct_post, direct_post.jwt, dc_api, dc_api.jwt or org-iso-mdoc
	Verifier    string             `json:"verifier"`     // client_id, or the origin for the browser's API
	SameDevice  bool               `json:"same_device"`  // the browser that asked got the response code back; always for the browser's API
	Asked       []WalletAsked      `json:"asked"`
	Credentials []WalletCredential `json:"credentials"`
	Transcript  Digest             `json:"transcript"`       // SHA-256 of the session transcript that devices sign
	Country     string             `json:"country"`          // issuing state, as facts name it; empty if it was not disclosed
	Ages        []WalletAge        `json:"ages"`             // statements about reaching an age
	Cut         []ClaimName        `json:"cut,omitempty"`    // names that the issuer says are cut
	Portrait    string             `json:"portrait"`         // format of the portrait: jpeg or jp2; empty without one
	Names       bool               `json:"names,omitempty"`  // it states family name, given names and date of birth
	Values      []WalletValue      `json:"values,omitempty"` // what was disclosed of credentials that no preset has
	CheckedAt   time.Time          `json:"checked_at"`       // the moment for which it holds
}

// WalletRevocation is what is known about the revocation of a credential.
type WalletRevocation string

// The states. Unknown never passes.
const (
	WalletGood    WalletRevocation = "good"
	WalletRevoked WalletRevocation = "revoked" // or suspended
	WalletUnknown WalletRevocation = "unknown" // no list, or one that cannot be used
)

// WalletAsked is one credential that was asked for.
type WalletAsked struct {
	ID     string   `json:"id"`
	Format string   `json:"format"` // dc+sd-jwt or mso_mdoc
	Types  []string `json:"types"`  // accepted vct values, or one docType
	Claims []string `json:"claims"` // paths, steps joined by dots
}

// WalletCredential is one credential that was presented.
type WalletCredential struct {
	ID         string           `json:"id"`     // in the query
	Format     string           `json:"format"` // dc+sd-jwt or mso_mdoc
	Type       string           `json:"type"`   // vct or docType; empty if it could not be read
	Issuer     string           `json:"issuer"` // as an SD-JWT names it; empty otherwise
	Algorithm  string           `json:"algorithm"`
	Path       []ChipIssuer     `json:"path"`      // from the signer to the anchor; the signer alone if it leads to none
	Anchor     *ChipAnchor      `json:"anchor"`    // nil if the signer leads to none; Country is the docType or vct
	Missing    string           `json:"missing"`   // the certificate that is missing; empty if none is
	Disclosed  []string         `json:"disclosed"` // paths of the claims that were disclosed
	Signed     time.Time        `json:"signed,omitzero"`
	ValidFrom  time.Time        `json:"valid_from,omitzero"`
	ValidUntil time.Time        `json:"valid_until,omitzero"`
	Presented  time.Time        `json:"presented,omitzero"` // when the holder signed, as the holder says
	Revocation WalletRevocation `json:"revocation"`
	StatusList string           `json:"status_list"`  // address; empty if the credential names none
	StatusAt   int64            `json:"status_index"` // in the list
}

// WalletAge is a statement that the holder has, or has not, reached an age.
type WalletAge struct {
	Over int  `json:"over"` // years
	Is   bool `json:"is"`
}

// WalletValue is one claim of a credential that no preset has.
type WalletValue struct {
	Credential string `json:"credential"` // id in the query
	Path       string `json:"path"`       // steps joined by slashes
	Value      string `json:"value"`      // text as it is, anything else as JSON
}

// StandingOf returns how far a wallet replaces the photographs of a document. It stands in their place only if the workflow allows it and
// it leaves nothing open that the workflow asks about: revocation, the issuing state, a portrait where a face is compared, and who the person is.
func (w WorkflowVersion) StandingOf(found Wallet, portrait bool) WalletStanding {
	switch {
	case !found.Valid || !found.HolderBound || found.Revocation == WalletRevoked:
		return WalletNoGood
	case !w.WalletInstead,
		w.Requires(CheckWalletRevocation) && found.Revocation != WalletGood,
		w.TakesFace() && !portrait,
		asksOther(found) && !found.Names,
		!w.AsksAgeOnly() && !w.AcceptsIssuer(found.Country):
		return WalletBeside
	}
	return WalletStands
}
