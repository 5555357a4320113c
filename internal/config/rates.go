package config

// Rates say how often a credential may call, in any minute. 0 is the default.
type Rates struct {
	KeyRate       uint `help:"Calls a minute of one API key. Default 300." placeholder:"N"`
	ApplicantRate uint `help:"Calls a minute of one applicant's session. Default 120." placeholder:"N"`
	MemberRate    uint `help:"Calls a minute of one person who is signed in to the console. Default 600." placeholder:"N"`
	AddressRate   uint `help:"Calls a minute of one network address without a credential. Default 300." placeholder:"N"`
}
