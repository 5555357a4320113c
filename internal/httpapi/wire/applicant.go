package wire

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// PartMedia is the media type of a part (draft-ietf-httpbis-resumable-upload).
const PartMedia = "application/partial-upload"

// Upload is something that is sent in parts.
type Upload struct {
	ID        idv.UploadID `json:"id"`
	Received  int64        `json:"received" doc:"Bytes that are there: the next part begins here"`
	PartBytes int          `json:"part_bytes" doc:"Of a part, at most"`
	MostBytes int          `json:"most_bytes" doc:"Of all parts together"`
	ExpiresAt time.Time    `json:"expires_at"`
}

// Link carries a session link's secret part.
type Link struct {
	Link string `json:"link" minLength:"20" maxLength:"128" doc:"The part of the link after /v/"`
}

// LinkToOpen is a link that is opened, in another browser with the code that was mailed.
type LinkToOpen struct {
	Link string `json:"link" minLength:"20" maxLength:"128" doc:"The part of the link after /v/"`
	Code string `json:"one_time_code,omitempty" maxLength:"20" doc:"That was mailed; where peek answered continues: code"`
}

// Peeked is what the start screen shows before anything is opened.
type Peeked struct {
	Brand     string             `json:"brand" doc:"Who asks"`
	Mode      idv.Mode           `json:"mode"`
	State     idv.SessionState   `json:"state"`
	Steps     []idv.Step         `json:"steps" doc:"What will be asked for, in order"`
	Accepts   []idv.DocumentKind `json:"accepts" doc:"Kinds of document that are accepted"`
	Locale    string             `json:"locale" doc:"BCP 47 language that the session was made for; empty where the browser decides"`
	ExpiresAt time.Time          `json:"expires_at" doc:"Until when the link works"`
	Handoff   bool               `json:"handoff" doc:"The link continues here what was begun on another device"`
	Continues string             `json:"continues" enum:",free,proof,code" doc:"Where another browser has it. free: moves, proof: refused, code: takes a code"`
	Hint      string             `json:"hint" example:"a•••@e•••.org" doc:"Where the code is mailed, shortened; empty for no code"`
}

// Handoff is a link that moves the session to the device that opens it.
type Handoff struct {
	URL       string    `json:"url" doc:"Works once; shown this once"`
	ExpiresAt time.Time `json:"expires_at"`
	QR        QRCode    `json:"qr" doc:"The link as a QR code"`
}

// QRCode is a QR code to be drawn.
type QRCode struct {
	Size int    `json:"size" minimum:"21" maximum:"177" doc:"Modules on a side, without the quiet zone of four modules that has to be around it"`
	Path string `json:"path" doc:"SVG path of the dark modules, each one unit wide, from 0,0"`
}

// HandoffStatus is what the device sees that handed the session on.
type HandoffStatus struct {
	Session  idv.SessionID `json:"session"`
	State    idv.TaskState `json:"state"`
	Position int           `json:"position" doc:"Of the step, from 1; 0 where there is none"`
	Total    int           `json:"total" doc:"Number of steps"`
	Notices  []string      `json:"notices" doc:"Codes of what was not checked, shown beside the verdict"`
}

// Opened hands the session to one browser.
type Opened struct {
	Token string `json:"token" doc:"Send as bearer token with every further call; kept by this browser tab only"`
	Key   string `json:"key" doc:"Continues the session in another tab of this browser (resume); kept by the browser until the session ends"`
	Task  Task   `json:"task"`
}

// BrowserKey is the key of the browser that opened a session.
type BrowserKey struct {
	Key string `json:"key" minLength:"1" maxLength:"100" doc:"As opening the link answered it"`
}

// Resumed hands the session to another tab of the same browser.
type Resumed struct {
	Session idv.SessionID `json:"session"`
	Token   string        `json:"token" doc:"Send as bearer token with every further call; that of the tab before works no more"`
}

