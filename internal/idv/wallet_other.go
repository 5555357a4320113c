package idv

import (
	"regexp"
	"slices"
)

// WalletOther asks wallets for a credential that no preset has, by its type.
type WalletOther struct {
	Format string        `json:"format"` // WalletSDJWT or WalletMDoc
	Type   string        `json:"type"`   // vct or docType
	Claims []WalletClaim `json:"claims"` // one at least is not optional
}

// WalletClaim is one claim that is asked for.
type WalletClaim struct {
	Path     []string `json:"path"`               // names from the outside in; of a mobile document name space and element
	Optional bool     `json:"optional,omitempty"` // a wallet without it answers, too
}

// The formats of credentials, as DCQL calls them (OpenID4VP 1.0 annex B).
const (
	WalletSDJWT = "dc+sd-jwt"
	WalletMDoc  = "mso_mdoc"
)

// WalletFormats returns every format.
func WalletFormats() []string { return []string{WalletSDJWT, WalletMDoc} }

// Limits of what is asked for.
const (
	MostWalletOthers = 5
	MostWalletClaims = 30
	MostWalletSteps  = 6 // of a path
)

// presetTypes are the types of credentials that presets ask for.
var presetTypes = []string{"urn:eudi:pid:1", "eu.europa.ec.eudi.pid.1", "org.iso.18013.5.1.mDL", "eu.europa.ec.av.1"}

// HasWalletPreset reports whether a preset asks for credentials of a type.
func HasWalletPreset(credentialType string) bool { return slices.Contains(presetTypes, credentialType) }

// walletName is a type of credential, or a step of a path. Control characters, spaces and what could end a line are left out.
var walletName = regexp.MustCompile(`^[!-~]{1,200}$`)

// IsWalletName reports whether a text can be a type of credential or a step of a path.
func IsWalletName(s string) bool { return walletName.MatchString(s) }

// IsPath reports whether a claim's path can lead somewhere in a credential of a format.
func (c WalletClaim) IsPath(format string) bool {
	if len(c.Path) == 0 || len(c.Path) > MostWalletSteps || format == WalletMDoc && len(c.Path) != 2 {
		return false
	}
	return !slices.ContainsFunc(c.Path, func(step string) bool { return !IsWalletName(step) })
}

// asksOther reports whether one of the credentials is of a type that no preset has.
func asksOther(found Wallet) bool {
	return slices.ContainsFunc(found.Credentials, func(c WalletCredential) bool { return !HasWalletPreset(c.Type) })
}
