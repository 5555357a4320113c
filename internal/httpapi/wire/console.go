package wire

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// SetupState says whether the first owner has still to be made.
type SetupState struct {
	Needed   bool   `json:"needed"`
	Origin   string `json:"origin" doc:"Where pages have to be opened for passkeys to work: scheme, host and port of --public-url"`
	Passkeys bool   `json:"passkeys" doc:"Whether passkeys can be used there"`
	SSO      string `json:"sso" doc:"What single sign-on is called; empty where there is none"`
	Mail     bool   `json:"mail" doc:"Whether the deployment sends email: a forgotten password can be reset, invitations and links can be mailed"`
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

	Notices        []account.Notice `json:"notices" nullable:"false" doc:"The notices that they asked for by mail"`
	OfferedNotices []account.Notice `json:"offered_notices" nullable:"false" doc:"What their roles let them ask for"`

	Failures *SignInFailures `json:"failures,omitempty" doc:"What failed between this sign-in and the one before; absent for nothing"`
}

// SignInFailures are wrong passwords and codes that somebody tried to sign in with.
type SignInFailures struct {
	Passwords int       `json:"passwords" minimum:"0" doc:"Wrong passwords"`
	Codes     int       `json:"codes" minimum:"0" doc:"Wrong codes after the right password"`
	Since     time.Time `json:"since" doc:"When the first was tried"`
}

// ConsoleSessionPage is one page of sessions with the number of sessions in each state.
type ConsoleSessionPage struct {
	Items  []Session                `json:"items"`
	Next   string                   `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Counts map[idv.SessionState]int `json:"counts" doc:"Sessions of this mode by state, whatever the filter"`
	Total  *int                     `json:"total,omitempty" doc:"How many the filter leaves; only where it was asked for"`
	About  []SessionAbout           `json:"about" doc:"What the list shows besides of each item, in the same order"`
}

// SessionAbout is what the console's list shows of a session besides the session itself.
type SessionAbout struct {
	ID      idv.SessionID            `json:"id"`
	Person  map[idv.ClaimName]string `json:"person" nullable:"false" doc:"Name, as far as known; empty without the right to reports"`
	Reasons []string                 `json:"reasons" nullable:"false" doc:"Codes of the newest decision, gravest first"`
}

// RelatedSession is another session of the same document or person.
type RelatedSession struct {
	ID                idv.SessionID      `json:"id"`
	State             idv.SessionState   `json:"state"`
	ExternalReference string             `json:"external_reference"`
	DocumentKind      *idv.DocumentKind  `json:"document_kind"`
	CreatedAt         time.Time          `json:"created_at"`
	By                []session.Relation `json:"by" enum:"document,person" doc:"The same number of a document; the same name and date of birth"`
}

// RelatedOf returns the wire forms of related sessions.
func RelatedOf(found []session.Related) []RelatedSession {
	out := []RelatedSession{}
	for _, r := range found {
		out = append(out, RelatedSession{
			ID: r.Session.ID, State: r.Session.State, ExternalReference: r.Session.ExternalReference,
			DocumentKind: OptionalText(r.Session.DocumentKind), CreatedAt: r.Session.CreatedAt.UTC(), By: r.By,
		})
	}
	return out
}

// AboutOf returns what the list shows of sessions besides.
func AboutOf(of []Session, names map[idv.SessionID]session.Name, reasons map[idv.SessionID][]string) []SessionAbout {
	out := []SessionAbout{}
	for _, s := range of {
		out = append(out, SessionAbout{ID: s.ID, Person: NonNilMap(names[s.ID]), Reasons: NonNil(reasons[s.ID])})
	}
	return out
}

// SessionFile is everything there is about one session.
type SessionFile struct {
	Session   Session           `json:"session"`
	Report    *idv.Report       `json:"report" doc:"Null before it was decided"`
	Verified  *verified.Outputs `json:"verified"`
	Decisions []Decision        `json:"decisions" doc:"Newest first"`
	Captures  []Capture         `json:"captures" doc:"Pictures as they were sent, oldest first"`
	Artifacts []Artifact        `json:"artifacts" doc:"What was found in them"`
	Earlier   []Capture         `json:"earlier" nullable:"false" doc:"Pictures of earlier tries, which were replaced since, oldest first"`
	Timeline  []Event           `json:"timeline" doc:"What happened, oldest first"`
	Case      *Case             `json:"case" doc:"The newest case; null where it never waited for a person"`
	Reviews   []Review          `json:"reviews" doc:"What people said about its cases, oldest first"`
	Members   []Member          `json:"members" doc:"Who decided, by name"`
	Holds     []Hold            `json:"holds" doc:"Legal holds, oldest first; to whoever may set them"`
	Receipt   *Receipt          `json:"receipt" doc:"Of the newest erasing; null where nothing was erased"`
	Related   []RelatedSession  `json:"related" nullable:"false" doc:"Others of this mode by the same document or person, newest first; for whoever may search"`
}

// Capture is a picture that was sent. It never changes.
type Capture struct {
	ID        idv.CaptureID   `json:"id"`
	Step      idv.Step        `json:"step"`
	Side      idv.Side        `json:"side"`
	Kind      idv.CaptureKind `json:"kind"`
	Source    idv.Source      `json:"source" enum:",camera,file" doc:"Where it came from, as the person's page said; empty where it said nothing"`
	Width     *int            `json:"width" doc:"Of the upright picture in pixels; null where it was not measured"`
	Height    *int            `json:"height"`
	CreatedAt time.Time       `json:"created_at"`
	URL       string          `json:"url" doc:"The upright picture without metadata; each view is audited. Empty for whoever may not open it"`
}

// Artifact is a thing found in a capture, or the reason why it was not found there.
type Artifact struct {
	ID       idv.ArtifactID   `json:"id"`
	Capture  idv.CaptureID    `json:"capture"`
	Kind     idv.ArtifactKind `json:"kind"`
	Side     idv.Side         `json:"side"`
	Present  bool             `json:"present"`
	Absent   string           `json:"absent" doc:"Code of the reason, when it is not present"`
	Producer string           `json:"producer,omitempty" doc:"The reader that made it, with its models"`
	Version  string           `json:"version,omitempty" doc:"Of the reader. Later ones leave what was made before as it is"`
	Data     json.RawMessage  `json:"data,omitempty" doc:"What it says, by kind; never a face template"`
	URL      string           `json:"url,omitempty" doc:"The derived picture, where there is one"`
}

// Event is one line of a session's timeline.
type Event struct {
	ID      string          `json:"id"`
	Type    string          `json:"type" example:"session.opened"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor" doc:"Kind of whoever did it: applicant, api_key, user or system"`
	Payload json.RawMessage `json:"payload,omitempty" doc:"Codes and ids only; no personal data"`
}

