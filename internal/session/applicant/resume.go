package applicant

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// A session can be continued ResumesAtOnce times within ResumeWindow by the browser that has it, and as often by others with its link.
const (
	ResumesAtOnce = 10
	ResumeWindow  = 10 * time.Minute
)

// Secrets are what a tab gets when it opens a session. The token is the tab's credential. The key stays with the browser and does
// one thing only: it continues the session in another tab of the same browser, while that browser has it.
type Secrets struct {
	Token string
	Key   string // empty where no browser opens the session
}

// Continues says what opening a link does to a session that another browser has.
type Continues string

// What opening a link does.
const (
	ContinuesNothing Continues = ""      // nobody opened it: the session begins, or moves by a new link or a hand-off
	ContinuesFreely  Continues = "free"  // no picture was sent: the session continues here, and no longer there
	ContinuesByProof Continues = "proof" // pictures were sent: refused, a new link is needed
	ContinuesByCode  Continues = "code"  // pictures were sent: a code that is mailed is needed
)

// Resumed is what another tab of the same browser gets. It holds nothing of what was sent.
type Resumed struct {
	Session idv.SessionID
	Token   string
}

func (s *turns) newSecrets() (Secrets, error) {
	token, err := s.life.NewSecret()
	if err != nil {
		return Secrets{}, err
	}
	key, err := s.life.NewSecret()
	return Secrets{Token: token, Key: key}, err
}

// addTab notes which tab a locked session was given to.
func (s *turns) addTab(ctx context.Context, tx session.Tx, id idv.SessionID, by Secrets, how session.Opening) error {
	row := session.TabRow{Session: id, TokenHash: session.HashSecret(by.Token), How: how, OpenedAt: s.life.Now()}
	if by.Key != "" {
		row.KeyHash = session.HashSecret(by.Key)
	}
	return tx.AddTab(ctx, row)
}

// sentReader reads whether pictures were sent.
type sentReader interface {
	session.TriesReader
	Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error)
}

// continues returns what opening the link of a session does. A picture that was refused was sent, too.
func continues(ctx context.Context, r sentReader, rec session.Record) (Continues, error) {
	if !rec.LinkUsed {
		return ContinuesNothing, nil
	}
	tries, err := session.CountTries(ctx, r, rec)
	if err != nil {
		return "", err
	}
	captures, err := r.Captures(ctx, rec.ID)
	if err != nil {
		return "", err
	}
	if rec.State != idv.Capturing || tries > 0 || len(captures) > 0 {
		return ContinuesByProof, nil
	}
	return ContinuesFreely, nil
}

// checkResumes refuses to continue a locked session in that way once too often.
func (s *turns) checkResumes(ctx context.Context, tx session.Tx, id idv.SessionID, how session.Opening) error {
	n, err := tx.CountTabs(ctx, id, how, s.life.Now().Add(-ResumeWindow))
	if err == nil && n >= ResumesAtOnce {
		return problem.New(problem.RateLimited)
	}
	return err
}

// takeOver gives a locked session, of which no picture was sent, to another browser. All hand-offs end.
func (s *Service) takeOver(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets) error {
	if err := s.checkResumes(ctx, tx, rec.ID, session.ResumedByAnyone); err != nil {
		return err
	}
	if err := s.Handoffs.end(ctx, tx, rec.ID, func(session.HandoffRow) bool { return true }); err != nil {
		return err
	}
	return s.resume(ctx, tx, rec, by, session.ResumedByAnyone)
}

// resume binds a locked session to another tab. The challenge that the one before had is void; tries stay counted.
func (s *turns) resume(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets, how session.Opening) error {
	if err := tx.CloseChallenges(ctx, rec.ID, s.life.Now()); err != nil {
		return err
	}
	if err := s.addTab(ctx, tx, rec.ID, by, how); err != nil {
		return err
	}
	before := rec.Session
	rec.TokenHash, rec.Device = session.HashSecret(by.Token), session.DeviceFrom(ctx)
	return s.life.Save(ctx, tx, rec, before, session.EventResumed, map[string]any{"how": how})
}

