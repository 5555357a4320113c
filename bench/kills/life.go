package kills

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// stage is what a session is doing.
type stage int

const (
	creating stage = iota
	opening
	consenting
	choosing
	sendingDocument
	sendingSelfie
	deciding
	telling // the webhook
	erasing
	over
)

var stageNames = [...]string{"create", "open", "consent", "choose", "document", "selfie", "verdict", "webhook", "erase", "over"}

// String names a stage in the record.
func (s stage) String() string { return stageNames[s] }

// pair is what an applicant sends.
type pair struct{ document, selfie []byte }

// life is one session from its creation to its decision, its webhook and, of some, its erasing, as an integrator and a browser
// live it who repeat whatever was not answered.
type life struct {
	name     string // unique; the session's reference
	persona  bool   // else it sends pictures that are read
	parts    bool   // sends the document in parts
	erases   bool
	pictures pair

	call  *caller
	hooks *receiver

	id, link, token string

	mu       sync.Mutex
	begun    bool
	at       stage
	since    time.Time
	reached  [over + 1]chan struct{} // closed once the stage is reached or left out
	met      []meeting
	decided  time.Time
	told     time.Time
	finished time.Time
	took     [over]time.Duration
	faults   []fault
	relinked bool // the answer to its first opening was lost
}

// meeting is a kill that met a life.
type meeting struct {
	at    stage
	ready time.Time // when the server was ready again; zero until it is
}

func newLife() *life {
	l := &life{since: time.Now()}
	for i := range l.reached {
		l.reached[i] = make(chan struct{})
	}
	return l
}

// enter goes on to a stage.
func (l *life) enter(next stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.begun = true
	if next > l.at {
		l.took[l.at] = now.Sub(l.since)
	}
	for s := l.at; s <= next; s++ {
		select {
		case <-l.reached[s]:
		default:
			close(l.reached[s])
		}
	}
	l.at, l.since = next, now
	switch next {
	case telling:
		l.decided = now
	case over:
		l.finished = now
	default:
	}
}

// meet notes a kill, unless the life has not begun or is over.
func (l *life) meet() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun || l.at == over {
		return
	}
	l.met = append(l.met, meeting{at: l.at})
}

// resume notes that the server is ready again.
func (l *life) resume(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.met); n > 0 && l.met[n-1].ready.IsZero() {
		l.met[n-1].ready = at
	}
}

func (l *life) fail(kind, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = append(l.faults, fault{Kind: kind, What: what, Life: l.name, Session: l.id})
}

// live goes through all stages.
func (l *life) live(ctx context.Context) {
	l.enter(creating)
	err := l.apply(ctx)
	if err == nil {
		err = l.await(ctx)
	}
	if err == nil && l.erases {
		l.enter(erasing)
		err = l.erase(ctx)
	}
	switch {
	case err == nil:
		l.enter(over)
	case ctx.Err() != nil:
		l.fail(stuck, fmt.Sprintf("in stage %s: %v", l.at, err))
	default:
		l.fail(refused, fmt.Sprintf("in stage %s: %v", l.at, err))
	}
	for s := range l.reached { // nobody waits for what will not come
		select {
		case <-l.reached[s]:
		default:
			close(l.reached[s])
		}
	}
}

// apply goes to the end of what the applicant does.
func (l *life) apply(ctx context.Context) error {
	if err := l.create(ctx); err != nil {
		return err
	}
	l.enter(opening)
	if err := l.open(ctx); err != nil {
		return err
	}
	l.enter(consenting)
	a, err := l.call.post(ctx, "/v1/applicant/consent", l.token, map[string]string{
		"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en",
	})
	if err := l.step(a, err, "choose"); err != nil {
		return err
	}
	l.enter(choosing)
	a, err = l.call.do(ctx, call{
		method: http.MethodPut, path: "/v1/applicant/steps/choose", bearer: l.token, media: "application/json", body: []byte(`{"document_kind":"passport"}`),
	})
	if err := l.step(a, err, "document_front"); err != nil {
		return err
	}
	l.enter(sendingDocument)
	if err := l.send(ctx, "document_front", l.pictures.document, l.parts, "selfie"); err != nil {
		return err
	}
	l.enter(sendingSelfie)
	if err := l.send(ctx, "selfie", l.pictures.selfie, false, ""); err != nil {
		return err
	}
	l.enter(deciding)
	return nil
}

func (l *life) create(ctx context.Context) error {
	sent := map[string]any{"external_reference": l.name, "workflow": "no_liveness"}
	if l.persona {
		sent["claimed"] = map[string]string{"document_number": "persona:approved"}
	}
	a, err := l.call.post(ctx, "/v1/sessions", l.call.key, sent, "Idempotency-Key", l.name)
	if err != nil {
		return err
	}
	var made struct{ ID, URL string }
	if err := a.into(&made); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.id = made.ID
	_, l.link, _ = strings.Cut(made.URL, "/v/")
	return nil
}

// open opens the link. A link works once: where the answer was lost, the integrator makes another one, as the problem says.
func (l *life) open(ctx context.Context) error {
	for {
		a, err := l.call.post(ctx, "/v1/applicant/open", "", map[string]string{"link": l.link})
		if err != nil {
			return err
		}
		if a.code() == "session.bound_elsewhere" && a.tries > 1 {
			l.relinked = true
			if a, err = l.call.post(ctx, "/v1/sessions/"+l.id+"/link", l.call.key, struct{}{}); err != nil {
				return err
			}
			var made struct{ URL string }
			if err := a.into(&made); err != nil {
				return err
			}
			_, l.link, _ = strings.Cut(made.URL, "/v/")
			continue
		}
		var opened struct{ Token string }
		if err := a.into(&opened); err != nil {
			return err
		}
		l.token = opened.Token
		return nil
	}
}

