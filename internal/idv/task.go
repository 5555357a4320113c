package idv

import "time"

// TaskState says which kind of screen the browser shows next.
type TaskState string

// The states of a task. Submitted is not verified: wait, review and the results are kept apart.
const (
	TaskStep      TaskState = "step"      // do Step
	TaskWait      TaskState = "wait"      // everything was sent; the server works
	TaskReview    TaskState = "review"    // a person will look
	TaskApproved  TaskState = "approved"  // verified
	TaskDeclined  TaskState = "declined"  // cannot verify
	TaskExpired   TaskState = "expired"   // out of time
	TaskCancelled TaskState = "cancelled" // withdrawn
)

// BackTo is the place to which a step leads back.
type BackTo string

// The places to go back to.
const (
	BackNowhere    BackTo = ""         // nothing comes before, or it was sent for good
	BackToConsent  BackTo = "consent"  // the consent page, to be answered again; the same answer changes nothing
	BackToChoice   BackTo = "choose"   // the choice of the document, to be made again
	BackToDocument BackTo = "document" // the same, after pictures of a document were sent, which are set aside
)

// BackTos returns every place to go back to.
func BackTos() []BackTo { return []BackTo{BackNowhere, BackToConsent, BackToChoice, BackToDocument} }

// Task tells the applicant's browser what comes next, with everything it needs.
type Task struct {
	State         TaskState
	Session       SessionID
	Step          Step             // with TaskStep
	Takes         CaptureKind      // the capture that answers Step; empty if it takes none
	Checking      Step             // the step whose picture is being read, with a result before Step opens; empty otherwise
	Challenge     *IssuedChallenge // with Takes Frames
	Position      int              // of Step, from 1
	Total         int              // of steps
	DocumentKind  DocumentKind     // chosen, if it was
	Country       string           // the issuing state according to the applicant; empty if they did not say
	AsksCountry   bool             // several issuers are accepted
	Accepts       []DocumentKind
	FaceOptional  bool           // the applicant may decline biometrics and continue; after declining, may still agree
	LiveCapture   bool           // Takes is a picture, and one from a file is refused
	Back          BackTo         // where going back from Step leads
	Chip          ChipUse        // with TaskStep: whether an app may send the document's chip
	ChipSent      bool           // one was sent and counts
	Wallet        WalletUse      // with TaskStep: whether a wallet can be asked, and whether a person decides without one
	WalletAge     int            // years that wallets are asked about, if they are asked for nothing else; 0 otherwise
	WalletHas     WalletStanding // what was presented counts for
	WalletInstead bool           // a good credential replaces the photographs of a document
	AttemptsLeft  int
	Gallery       *GalleryQuestion // whether their face may be compared with those of others; nil where it is not asked, or was answered
	Problem       *StepProblem     // why Step is asked for again, or why it was declined; never a fraud reason
	Found         *FoundDocument   // the subject of Problem; nil if it needs no detail
	Another       bool             // with TaskDeclined: the applicant may start again with another document, until Deadline
	Deadline      time.Time
	Persona       string // test persona that can take the steps itself; empty for none
}

// GalleryQuestion asks an applicant whether their face may be kept and compared with those of other applicants. Neither answer changes what
// comes next.
type GalleryQuestion struct {
	Text   string // what the operator tells about it
	Months int    // for which the face is kept at most
}

// FoundDocument is what was read from the document that Problem is about, as far as the applicant needs it.
type FoundDocument struct {
	Kind   DocumentKind // empty where it was not read
	Expiry string       // YYYY-MM-DD; empty where it was not read
}

// CheckWait is how long after a picture was sent the flow waits for its reading. Then it continues, and the result is reported
// when it arrives.
const CheckWait = 12 * time.Second

// TaskStateOf returns the kind of screen for a session in state s.
func TaskStateOf(s SessionState) TaskState {
	switch s {
	case Processing:
		return TaskWait
	case InReview:
		return TaskReview
	case Approved:
		return TaskApproved
	case Declined:
		return TaskDeclined
	case Expired:
		return TaskExpired
	case Cancelled:
		return TaskCancelled
	case Created, Capturing:
		return TaskStep
	default:
		return TaskWait
	}
}
