package retention_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestWhatWasKeptLongEnoughIsErased(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	short := idv.PictureWorkflow(idv.Live)
	short.Name, short.Retention = "short", idv.Retention{Pictures: 2 * time.Hour, Report: 5 * time.Hour}
	d.Store.AddWorkflow(short)
	p := d.Ended(t, session.Spec{Mode: idv.Live, Workflow: "short"})
	open := d.Start(t, session.Spec{Mode: idv.Live, Workflow: "short"})
	for _, step := range []struct {
		name            string
		after           time.Duration
		pictures, whole int
	}{
		{"a microsecond before its pictures are due", 2*time.Hour - time.Microsecond, 0, 0},
		{"when its pictures are due", time.Microsecond, 1, 0},
		{"once more", time.Minute, 0, 0},
		{"when everything is due", 3*time.Hour - time.Minute, 0, 1},
		{"for the last time", time.Hour, 0, 0},
	} {
		d.Clock.Advance(step.after)
		if err := d.Retention.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		runs, err := d.Retention.RetentionRuns(t.Context())
		want := session.RetentionRun{StartedAt: d.Clock.Now(), EndedAt: d.Clock.Now(), Pictures: step.pictures, Sessions: step.whole}
		if diff := cmp.Diff(want, runs.Last); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s%v", step.name, diff, err)
		}
	}
	if s := d.Session(t, open.ID); !s.PicturesErasedAt.IsZero() || s.State != idv.Capturing {
		t.Errorf("a session that is not finished is %+v", s)
	}
	if r, err := d.Erasures.Receipt(t.Context(), "", p.ID); err != nil || r.Scope != session.ScopeAll ||
		!strings.Contains(r.Statement, `"ground":"retention","by":"system"`) {
		t.Errorf("%+v, %v", r, err)
	}
	if vs, err := d.Retention.RetentionVersions(t.Context()); err != nil || len(vs) != 1 || vs[0].Name != "short" {
		t.Errorf("versions with a retention of their own: %+v, %v", vs, err)
	}
}

func TestTheSettingOnlyShortens(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	day := 24 * time.Hour
	for _, c := range []struct {
		field string
		set   idv.RetentionSetting
	}{
		{"/pictures_hours", idv.RetentionSetting{Retention: idv.Retention{Pictures: time.Minute}}},
		{"/pictures_hours", idv.RetentionSetting{Retention: idv.Retention{Pictures: 5 * day, Report: day}}},
		{"/report_hours", idv.RetentionSetting{Retention: idv.Retention{Report: 400 * day}}},
		{"/test_hours", idv.RetentionSetting{Test: 2 * day}},
		{"/audit_hours", idv.RetentionSetting{Audit: day}},
	} {
		for name, err := range map[string]error{
			"set":      d.Retention.SetRetention(t.Context(), c.set),
			"foretold": func() error { _, err := d.Retention.Forecast(t.Context(), &c.set); return err }(),
		} {
			if p, ok := problem.As(err); !ok || p.Kind.Code != problem.RequestMalformed.Code || p.Field != c.field {
				t.Errorf("%+v %s: %v", c.set, name, err)
			}
		}
	}
	good := idv.RetentionSetting{Retention: idv.Retention{Pictures: day, Report: 2 * day}, Test: time.Hour}
	if err := d.Retention.SetRetention(sessiontest.As(t, "usr_1"), good); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Retention.Retention(t.Context()); err != nil || got != good {
		t.Errorf("%+v, %v", got, err)
	}
	log := d.Store.Audited("")
	if len(log) != 1 || log[0].Action != "retention.changed" || log[0].Subject != "pictures:24 report:48 test:1 audit:61320" || log[0].ActorID != "usr_1" {
		t.Errorf("on record: %+v", log)
	}
	p := d.Ended(t, session.Spec{})
	d.Clock.Advance(time.Hour)
	if err := d.Retention.Run(t.Context()); err != nil || d.Session(t, p.ID).ErasedAt.IsZero() {
		t.Errorf("after the hour that was set nothing is erased, %v", err)
	}
}