// Resume continues a session in another tab of the browser that has the key: the tab that it had before has it no longer. A browser
// that handed the session on goes on watching it. A session that ended continues only where it may begin again with another document, and
// one that did so is answered with the session that follows it. Problems: auth.invalid; session.bound_elsewhere where another browser has the
// session and pictures were sent; session.finished, session.expired, session.erased, rate.limited.
func (s *Service) Resume(ctx context.Context, key string) (Resumed, error) {
	token, err := s.life.NewSecret()
	if err != nil {
		return Resumed{}, err
	}
	tab, err := s.store.TabByKey(ctx, session.HashSecret(key))
	if problem.Has(err, problem.NotFound) {
		return Resumed{}, problem.New(problem.AuthInvalid)
	}
	if err != nil {
		return Resumed{}, err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, tab.Session))
	err = s.ChangeAsApplicant(ctx, tab.Session, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if rec.State.Final() {
			if until, err := s.anotherUntil(ctx, tx, *rec); err != nil {
				return err
			} else if until.IsZero() {
				return problem.New(problem.SessionFinished)
			}
		}
		return s.resumeBy(ctx, tx, rec, Secrets{Token: token, Key: key})
	})
	if err != nil {
		return Resumed{}, err
	}
	return Resumed{Session: tab.Session, Token: token}, nil
}

// resumeBy continues a locked session by the key of a browser.
func (s *Service) resumeBy(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets) error {
	mine, err := ofBrowser(ctx, tx, rec.TokenHash, by.Key)
	if err != nil {
		return err
	}
	if mine {
		return s.resumeHere(ctx, tx, rec, by)
	}
	watches, err := s.resumeWatching(ctx, tx, rec, by)
	if err != nil || watches {
		return err
	}
	switch how, err := continues(ctx, tx, *rec); {
	case err != nil:
		return err
	case how == ContinuesFreely:
		return s.takeOver(ctx, tx, rec, by)
	default:
		return problem.New(problem.SessionBoundElsewhere)
	}
}

// ofBrowser reports whether a token is that of a tab of the browser with that key.
func ofBrowser(ctx context.Context, r session.TabReader, token, key string) (bool, error) {
	tab, err := r.TabByToken(ctx, token)
	if problem.Has(err, problem.NotFound) {
		return false, nil // opened before tabs were noted
	}
	return err == nil && tab.KeyHash == session.HashSecret(key), err
}

// resumeHere continues a locked session in another tab of the browser that has it. The link of a hand-off that nobody opened ends; where
// the session came from stays known.
func (s *Service) resumeHere(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets) error {
	if err := s.checkResumes(ctx, tx, rec.ID, session.ResumedByBrowser); err != nil {
		return err
	}
	if err := s.Handoffs.end(ctx, tx, rec.ID, unopenedHandoff); err != nil {
		return err
	}
	if err := replaceTab(ctx, tx, rec.ID, rec.TokenHash, session.HashSecret(by.Token)); err != nil {
		return err
	}
	return s.resume(ctx, tx, rec, by, session.ResumedByBrowser)
}

// resumeWatching lets another tab of a browser that handed the session on watch it, and reports whether there is one.
func (s *Service) resumeWatching(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets) (bool, error) {
	rows, err := tx.Handoffs(ctx, rec.ID)
	if err != nil {
		return false, err
	}
	for _, h := range rows {
		if h.OpenedAt.IsZero() || !h.EndedAt.IsZero() {
			continue
		}
		mine, err := ofBrowser(ctx, tx, h.From, by.Key)
		if err != nil {
			return false, err
		}
		if mine {
			return true, s.watchFrom(ctx, tx, rec, h, by)
		}
	}
	return false, nil
}

// watchFrom replaces the tab that watches a session by another one of the same browser.
func (s *Service) watchFrom(ctx context.Context, tx session.Tx, rec *session.Record, h session.HandoffRow, by Secrets) error {
	if err := s.checkResumes(ctx, tx, rec.ID, session.ResumedByWatching); err != nil {
		return err
	}
	if err := replaceTab(ctx, tx, rec.ID, h.From, session.HashSecret(by.Token)); err != nil {
		return err
	}
	if err := s.addTab(ctx, tx, rec.ID, by, session.ResumedByWatching); err != nil {
		return err
	}
	after := h
	after.From = session.HashSecret(by.Token)
	return s.Handoffs.recordChange(ctx, tx, session.EventResumed, h, after)
}

// replaceTab puts another tab at the ends of the hand-offs at which one was.
func replaceTab(ctx context.Context, tx session.Tx, id idv.SessionID, from, to string) error {
	rows, err := tx.Handoffs(ctx, id)
	if err != nil {
		return err
	}
	for _, h := range rows {
		if h.From != from && h.To != from || !h.EndedAt.IsZero() {
			continue
		}
		if h.From == from {
			h.From = to
		}
		if h.To == from {
			h.To = to
		}
		if err := tx.SaveHandoff(ctx, h); err != nil {
			return err
		}
	}
	return nil
}