// Task tells the browser what is next and all it needs for it.
type Task struct {
	State         idv.TaskState      `json:"state"`
	Session       idv.SessionID      `json:"session"`
	Step          idv.Step           `json:"step" doc:"What to do now; empty unless the state is step"`
	Takes         idv.CaptureKind    `json:"takes"`
	Checking      idv.Step           `json:"checking,omitempty" doc:"Whose evidence is being read: wait for the task without it; else left out"`
	Challenge     *Challenge         `json:"challenge"`
	Position      int                `json:"position" doc:"Of the step, from 1"`
	Total         int                `json:"total" doc:"Number of steps"`
	DocumentKind  *idv.DocumentKind  `json:"document_kind" doc:"What the person chose; null before"`
	Country       string             `json:"country" doc:"Which issuer the person named; empty before, and where they did not"`
	AsksCountry   bool               `json:"asks_country" doc:"Documents of several issuers are accepted: the person says which one before the kind"`
	Accepts       []idv.DocumentKind `json:"accepts"`
	FaceOptional  bool               `json:"face_optional"`
	LiveCapture   bool               `json:"live_capture" doc:"Pictures are taken in the page; one from a file is refused"`
	Back          idv.BackTo         `json:"back" doc:"What comes before the step; document: the choice, by other-document"`
	Chip          idv.ChipUse        `json:"chip" doc:"Whether an app may send the chip of the document, and whether the session goes to review without one"`
	ChipSent      bool               `json:"chip_sent" doc:"One was sent; it can be sent again"`
	Wallet        idv.WalletUse      `json:"wallet" doc:"Whether a wallet can be asked, and whether the session goes to review without one"`
	WalletCounts  idv.WalletStanding `json:"wallet_counts" doc:"stands replaces the document; beside counts beside it; rejected does not count; empty before"`
	WalletInstead bool               `json:"wallet_instead" doc:"A good credential replaces the photographs of a document"`
	ChipTest      bool               `json:"chip_test,omitempty" doc:"The test chip can be sent here: in test mode alone"`
	WalletTest    bool               `json:"wallet_test,omitempty" doc:"The test wallet answers here: in test mode alone"`
	WalletAge     int                `json:"wallet_age" doc:"Years that wallets are asked about, if they are asked for nothing else; 0 otherwise"`
	AttemptsLeft  int                `json:"attempts_left" doc:"Tries left for this step"`
	Gallery       *GalleryQuestion   `json:"gallery,omitempty" doc:"A question that is open, beside the step; else left out"`
	Problem       *TaskProblem       `json:"problem" doc:"Why the step is asked for again, or why it ended"`
	Another       bool               `json:"another_document" doc:"After a decline: the person may begin again with another document, until the deadline"`
	Deadline      *time.Time         `json:"deadline"`
	Persona       string             `json:"persona,omitempty" doc:"Test persona that can take the steps itself; left out for none"`
	ReturnURL     string             `json:"return_url"`
	Notices       []string           `json:"notices" doc:"Codes of what was not checked, shown beside the verdict"`
	MailHint      string             `json:"mail_hint" doc:"Where a link for another device can be mailed, shortened; empty where it cannot"`
}

// GalleryQuestion asks whether the face may be kept and compared with those of other applicants. The answer is a consent about gallery, and
// changes nothing else.
type GalleryQuestion struct {
	Text   string `json:"text" doc:"The operator's own text about it, unchanged"`
	Months int    `json:"months" doc:"For which the face is kept at most"`
}

// TaskProblem is a problem in the applicant's words.
type TaskProblem struct {
	Code   string   `json:"code"`
	Step   idv.Step `json:"step"`
	Title  string   `json:"title"`
	Remedy string   `json:"remedy"`
	Asks   bool     `json:"asks,omitempty" doc:"A question, which the person answers or sends another picture"`

	DocumentKind idv.DocumentKind `json:"document_kind,omitempty" doc:"What was read of the document, where the words need it; else left out"`
	Expiry       string           `json:"expiry,omitempty" format:"date" doc:"Date of expiry that was read, where the words need it; else left out"`
}

// DocumentAnswer answers the question that a task asks.
type DocumentAnswer struct {
	Reply applicant.DocumentReply `json:"reply"`
}

// ConsentAnswer is what the person chose on the consent screen.
type ConsentAnswer struct {
	Decision    string                 `json:"decision" enum:"given,declined"`
	About       session.ConsentSubject `json:"about,omitempty"`
	TextVersion string                 `json:"text_version" minLength:"1" maxLength:"64" doc:"Version of the text that was shown; one of a build's own"`
	Locale      string                 `json:"locale" minLength:"2" maxLength:"35" doc:"Language it was shown in, as the page's lang says"`
}

