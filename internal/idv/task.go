package idv

import "time"

// TaskState tells the browser what kind of screen comes next.
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

// BackTo is where going back from a step leads.
type BackTo string

// The places to go back to.
const (
	BackNowhere    BackTo = ""         // nothing comes before, or it was sent for good
	BackToConsent  BackTo = "consent"  // the consent page: it is read and answered again, and the same answer changes nothing
	BackToChoice   BackTo = "choose"   // the choice of the document, which is made anew
	BackToDocument BackTo = "document" // the same after pictures of one were sent, which are put aside for it
)

// BackTos returns every place to go back to.
func BackTos() []BackTo { return []BackTo{BackNowhere, BackToConsent, BackToChoice, BackToDocument} }

// Task tells the applicant's browser what is next and all it needs for it.
type Task struct {
	State        TaskState
	Session      SessionID
	Step         Step             // with TaskStep
	Takes        CaptureKind      // what Step is answered with; empty where that is no capture
	Checking     Step             // whose picture is being read: what it says arrives before Step opens; empty otherwise
	Challenge    *IssuedChallenge // with Takes Frames
	Position     int              // of Step, from 1
	Total        int              // of steps
	DocumentKind DocumentKind     // chosen, if it was
	Country      string           // which state the applicant said issued it; empty where they did not
	AsksCountry  bool             // several issuers are accepted
	Accepts      []DocumentKind
	FaceOptional bool    // the applicant may decline biometrics and go on; after declining: may still agree
	LiveCapture  bool    // Takes is a picture, and one from a file is refused
	Back         BackTo  // where the step before this one is
	Chip         ChipUse // with TaskStep: whether an app may send the document's chip
	ChipSent     bool    // one was sent and counts
	AttemptsLeft int
	Problem      *StepProblem   // why Step is asked for again, or why it was declined; never a fraud reason
	Found        *FoundDocument // what Problem is about; nil where it needs no more words
	Another      bool           // with TaskDeclined: the applicant may begin again with another document, until Deadline
	Deadline     time.Time
	Persona      string // test persona that can take the steps itself; empty for none
}

// FoundDocument is what was read of the document that Problem is about, as far as the applicant needs it.
type FoundDocument struct {
	Kind   DocumentKind // empty where it was not read
	Expiry string       // YYYY-MM-DD; empty where it was not read
}

// CheckWait is how long after a picture was sent the flow waits for its reading. It goes on without it then; what the reading says
// is told when it comes.
const CheckWait = 12 * time.Second

// TaskStateOf returns what screen a session in state s shows.
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