// MeOf returns a member as they see themselves.
func MeOf(u account.User) Me {
	out := Me{
		ID: u.ID, Name: u.Name, Email: u.Email, Roles: u.Roles, May: []string{}, Masked: []string{},
		SecondFactor: u.Factor.On(), App: u.Factor.App(), RecoveryCodes: len(u.Factor.Recovery),
		Password: u.PasswordHash != "", Passkeys: passkeysOf(u), SSO: u.Subject != (account.Subject{}),
		Notices: NonNil(u.Notices), OfferedNotices: account.NoticesFor(u.Roles),
	}
	if f := u.Failures; f.Any() {
		out.Failures = &SignInFailures{Passwords: f.Passwords, Codes: f.Codes, Since: f.Since}
	}
	for _, p := range account.Permissions(u.Roles) {
		out.May = append(out.May, string(p))
	}
	for _, p := range account.MaskedPermissions(u.Roles) {
		out.Masked = append(out.Masked, string(p))
	}
	return out
}

// CapturesOf returns the wire forms of captures with the addresses of their pictures below base, and their sizes where a page was measured.
func CapturesOf(base string, captures []idv.Capture, artifacts []idv.Artifact) []Capture {
	out := []Capture{}
	for _, c := range captures {
		w := Capture{ID: c.ID, Step: c.Step, Side: c.Side, Kind: c.Kind, Source: c.Source, CreatedAt: c.CreatedAt.UTC(), URL: base + "/evidence/" + string(c.ID)}
		i := slices.IndexFunc(artifacts, func(a idv.Artifact) bool { return a.Capture == c.ID && a.Kind == idv.ArtifactPage && a.Present })
		if i >= 0 {
			if page, err := idv.ValueOf[idv.Page](artifacts[i]); err == nil && page.Width > 0 {
				w.Width, w.Height = &page.Width, &page.Height
			}
		}
		out = append(out, w)
	}
	return out
}

// ArtifactsOf returns the wire forms of artifacts with the addresses of their pictures below base. Face templates are left out.
func ArtifactsOf(base string, artifacts []idv.Artifact) []Artifact {
	out := []Artifact{}
	for _, a := range artifacts {
		w := Artifact{
			ID: a.ID, Capture: a.Capture, Kind: a.Kind, Side: a.Side, Present: a.Present, Absent: a.Absent, Producer: a.Producer,
			Version: a.Version, Data: a.Data,
		}
		if session.IsTemplate(a.Kind) {
			w.Data = nil
		}
		if a.BlobType != "" {
			w.URL = base + "/artifacts/" + string(a.ID)
		}
		out = append(out, w)
	}
	return out
}

// EventsOf returns the wire forms of the events of a timeline.
func EventsOf(events []session.Event) []Event {
	out := []Event{}
	for _, e := range events {
		w := Event{ID: string(e.ID), Type: string(e.Type), At: e.At.UTC(), Actor: e.Actor}
		if raw, err := json.Marshal(e.Payload); err == nil && len(e.Payload) > 0 {
			w.Payload = raw
		}
		out = append(out, w)
	}
	return out
}