// Consent returns the answer, from that address. Problems: request.malformed, at the field, where no page shows such a text.
func (a ConsentAnswer) Consent(address string) (session.Consent, error) {
	languages, ok := brand.ConsentTexts()[a.TextVersion]
	document, gallery := strings.HasPrefix(a.TextVersion, "document-"), strings.HasPrefix(a.TextVersion, "gallery-")
	switch {
	case !ok:
		return session.Consent{}, Malformed("/text_version", "No page shows a consent text of this version.")
	case a.About == session.ToBiometrics && (document || gallery), a.About == session.ToDocument && !document, (a.About == session.ToGallery) != gallery:
		return session.Consent{}, Malformed("/text_version", "The text of this version is about something else.")
	case !slices.Contains(languages, a.Locale):
		return session.Consent{}, Malformed("/locale", "The text was never shown in this language.")
	}
	return session.Consent{
		Given: a.Decision == "given", About: a.About, TextVersion: a.TextVersion, Locale: a.Locale, Address: address,
	}, nil
}

// Choice is the kind of document that the person will show.
type Choice struct {
	DocumentKind idv.DocumentKind `json:"document_kind"`
	Country      string           `json:"country,omitempty" maxLength:"3" example:"UTO"`
}

// PeekedOf returns what the start screen shows; brand is used where the workflow names nobody.
func PeekedOf(v applicant.Peeked, brand string) Peeked {
	return Peeked{
		Brand: cmp.Or(v.Workflow.Brand.Name, brand), Mode: v.Session.Mode, State: v.Session.State, Steps: NonNil(v.Workflow.Steps),
		Accepts: v.Workflow.AcceptedKinds(), Locale: v.Session.Locale, ExpiresAt: v.ExpiresAt.UTC(),
		Handoff: v.Handoff, Continues: string(v.Continues), Hint: v.Hint,
	}
}

// TaskOf returns the wire form of the task of a session.
func TaskOf(t idv.Task, v session.View) Task {
	out := Task{
		State: t.State, Session: v.Session.ID, Step: t.Step, Takes: t.Takes, Checking: t.Checking, Challenge: ChallengeOf(t.Challenge),
		Position: t.Position, Total: t.Total,
		DocumentKind: OptionalText(t.DocumentKind), Country: t.Country, AsksCountry: t.AsksCountry, Accepts: NonNil(t.Accepts),
		Chip: cmp.Or(t.Chip, idv.ChipOff), ChipSent: t.ChipSent, FaceOptional: t.FaceOptional, AttemptsLeft: t.AttemptsLeft, LiveCapture: t.LiveCapture, Back: t.Back,
		Wallet: cmp.Or(t.Wallet, idv.WalletOff), WalletCounts: t.WalletHas, WalletInstead: t.WalletInstead, WalletAge: t.WalletAge,
		ChipTest:   t.Chip != "" && t.Chip != idv.ChipOff && v.Session.Mode == idv.Test,
		WalletTest: t.Wallet != "" && t.Wallet != idv.WalletOff && v.Session.Mode == idv.Test,
		Problem:    TaskProblemOf(t.Problem, t.Found), Deadline: OptionalTime(t.Deadline), Persona: t.Persona, ReturnURL: v.Session.ReturnURL,
		Another: t.Another, Notices: []string{},
	}
	if q := t.Gallery; q != nil {
		out.Gallery = &GalleryQuestion{Text: q.Text, Months: q.Months}
	}
	if n := v.Workflow.LivenessNotice(); n != "" {
		out.Notices = append(out.Notices, n)
	}
	return out
}

// TaskProblemOf returns a problem in the applicant's words, with what was found of the document, which may be nil. It is nil where it
// is not for the applicant.
func TaskProblemOf(p *idv.StepProblem, found *idv.FoundDocument) *TaskProblem {
	if p == nil {
		return nil
	}
	k, ok := problem.Lookup(p.Code)
	if !ok || !k.Severity.Explained() || k.Reader != problem.Applicant {
		return nil
	}
	out := &TaskProblem{Code: k.Code, Step: p.Step, Title: k.Title, Remedy: k.Remedy, Asks: k.Severity == problem.Question}
	if found != nil {
		out.DocumentKind, out.Expiry = found.Kind, found.Expiry
	}
	return out
}

// QRCodeOf returns a text as a QR code: each run of dark modules in a row is one rectangle of the path.
func QRCodeOf(text string) (QRCode, error) {
	code, err := barcode.WriteQR(text)
	if err != nil {
		return QRCode{}, err
	}
	var path strings.Builder
	for y := range code.H {
		for x := 0; x < code.W; x++ {
			from := x
			for code.At(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	return QRCode{Size: code.W, Path: path.String()}, nil
}