// step reads the task that a call was answered with: it has to be that step, so that nothing that was accepted is asked for again.
// "" stands for waiting.
func (l *life) step(a answer, err error, want string) error {
	if err != nil {
		return err
	}
	var task struct{ State, Step string }
	if a.code() == "capture.out_of_order" || a.code() == "session.finished" || a.code() == "session.conflict" {
		return l.look(a, want)
	}
	if err := a.into(&task); err != nil {
		return err
	}
	return wanted(task.State, task.Step, want)
}

// look asks for the task where a repeated call was taken the first time already.
func (l *life) look(a answer, want string) error {
	if a.tries < 2 {
		return fmt.Errorf("the first try is answered %s", a.code())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	now, err := l.call.do(ctx, call{method: http.MethodGet, path: "/v1/applicant/task", bearer: l.token})
	if err != nil {
		return err
	}
	var task struct{ State, Step string }
	if err := now.into(&task); err != nil {
		return err
	}
	return wanted(task.State, task.Step, want)
}

// errLost is a step that was accepted and is asked for again.
var errLost = errors.New("an earlier step is asked for")

func wanted(state, step, want string) error {
	if want == "" && state != "step" || step == want {
		return nil
	}
	return fmt.Errorf("%w: task %s %s, want %s", errLost, state, step, want)
}

// send sends a picture as one attempt.
func (l *life) send(ctx context.Context, step string, picture []byte, parts bool, next string) error {
	fields := map[string]string{"attempt": "attempt-" + step}
	if parts {
		id, err := l.call.upload(ctx, l.token, picture)
		if err != nil {
			return err
		}
		fields["upload"], fields["size"] = id, fmt.Sprint(len(picture))
		picture = nil
	}
	one, err := form(step, l.token, fields, picture)
	if err != nil {
		return err
	}
	a, err := l.call.do(ctx, one)
	err = l.step(a, err, next)
	if errors.Is(err, errLost) {
		l.fail(lost, err.Error())
	}
	return err
}

// lookTime is the pause between two looks at a session that waits for its decision.
const lookTime = 50 * time.Millisecond

// await waits for the decision and for the webhook that tells it.
func (l *life) await(ctx context.Context) error {
	for {
		a, err := l.call.get(ctx, "/v1/sessions/"+l.id)
		if err != nil {
			return err
		}
		var now struct{ State string }
		if err := a.into(&now); err != nil {
			return err
		}
		if isDecided(now.State) {
			if now.State != "approved" {
				l.fail(wrong, "it is "+now.State+", and should be approved")
			}
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookTime):
		}
	}
	l.enter(telling)
	if err := l.hooks.await(ctx, l.id, "session.approved"); err != nil {
		return fmt.Errorf("wait for the webhook: %w", err)
	}
	l.mu.Lock()
	l.told = time.Now()
	l.mu.Unlock()
	return l.inspect(ctx)
}

// inspect compares what the server keeps with what was sent: one decision, and both pictures.
func (l *life) inspect(ctx context.Context) error {
	a, err := l.call.get(ctx, "/v1/sessions/"+l.id+"/report")
	if err != nil {
		return err
	}
	var report struct {
		Decisions []struct{ Outcome string }
	}
	if err := a.into(&report); err != nil {
		return err
	}
	if n := len(report.Decisions); n != 1 {
		l.fail(twice, fmt.Sprintf("%d decisions", n))
	}
	if a, err = l.call.get(ctx, "/v1/sessions/"+l.id+"/export"); err != nil {
		return err
	}
	if !a.ok() {
		return fmt.Errorf("the export is answered %d %s", a.status, a.code())
	}
	kept, err := filesOf(a.body)
	if err != nil {
		return err
	}
	for what, picture := range map[string][]byte{"document": l.pictures.document, "selfie": l.pictures.selfie} {
		if !kept[sha256.Sum256(picture)] {
			l.fail(lost, "the "+what+" is not among what the server keeps")
		}
	}
	return nil
}

// filesOf returns the digests of what is in an export.
func filesOf(export []byte) (map[[sha256.Size]byte]bool, error) {
	in, err := zip.NewReader(bytes.NewReader(export), int64(len(export)))
	if err != nil {
		return nil, fmt.Errorf("open an export: %w", err)
	}
	out := map[[sha256.Size]byte]bool{}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("open a file of an export: %w", err)
		}
		raw, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("read a file of an export: %w", err)
		}
		out[sha256.Sum256(raw)] = true
	}
	return out, nil
}

// erase erases the session, until its receipt says that it is finished.
func (l *life) erase(ctx context.Context) error {
	a, err := l.call.post(ctx, "/v1/sessions/"+l.id+"/erase", l.call.key, struct{}{})
	if err != nil {
		return err
	}
	for {
		var receipt struct {
			FinishedAt *time.Time `json:"finished_at"`
		}
		if err := a.into(&receipt); err != nil {
			return err
		}
		if receipt.FinishedAt != nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookTime):
		}
		if a, err = l.call.get(ctx, "/v1/sessions/"+l.id+"/receipt"); err != nil {
			return err
		}
	}
}
