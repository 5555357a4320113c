package workflow

import (
	"context"
	"crypto/rand"
	"io"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of what is stored.
const (
	MaxWorkflows = 200 // of a mode
	MaxVersions  = 500 // of a workflow
)

// Workflow is a name and its versions.
type Workflow struct {
	ID       idv.WorkflowID
	Mode     idv.Mode
	Name     string
	Versions []Version // newest first

	SignalsSeen int // idv.SignalsGeneration when switches were last offered and answered, or a version published; 0 before there were any
}

// Offered returns the switches of signals that a new workflow has on and the published version lacks. None once somebody dismissed the
// offer, or published a version since they exist: what is off then is off on purpose.
func (w Workflow) Offered() []idv.CheckKind {
	v, ok := w.In(idv.Published)
	if !ok || w.SignalsSeen >= idv.SignalsGeneration {
		return nil
	}
	return slices.DeleteFunc(idv.Switches(v.Mode, v.AsksLiveness()), v.Requires)
}

// Version is a version of a workflow, with who did what to it.
type Version struct {
	idv.WorkflowVersion
	Revision    int64 // increases with every change of a draft
	CreatedAt   time.Time
	CreatedBy   string // a member's or a key's id; empty for the program
	ChangedAt   time.Time
	ChangedBy   string
	PublishedAt time.Time // zero before
	PublishedBy string
	RetiredAt   time.Time // zero before
	RetiredBy   string
}

// In returns the version in a state. There is at most one draft and one published version.
func (w Workflow) In(state idv.WorkflowState) (Version, bool) {
	for _, v := range w.Versions {
		if v.State == state {
			return v, true
		}
	}
	return Version{}, false
}

// BuiltIn reports whether every deployment has a workflow of that name.
func (w Workflow) BuiltIn() bool {
	for _, b := range idv.BuiltInWorkflows(w.Mode) {
		if b.Name == w.Name {
			return true
		}
	}
	return false
}

// Store reads and writes workflows. Reads return problem not_found where there is nothing.
type Store interface {
	// WorkflowsOf returns the workflows of a mode, by name, each with its versions, newest first.
	WorkflowsOf(ctx context.Context, mode idv.Mode) ([]Workflow, error)
	WorkflowOf(ctx context.Context, id idv.WorkflowID) (Workflow, error)
	// Logo returns a stored logo, a PNG, by its digest.
	Logo(ctx context.Context, digest string) ([]byte, error)
	// ChangeWorkflows runs f in one transaction that excludes other changes of workflows.
	ChangeWorkflows(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
	History
}

// Tx is a running transaction.
type Tx interface {
	WorkflowsOf(ctx context.Context, mode idv.Mode) ([]Workflow, error)
	WorkflowOf(ctx context.Context, id idv.WorkflowID) (Workflow, error)
	AddWorkflow(ctx context.Context, w Workflow, at time.Time) error // without its versions
	RemoveWorkflow(ctx context.Context, id idv.WorkflowID) error     // that has no versions
	AddVersion(ctx context.Context, v Version) error
	SaveVersion(ctx context.Context, v Version) error
	RemoveVersion(ctx context.Context, id idv.WorkflowVersionID) error
	// SaveSignalsSeen writes Workflow.SignalsSeen.
	SaveSignalsSeen(ctx context.Context, id idv.WorkflowID, generation int) error
	// HasLogo reports whether a logo is stored, and how many there are.
	HasLogo(ctx context.Context, digest string) (kept bool, all int, err error)
	AddLogo(ctx context.Context, digest string, png []byte, at time.Time) error
	// NotifyPublished writes the event that a version was published, and its deliveries.
	NotifyPublished(ctx context.Context, id idv.EventID, v Version, at time.Time) error
	audit.Recorder
}

// Options of a Service. The zero value works, without the error rates of faces.
type Options struct {
	Face   func() (modelcard.Card, bool) // of the model that compares faces
	Now    func() time.Time              // defaults to time.Now
	Random io.Reader                     // defaults to crypto/rand
}

// Service manages workflows. It is safe for concurrent use.
type Service struct {
	store  Store
	face   func() (modelcard.Card, bool)
	now    func() time.Time
	random io.Reader
	judge  policy.Judge
	trials chan struct{} // bounds the simulations that run at the same time
}

// New returns a Service.
func New(store Store, o Options) *Service {
	if o.Face == nil {
		o.Face = func() (modelcard.Card, bool) { return modelcard.Card{}, false }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // the precision that every database stores
	return &Service{store: store, face: o.Face, now: now, random: o.Random, trials: make(chan struct{}, trialsAtOnce)}
}

// List returns the workflows of a mode, by name.
func (s *Service) List(ctx context.Context, mode idv.Mode) ([]Workflow, error) {
	return s.store.WorkflowsOf(ctx, mode)
}

// Get returns a workflow of a mode; an empty mode stands for any. Problems: not_found.
func (s *Service) Get(ctx context.Context, mode idv.Mode, id idv.WorkflowID) (Workflow, error) {
	w, err := s.store.WorkflowOf(ctx, id)
	if err == nil && mode != "" && w.Mode != mode {
		return Workflow{}, problem.New(problem.NotFound)
	}
	return w, err
}

// Version returns a version of a workflow. Problems: not_found.
func (w Workflow) Version(id idv.WorkflowVersionID) (Version, error) {
	for _, v := range w.Versions {
		if v.ID == id {
			return v, nil
		}
	}
	return Version{}, problem.New(problem.NotFound)
}