func TestWhatIsDueIsToldBeforehand(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	d.Ended(t, session.Spec{Mode: idv.Live})
	held := d.Ended(t, session.Spec{Mode: idv.Live})
	if _, err := d.Holds.SetHold(t.Context(), "", held.ID, "court 7"); err != nil {
		t.Fatal(err)
	}
	told := func(next *idv.RetentionSetting) []retention.Forecast {
		t.Helper()
		f, err := d.Retention.Forecast(t.Context(), next)
		if err != nil {
			t.Fatal(err)
		}
		return f[:2] // the log is another matter
	}
	none := []retention.Forecast{{Kind: retention.KeepPictures}, {Kind: retention.KeepReport}}
	if diff := cmp.Diff(none, told(nil)); diff != "" {
		t.Errorf("today: %s", diff)
	}
	shorter := &idv.RetentionSetting{Retention: idv.Retention{Pictures: time.Hour, Report: 20 * 24 * time.Hour}}
	want := []retention.Forecast{{Kind: retention.KeepPictures, Week: 1, Month: 1, Sooner: 1}, {Kind: retention.KeepReport, Month: 1, Sooner: 1}}
	if diff := cmp.Diff(want, told(shorter)); diff != "" {
		t.Errorf("if it were shorter (-want +got):\n%s", diff)
	}
	d.Clock.Advance(idv.DefaultRetention().Pictures - time.Minute)
	want = []retention.Forecast{{Kind: retention.KeepPictures, Next: 1, Week: 1, Month: 1}, {Kind: retention.KeepReport}}
	if diff := cmp.Diff(want, told(nil)); diff != "" {
		t.Errorf("a minute before (-want +got):\n%s", diff)
	}
}

func TestEntriesLeaveTheAuditLogWhenTheyAreOldAndTheRestIsProven(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	old := d.Ended(t, session.Spec{Mode: idv.Live})
	d.Clock.Advance(idv.AuditRetention + time.Second)
	young := d.Ended(t, session.Spec{Mode: idv.Live})
	if err := d.Retention.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := d.Store.Audited(old.ID); len(left) > 2 { // the witness of those before it, and that it was erased just now
		t.Errorf("%d old entries are left", len(left))
	}
	proofs, err := d.Store.AuditProofs(t.Context(), young.ID)
	if err != nil || len(proofs) == 0 {
		t.Fatalf("%d proofs, %v", len(proofs), err)
	}
	for _, p := range proofs {
		if err := p.Check(); err != nil {
			t.Error(err)
		}
	}
	if runs, err := d.Retention.RetentionRuns(t.Context()); err != nil || runs.Erased.Entries == 0 {
		t.Errorf("%+v, %v", runs, err)
	}
}

// open reads the parts of an archive.
func open(t *testing.T, x *retention.Export) map[string][]byte {
	t.Helper()
	var raw bytes.Buffer
	if err := x.Write(t.Context(), &raw); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw.Bytes()), int64(raw.Len()))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestAPersonGetsEverythingThatIsKept(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{Workflow: idv.WorkflowLiveness, Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson"}})
	task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, task.Challenge.Token, idvtest.Selfie("anna"))); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	x, err := d.Exports.Export(sessiontest.As(t, "usr_1"), idv.Test, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	parts := open(t, x)
	var body struct {
		Format    string            `json:"format"`
		Facts     []idv.Claim       `json:"facts"`
		Consents  []any             `json:"consents"`
		Decisions []any             `json:"decisions"`
		Timeline  []any             `json:"timeline"`
		Pictures  []map[string]any  `json:"pictures"`
		KeptUntil map[string]string `json:"kept_until"`
	}
	if err := json.Unmarshal(parts["session.json"], &body); err != nil {
		t.Fatal(err)
	}
	if body.Format != retention.ExportFormat || len(body.Facts) != 5 || len(body.Consents) != 1 || len(body.Decisions) != 1 ||
		len(body.Timeline) < 8 || len(body.KeptUntil) != 2 {
		t.Errorf("session.json is %+v", body)
	}
	if len(parts) != 1+1+20 || len(body.Pictures) != 2 || body.Pictures[0]["file"] != "pictures/01_document_front.jpg" {
		t.Errorf("%d parts, pictures %v", len(parts), body.Pictures)
	}
	for name, raw := range parts {
		if strings.HasPrefix(name, "pictures/") && !bytes.Contains(raw, []byte("scene:")) {
			t.Errorf("%s is not as it was sent", name)
		}
	}
	if types := d.Store.EventTypes(p.ID); !slices.Contains(types, session.EventExported) {
		t.Errorf("events %v", types)
	}
	_, err = d.Exports.Export(t.Context(), idv.Live, p.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
	erase(t, d, p.ID)
	_, err = d.Exports.Export(t.Context(), idv.Test, p.ID)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	sessiontest.WantProblem(t, x.Write(t.Context(), io.Discard), problem.SessionErased) // its pictures are gone
}
