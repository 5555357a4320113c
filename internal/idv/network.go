package idv

import "slices"

// NetworkChecks returns the checks about the network from which a session was opened. They are among SeenChecks, refer and never decline.
func NetworkChecks() []CheckKind {
	return []CheckKind{CheckNetworkKnown, CheckNetworkCountry, CheckNetworkKind}
}

// AboutNetwork reports whether the check looks at the network from which a session was opened, and at no other session.
func (k CheckKind) AboutNetwork() bool { return slices.Contains(NetworkChecks(), k) }

// NetworkOrigin is what the operator's files say about the address from which a session was opened. The address itself is not kept.
type NetworkOrigin struct {
	Country   string     `json:"country,omitempty" doc:"Code of ISO 3166-1 alpha-3, as that of the document"`
	ASN       uint32     `json:"asn,omitempty" doc:"Number of the autonomous system, which is that of a provider"`
	Hosting   bool       `json:"hosting,omitempty" doc:"A data centre rather than a home, an office or a phone"`
	Anonymous bool       `json:"anonymous,omitempty" doc:"A VPN, a proxy, a relay or an exit of Tor"`
	Gaps      OriginGaps `json:"gaps,omitzero" doc:"Why a question has no answer, or not a whole one"`
}

// OriginGaps say why a question about a network has no answer. Empty: it has one.
type OriginGaps struct {
	Country OriginGap `json:"country,omitempty"`
	ASN     OriginGap `json:"asn,omitempty"`
	Kind    OriginGap `json:"kind,omitempty"` // of Hosting and Anonymous; what the other files say of them still counts
}

// OriginGap is why a question about a network has no answer.
type OriginGap string

// The gaps, in the order in which they are named where several apply.
const (
	OriginNoAddress OriginGap = "no_address"  // the address of the applicant is not known
	OriginBroken    OriginGap = "file_broken" // a file that may answer cannot be read
	OriginOld       OriginGap = "file_old"    // the file that answers is older than the operator allows
	OriginNoFile    OriginGap = "no_file"     // no file answers the question
	OriginUnlisted  OriginGap = "not_listed"  // the files do not say it of this address
)

// Unread reports whether the question could not be asked: it has no answer for another reason than that the files give none for the address.
func (g OriginGap) Unread() bool { return g != "" && g != OriginUnlisted }

// Read reports whether every question that a file answers could be asked, and there is such a file.
func (o NetworkOrigin) Read() bool {
	none := true
	for _, g := range []OriginGap{o.Gaps.Country, o.Gaps.ASN, o.Gaps.Kind} {
		if g.Unread() && g != OriginNoFile {
			return false
		}
		none = none && g == OriginNoFile
	}
	return !none
}

// UnreadOrigin is what is known of a network where no question could be asked.
func UnreadOrigin(why OriginGap) NetworkOrigin {
	return NetworkOrigin{Gaps: OriginGaps{Country: why, ASN: why, Kind: why}}
}
