package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Team is everybody who may sign in, and who was asked to.
type Team struct {
	Members     []TeamMember `json:"members" doc:"Oldest first"`
	Invitations []Invitation `json:"invitations" doc:"Those that can still be taken up, newest first"`
}

// TeamMember is one person of the team.
type TeamMember struct {
	ID           idv.UserID     `json:"id"`
	Name         string         `json:"name"`
	Email        string         `json:"email"`
	Roles        []account.Role `json:"roles" nullable:"false"`
	SecondFactor bool           `json:"second_factor" doc:"Whether signing in with the password asks for more"`
	App          bool           `json:"authenticator_app"`
	Passkeys     int            `json:"passkeys" doc:"How many they have"`
	Password     bool           `json:"password" doc:"Whether there is a password"`
	SSO          bool           `json:"sso" doc:"Whether single sign-on opens the account; their roles follow it then"`
	CreatedAt    time.Time      `json:"created_at"`
	LastLoginAt  *time.Time     `json:"last_login_at"`
	DisabledAt   *time.Time     `json:"disabled_at" doc:"Null while the member may sign in"`
	Keys         []MemberKey    `json:"keys" nullable:"false"`
}

// MemberKey is an API key that a member made.
type MemberKey struct {
	ID         idv.KeyID  `json:"id"`
	Name       string     `json:"name"`
	Mode       idv.Mode   `json:"mode"`
	Prefix     string     `json:"prefix"`
	LastUsedAt *time.Time `json:"last_used_at"`
}

// KeepOut says what else ends when a member is kept out.
type KeepOut struct {
	RevokeKeys bool `json:"revoke_keys,omitempty"`
}

// Invitation is an invitation that was not taken up yet.
type Invitation struct {
	ID        idv.InvitationID `json:"id"`
	Email     string           `json:"email"`
	Roles     []account.Role   `json:"roles" nullable:"false"`
	InvitedBy idv.UserID       `json:"invited_by"`
	CreatedAt time.Time        `json:"created_at"`
	ExpiresAt time.Time        `json:"expires_at"`
	URL       string           `json:"url,omitempty" doc:"The link to hand over. Answered once, when the invitation is made"`
	Mailed    bool             `json:"mailed,omitempty" doc:"Whether the link is being mailed. Answered once, when the invitation is made"`
}

// NewInvitation says whom to invite.
type NewInvitation struct {
	Email string         `json:"email" minLength:"3" maxLength:"254"`
	Roles []account.Role `json:"roles" minItems:"1" maxItems:"7" nullable:"false"`
	Send  bool           `json:"send,omitempty" doc:"Mail the link as well. mail.off where the deployment sends no email"`
}

// NewRoles are a member's roles from now on.
type NewRoles struct {
	Roles []account.Role `json:"roles" minItems:"1" maxItems:"7" nullable:"false"`
}

// InvitationToken is what an invitation's link ends with.
type InvitationToken struct {
	Token string `json:"token" minLength:"20" maxLength:"128"`
}

// Invited is what the person who was invited sees first.
type Invited struct {
	Email     string         `json:"email"`
	Roles     []account.Role `json:"roles" nullable:"false"`
	ExpiresAt time.Time      `json:"expires_at"`
}

// JoinAnswer takes up an invitation.
type JoinAnswer struct {
	Token    string `json:"token" minLength:"20" maxLength:"128"`
	Name     string `json:"name" minLength:"1" maxLength:"100"`
	Password string `json:"password" minLength:"12" maxLength:"256" doc:"At least 12 characters"`
}

// NewPassword changes one's own password.
type NewPassword struct {
	Present  string `json:"present" minLength:"1" maxLength:"256" doc:"The password until now"`
	Password string `json:"password" minLength:"12" maxLength:"256" doc:"At least 12 characters"`
}

// BeginFactor asks for a second factor.
type BeginFactor struct {
	Present string `json:"present" minLength:"1" maxLength:"256" doc:"The present password"`
}

// FactorSecret is what an authenticator app has to know.
type FactorSecret struct {
	Secret string `json:"secret" doc:"Base32, to be typed"`
	URI    string `json:"uri" doc:"otpauth://…"`
	QR     QRCode `json:"qr" doc:"The URI as a QR code"`
}

// FactorCode is the code that an authenticator app shows.
type FactorCode struct {
	Code string `json:"one_time_code" minLength:"6" maxLength:"40"`
}

// RecoveryCodes replace the authenticator app when it is lost. Each works once.
type RecoveryCodes struct {
	Codes []string `json:"codes" nullable:"false" doc:"Answered this once"`
}

// RemoveFactor switches the second factor off.
type RemoveFactor struct {
	Present string `json:"present" minLength:"1" maxLength:"256" doc:"The present password"`
	Code    string `json:"one_time_code" maxLength:"40" doc:"A present code, or a recovery code"`
}

// TeamMemberOf returns the wire form of a member, with the API keys they made.
func TeamMemberOf(u account.User, keys []account.Key) TeamMember {
	out := TeamMember{
		ID: u.ID, Name: u.Name, Email: u.Email, Roles: u.Roles, SecondFactor: u.Factor.On(), App: u.Factor.App(),
		Passkeys: len(u.Factor.Passkeys), Password: u.PasswordHash != "", SSO: u.Subject != (account.Subject{}), CreatedAt: u.CreatedAt.UTC(),
		LastLoginAt: OptionalTime(u.LastLoginAt), DisabledAt: OptionalTime(u.DisabledAt), Keys: []MemberKey{},
	}
	for _, k := range keys {
		out.Keys = append(out.Keys, MemberKey{ID: k.ID, Name: k.Name, Mode: k.Mode, Prefix: k.Prefix, LastUsedAt: OptionalTime(k.LastUsedAt)})
	}
	return out
}

// InvitationOf returns the wire form of an invitation, without its link.
func InvitationOf(i account.Invitation) Invitation {
	return Invitation{
		ID: i.ID, Email: i.Email, Roles: i.Roles, InvitedBy: i.InvitedBy, CreatedAt: i.CreatedAt.UTC(), ExpiresAt: i.ExpiresAt.UTC(),
	}
}
