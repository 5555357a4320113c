package httpapi

import (
	"encoding/json"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// SetupState says whether the first owner has still to be made.
type SetupState struct {
	Needed   bool   `json:"needed"`
	Origin   string `json:"origin" doc:"Where pages have to be opened for passkeys to work: scheme, host and port of --public-url"`
	Passkeys bool   `json:"passkeys" doc:"Whether passkeys can be used there"`
	SSO      string `json:"sso" doc:"What single sign-on is called; empty where there is none"`
}

// SetupAnswer makes the first owner.
type SetupAnswer struct {
	Token    string `json:"token" minLength:"20" maxLength:"128" doc:"The setup token that the server printed"`
	Name     string `json:"name" minLength:"1" maxLength:"100"`
	Email    string `json:"email" minLength:"3" maxLength:"254"`
	Password string `json:"password" minLength:"12" maxLength:"256" doc:"At least 12 characters"`
}

// Credentials are what one signs in with.
type Credentials struct {
	Email    string `json:"email" minLength:"1" maxLength:"254"`
	Password string `json:"password" minLength:"1" maxLength:"256"`
	Code     string `json:"one_time_code,omitempty" maxLength:"40" doc:"Of the authenticator app, or a recovery code; where the answer was auth.second_factor"`

	Passkey *PasskeyShown `json:"passkey,omitempty" doc:"In place of the code: the answer of one of the member's passkeys"`
}

// Me is the person who is signed in.
type Me struct {
	ID    idv.UserID     `json:"id"`
	Name  string         `json:"name"`
	Email string         `json:"email"`
	Roles []account.Role `json:"roles" nullable:"false"`
	May   []string       `json:"may" doc:"Every permission that the roles give"`

	Masked []string `json:"masked" nullable:"false" doc:"Those of them that are given with personal data masked, in one mode at least"`

	SecondFactor  bool      `json:"second_factor" doc:"Whether signing in with the password asks for more"`
	App           bool      `json:"authenticator_app" doc:"Whether an authenticator app is set up"`
	Password      bool      `json:"password" doc:"Whether there is a password"`
	RecoveryCodes int       `json:"recovery_codes" doc:"How many recovery codes are left"`
	Passkeys      []Passkey `json:"passkeys" nullable:"false" doc:"Oldest first"`
	SSO           bool      `json:"sso" doc:"Whether single sign-on opens this account"`
}

// ConsoleSessionPage is one page of sessions with the number of sessions in each state.
type ConsoleSessionPage struct {
	Items  []Session                `json:"items"`
	Next   string                   `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Counts map[idv.SessionState]int `json:"counts" doc:"Sessions of this mode by state, whatever the filter"`
}

// SessionFile is everything there is about one session.
type SessionFile struct {
	Session   Session     `json:"session"`
	Report    *idv.Report `json:"report" doc:"Null before it was decided"`
	Decisions []Decision  `json:"decisions" doc:"Newest first"`
	Captures  []Capture   `json:"captures" doc:"Pictures as they were sent, oldest first"`
	Artifacts []Artifact  `json:"artifacts" doc:"What was found in them"`
	Timeline  []Event     `json:"timeline" doc:"What happened, oldest first"`
	Case      *Case       `json:"case" doc:"The newest case; null where it never waited for a person"`
	Reviews   []Review    `json:"reviews" doc:"What people said about its cases, oldest first"`
	Members   []Member    `json:"members" doc:"Who decided, by name"`
	Holds     []Hold      `json:"holds" doc:"Legal holds, oldest first; to whoever may set them"`
	Receipt   *Receipt    `json:"receipt" doc:"Of the newest erasing; null where nothing was erased"`
}

// Capture is a picture that was sent. It never changes.
type Capture struct {
	ID        idv.CaptureID   `json:"id"`
	Step      idv.Step        `json:"step"`
	Side      idv.Side        `json:"side"`
	Kind      idv.CaptureKind `json:"kind"`
	Width     *int            `json:"width" doc:"Of the upright picture in pixels; null where it was not measured"`
	Height    *int            `json:"height"`
	CreatedAt time.Time       `json:"created_at"`
	URL       string          `json:"url" doc:"The upright picture without metadata; each view is audited. Empty for whoever may not open it"`
}

// Artifact is a thing found in a capture, or the reason why it was not found there.
type Artifact struct {
	ID      idv.ArtifactID   `json:"id"`
	Capture idv.CaptureID    `json:"capture"`
	Kind    idv.ArtifactKind `json:"kind"`
	Side    idv.Side         `json:"side"`
	Present bool             `json:"present"`
	Absent  string           `json:"absent" doc:"Code of the reason, when it is not present"`
	Data    json.RawMessage  `json:"data,omitempty" doc:"What it says, by kind; never a face template"`
	URL     string           `json:"url,omitempty" doc:"The derived picture, where there is one"`
}

// Event is one line of a session's timeline.
type Event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type" example:"session.opened"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor" doc:"Kind of whoever did it: applicant, api_key, user or system"`
	Payload json.RawMessage `json:"payload,omitempty" doc:"Codes and ids only; no personal data"`
}
