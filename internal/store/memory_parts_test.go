package store

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// applicants writes what browsers do.
func (r *recorder) applicants() {
	ctx := r.t.Context()
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(
			tx.AddAttempt(ctx, session.Attempt{Session: anna, ID: "one", Step: idv.StepDocumentFront, SHA256: "aa", Counts: true, At: minutes(1)}),
			tx.AddAttempt(ctx, session.Attempt{Session: anna, ID: "two", Step: idv.StepSelfie, SHA256: "bb", Problem: "p", At: minutes(2)}),
			tx.AddConsent(ctx, session.ConsentRow{ID: "con_1", Session: anna, At: minutes(1), Consent: session.Consent{
				Given: true, About: session.ToBiometrics, TextVersion: "1", Locale: "en", Address: "192.0.2.0",
			}}),
			tx.AddChallenge(ctx, session.ChallengeRow{
				ID: "chl_1", Session: anna, Step: idv.StepSelfie, Try: 1, IssuedAt: minutes(1), ExpiresAt: minutes(4),
				Spec: idv.Challenge{DurationMS: 9000, Gentle: true},
			}),
			tx.AddHandoff(ctx, session.HandoffRow{ID: "hnd_1", Session: anna, LinkHash: "h1", From: "f", MadeAt: minutes(1), ExpiresAt: minutes(11)}),
			tx.AddHandoff(ctx, session.HandoffRow{ID: "hnd_2", Session: anna, LinkHash: "h2", From: "g", MadeAt: minutes(2), ExpiresAt: minutes(12)}),
			tx.AddTab(ctx, session.TabRow{Session: anna, TokenHash: "t1", KeyHash: "k", How: session.OpenedByLink, OpenedAt: minutes(1)}),
			tx.AddTab(ctx, session.TabRow{Session: anna, TokenHash: "t2", KeyHash: "k", How: session.ResumedByBrowser, OpenedAt: minutes(2)}),
			tx.AddTab(ctx, session.TabRow{Session: anna, TokenHash: "t3", KeyHash: "", How: session.ResumedByBrowser, OpenedAt: minutes(3)}),
			tx.AddUpload(ctx, session.UploadRow{ID: "upl_1", Session: anna, MadeAt: minutes(1), ExpiresAt: minutes(60)}),
			tx.AddUpload(ctx, session.UploadRow{ID: "upl_2", Session: anna, MadeAt: minutes(2), ExpiresAt: minutes(59)}),
			tx.AddUploadPart(ctx, session.UploadPart{Upload: "upl_1", Session: anna, Number: 0, Bytes: 5, Blob: string(anna) + "/p0"}),
			tx.AddUploadPart(ctx, session.UploadPart{Upload: "upl_1", Session: anna, Number: 1, Bytes: 6, Blob: string(anna) + "/p1"}),
		)
	})
	r.keep("AddAttempt a second time", nil, r.st.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		return tx.AddAttempt(ctx, session.Attempt{Session: anna, ID: "one", Step: idv.StepSelfie, At: minutes(3)})
	}))
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(
			tx.CloseChallenges(ctx, anna, minutes(3)), tx.CloseChallenges(ctx, anna, minutes(9)),
			tx.SaveHandoff(ctx, session.HandoffRow{ID: "hnd_1", From: "k", To: "g", OpenedAt: minutes(2), EndedAt: minutes(3)}),
			tx.SaveUpload(ctx, session.UploadRow{ID: "upl_1", Received: 11, Parts: 2, Attempt: "one", ExpiresAt: minutes(99)}),
		)
	})
	a, err := r.st.Attempt(ctx, anna, "two")
	r.keep("Attempt", a, err)
	c, err := r.st.Challenge(ctx, "chl_1")
	r.keep("Challenge", c, err)
	h, err := r.st.HandoffByLink(ctx, "h1")
	r.keep("HandoffByLink", h, err)
	hs, err := r.st.HandoffsByToken(ctx, "g")
	r.keep("HandoffsByToken", hs, err)
	for _, hash := range []string{"t1", "k", "none"} {
		by, err := r.st.TabByToken(ctx, hash)
		r.keep("TabByToken "+hash, by, err)
		of, err := r.st.TabByKey(ctx, hash)
		r.keep("TabByKey "+hash, of, err)
	}
	for since := range 4 {
		n, err := r.st.CountTabs(ctx, anna, session.ResumedByBrowser, minutes(since))
		r.keep("CountTabs", n, err)
	}
	u, err := r.st.Upload(ctx, "upl_1")
	r.keep("Upload", u, err)
	parts, err := r.st.UploadParts(ctx, "upl_1")
	r.keep("UploadParts", parts, err)
	for _, limit := range []int{1, 2} {
		us, err := r.st.OverdueUploads(ctx, minutes(60), limit)
		r.keep("OverdueUploads", us, err)
	}
	r.family(anna)
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(tx.RemoveUploadParts(ctx, "upl_2"), tx.RemoveUpload(ctx, "upl_2"))
	})
	one, err := r.st.Sign(ctx, "x", []byte("y"))
	two, err2 := r.st.Sign(ctx, "z", []byte("y"))
	r.keep("Sign for another use", one == two, errors.Join(err, err2))
}

// evidence writes what is found in captures, checks and decisions.
func (r *recorder) evidence() {
	ctx := r.t.Context()
	front := session.CaptureRow{Blob: string(anna) + "/c1", Capture: idv.Capture{
		ID: "cap_1", Session: anna, Step: idv.StepDocumentFront, Side: idv.Front, Kind: idv.DocumentImage, Attempt: "one", SHA256: "aa", Size: 3,
		MediaType: "image/png", Source: idv.SourceFile, CreatedAt: minutes(1), Bytes: []byte("xyz"),
	}}
	selfie := session.CaptureRow{Blob: string(anna) + "/c2", Capture: idv.Capture{
		ID: "cap_2", Session: anna, Step: idv.StepSelfie, Kind: idv.FaceImage, Attempt: "two", SHA256: "bb", CreatedAt: minutes(2),
	}}
	found := idv.Extraction{
		Artifacts: []idv.Artifact{
			{
				ID: "art_1", Kind: idv.ArtifactPage, Side: idv.Front, Present: true, Producer: "p", Version: "1",
				Data: json.RawMessage(`{"kind":"passport"}`), Inputs: []idv.Digest{"aa"},
			},
			{ID: "art_2", Kind: idv.ArtifactPortrait, Side: idv.Front, Present: true, Data: json.RawMessage(`{}`), Blob: []byte("crop"), BlobType: "image/jpeg"},
			{ID: "art_3", Kind: idv.ArtifactPortraitTemplate, Side: idv.Front, Absent: "none"},
		},
		Claims: []idv.Claim{{Name: idv.DocumentNumber, Value: "L898902C3", Source: idv.FromMRZ, Confidence: 1}, {
			Name: idv.FamilyName, Value: "ERIKSSON", Source: idv.FromMRZ, Confidence: 1,
		}},
	}
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(tx.AddCapture(ctx, front), tx.AddCapture(ctx, selfie))
	})
	for range 2 {
		r.write(func(ctx context.Context, tx session.Tx) error {
			fresh, err := tx.AddExtraction(ctx, front, found)
			r.keep("AddExtraction", fresh, err)
			return err
		})
	}
	check := idv.Check{
		ID: "chk_1", Session: anna, Kind: idv.CheckFaceMatch, Required: true, Lifecycle: idv.CheckSettled, Inputs: "d1", Duration: time.Second,
		SettledAt: minutes(3), Finding: &idv.Finding{Outcome: idv.Pass, Reasons: []idv.Reason{}},
	}
	again, other := check, check
	again.ID, again.Lifecycle, again.Finding, again.BrokenBy = "chk_2", idv.CheckBroken, nil, "by"
	other.ID, other.Kind, other.Inputs = "chk_3", idv.CheckDocumentReadable, "d2"
	for _, c := range []idv.Check{check, again, other} {
		r.write(func(ctx context.Context, tx session.Tx) error {
			fresh, err := tx.AddCheck(ctx, c)
			r.keep("AddCheck", fresh, err)
			return err
		})
	}
	r.write(func(ctx context.Context, tx session.Tx) error {
		if err := tx.SupersedeCheck(ctx, "chk_1"); err != nil {
			return err
		}
		fresh, err := tx.AddCheck(ctx, again)
		r.keep("AddCheck in the place of a superseded one", fresh, err)
		return errors.Join(err, tx.SupersedeCaptures(ctx, anna, idv.StepSelfie))
	})
	for i, reasons := range [][]idv.Reason{{{Code: "a", Step: idv.StepSelfie}}, {{Code: "b"}, {Code: "b"}}, nil} {
		n := string(rune('1' + i))
		r.write(func(ctx context.Context, tx session.Tx) error {
			report := idv.Report{ID: idv.ReportID("rep_" + n), Session: anna, MadeAt: minutes(i), Digest: "dd", Checks: []idv.Check{}, Claims: []idv.Claim{}}
			d := idv.Decision{
				ID: idv.DecisionID("dec_" + n), Session: anna, Outcome: idv.DecideRefer, Reasons: reasons, By: "policy", Note: "n", Report: report.ID,
				Digest: "dd", DecidedAt: minutes(i),
			}
			facts := session.Facts{Session: anna, Decision: d.ID, Mode: idv.Test, Workflow: r.workflow.ID, Country: "UTO", At: minutes(i), Reasons: []string{}}
			return errors.Join(tx.AddReport(ctx, report), tx.AddDecision(ctx, d), tx.AddFacts(ctx, facts))
		})
		for _, code := range []string{"a", "b"} {
			recs, err := r.st.Sessions(ctx, session.Filter{Reason: code, Limit: 9})
			r.keep("Sessions by reason", idsOf(recs), err)
		}
	}
	r.family(anna)
}

func idsOf(recs []session.Record) []idv.SessionID {
	out := []idv.SessionID{}
	for _, rec := range recs {
		out = append(out, rec.ID)
	}
	return out
}

// reviewing writes how cases are given out and which approvals are looked at again, and reads both.
func (r *recorder) reviewing() {
	ctx := r.t.Context()
	drawn := idv.QualityReview{Session: anna, Mode: idv.Test, Workflow: r.workflow.ID, Decision: "dec_1", DecidedBy: "policy", DrawnAt: minutes(4)}
	r.write(func(ctx context.Context, tx session.Tx) error {
		a, err := tx.LockAssignment(ctx, idv.Test)
		a.Enabled, a.Most, a.Last = true, 3, "usr_1"
		return errors.Join(
			err, tx.SaveAssignment(ctx, a), tx.SetAway(ctx, "usr_1", minutes(1)), tx.SetAway(ctx, "usr_1", minutes(2)), tx.SetAway(ctx, "usr_2", minutes(1)),
			tx.SetAway(ctx, "usr_2", time.Time{}), tx.AddQualityReview(ctx, drawn), tx.AddQualityReview(ctx, drawn),
			tx.AddQualityReview(ctx, idv.QualityReview{
				Session: bert, Mode: idv.Test, Workflow: r.workflow.ID, Decision: "dec_2", DecidedBy: "usr_1", DrawnAt: minutes(3),
			}),
		)
	})
	drawn.By, drawn.Verdict, drawn.Reasons, drawn.Note, drawn.At = "usr_2", idv.Disagree, []string{"face.mismatch"}, "n", minutes(9)
	r.write(func(ctx context.Context, tx session.Tx) error { return tx.SaveQualityReview(ctx, drawn) })
	for _, mode := range []idv.Mode{idv.Test, idv.Live} {
		a, err := r.st.Assignment(ctx, mode)
		r.keep("Assignment", a, err)
		held, err := r.st.HeldCases(ctx, mode, minutes(19))
		r.keep("HeldCases", held, err)
		n, err := r.st.CountQuality(ctx, mode, minutes(5))
		r.keep("CountQuality", n, err)
		for _, done := range []bool{true, false} {
			rows, err := r.st.QualityReviews(ctx, session.QualityFilter{Mode: mode, Done: done, Limit: 5})
			var ids []idv.SessionID
			for _, row := range rows {
				ids = append(ids, row.Session)
			}
			r.keep("QualityReviews", ids, err)
		}
	}
	away, err := r.st.Absences(ctx)
	r.keep("Absences", away, err)
	q, err := r.st.QualityReview(ctx, anna)
	r.keep("QualityReview", []any{q.Verdict, q.Note, q.By, q.Reasons, q.At}, err)
}

// cases writes cases and reads the queue.
func (r *recorder) cases() {
	ctx := r.t.Context()
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(
			tx.AddCase(ctx, idv.Case{
				ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y1", Session: anna, Mode: idv.Test, Workflow: r.workflow.ID, State: idv.CaseOpen, OpenedAt: minutes(1), DueAt: minutes(50),
				Report: "dd",
			}),
			tx.AddCase(ctx, idv.Case{
				ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y2", Session: bert, Mode: idv.Test, Workflow: r.workflow.ID, State: idv.CaseOpen, OpenedAt: minutes(2), DueAt: minutes(40),
				Reasons: []string{"r"},
			}),
			tx.AddCase(ctx, idv.Case{
				ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y3", Session: cleo, Mode: idv.Test, Workflow: r.workflow.ID, State: idv.CaseOpen, OpenedAt: minutes(3), DueAt: minutes(45),
			}),
			tx.SaveCase(ctx, idv.Case{
				ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y2", Session: bert, Mode: idv.Test, Workflow: r.workflow.ID, State: idv.CaseClaimed, Assignee: "usr_1",
				ClaimedUntil: minutes(20), OpenedAt: minutes(2), DueAt: minutes(40), Version: 1,
			}),
			tx.AddReview(ctx, idv.Review{
				ID: "rev_1", Case: "cas_06c1q2m3n4p5r6s7t8v9w0x1y1", Session: anna, By: "usr_1", Kind: idv.ReviewNoted, Note: "n", Report: "dd", At: minutes(3),
			}),
		)
	})
	for _, now := range []int{19, 20} {
		for _, tab := range []session.CaseTab{session.Unclaimed, session.Mine, session.AllCases} {
			f := session.CaseFilter{Mode: idv.Test, Tab: tab, Who: "usr_1", Now: minutes(now), Limit: 2}
			rows, err := r.st.Cases(ctx, f)
			r.keep("Cases "+string(tab), caseIDs(rows), err)
			f.After = f.Sort.CursorOf(idv.Case{ID: "cas_06c1q2m3n4p5r6s7t8v9w0x1y3", DueAt: minutes(45)})
			rows, err = r.st.Cases(ctx, f)
			r.keep("Cases after one, "+string(tab), caseIDs(rows), err)
			n, err := r.st.CountCases(ctx, f)
			r.keep("CountCases", n, err)
		}
		ids, err := r.st.LapsedCases(ctx, minutes(now), 9)
		r.keep("LapsedCases", append([]idv.CaseID{}, ids...), err)
	}
	c, err := r.st.CaseOf(ctx, bert)
	c.Workflow = ""
	r.keep("CaseOf", c, err)
}

func caseIDs(rows []idv.Case) []idv.CaseID {
	out := []idv.CaseID{}
	for _, c := range rows {
		out = append(out, c.ID)
	}
	return out
}

// lists filters, searches and pages.
func (r *recorder) lists() {
	ctx := r.t.Context()
	filters := map[string]session.Filter{
		"all": {}, "by mode": {Mode: idv.Test}, "by states": {States: []idv.SessionState{idv.Created, idv.Processing}}, "by country": {Countries: []string{"UTO"}},
		"by workflow": {Workflow: idv.WorkflowNoLiveness}, "by another workflow": {Workflow: "other"}, "from": {From: minutes(1)}, "to": {To: minutes(1)},
		"after one": {After: string(bert)}, "by id": {Search: string(bert)}, "by reference": {Search: "REF  " + string(bert)}, "by nothing known": {Search: "none"},
		"by name": {Wanted: session.Wanted{Name: "eriksson anna"}}, "by another name": {Wanted: session.Wanted{Name: "anna"}},
		"by number": {Wanted: session.Wanted{DocumentNumber: "l898-902 c3"}}, "by metadata": {Wanted: session.Wanted{MetadataKey: "team", MetadataValue: "Blue"}},
		"by name and number": {Wanted: session.Wanted{Name: "Anna Maria Eriksson", DocumentNumber: "L898902C3"}},
	}
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		f := filters[name]
		f.Limit = 2
		recs, err := r.st.Sessions(ctx, f)
		r.keep("Sessions "+name, idsOf(recs), err)
	}
	facets, err := r.st.Facets(ctx, idv.Test)
	r.keep("Facets", facets, err)
	counts, err := r.st.CountStates(ctx, idv.Test)
	r.keep("CountStates", counts, err)
	some, err := r.st.Records(ctx, []idv.SessionID{anna, cleo, "ses_none"})
	r.keep("Records", len(some), err)
	ws, err := r.st.Workflows(ctx, idv.Live)
	names := []string{}
	for _, w := range ws {
		names = append(names, w.Name)
	}
	r.keep("Workflows", names, err)
	events, err := r.st.Events(ctx, anna, idv.EventID("evt_"+string(anna)))
	r.keep("Events after one", events, err)
	events, err = r.st.Events(ctx, anna, idv.EventID("evt_"+string(bert)))
	r.keep("Events after another session's", events, err)
}

// holds sets and lifts holds, and keeps settings and views.
func (r *recorder) holds() {
	ctx := r.t.Context()
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(
			tx.SetHold(ctx, session.Hold{Session: anna, Reason: "court", SetBy: "user:usr_1", SetAt: minutes(1)}),
			tx.SetHold(ctx, session.Hold{Session: bert, Reason: "court", SetBy: "system", SetAt: minutes(2)}),
			tx.LiftHold(ctx, anna, "system", minutes(3)),
			tx.SetRetention(ctx, idv.RetentionSetting{Test: time.Hour}),
			tx.SetRetentionRuns(ctx, session.RetentionRuns{Last: session.RetentionRun{StartedAt: minutes(1), Pictures: 1}}),
		)
	})
	r.family(anna)
	for _, after := range []idv.SessionID{"", cleo, bert} {
		hs, err := r.st.StandingHolds(ctx, after, 9)
		r.keep("StandingHolds", hs, err)
	}
	n, err := r.st.CountHolds(ctx)
	r.keep("CountHolds", n, err)
	set, err := r.st.Retention(ctx)
	r.keep("Retention", set, err)
	runs, err := r.st.RetentionRuns(ctx)
	r.keep("RetentionRuns", runs, err)
	for _, id := range []idv.SessionID{anna, bert, cleo} { // bert is held, cleo is not at the end
		r.write(func(ctx context.Context, tx session.Tx) error {
			rec, err := tx.Lock(ctx, id)
			rec.TouchedAt = minutes(10)
			if id != cleo {
				rec.State = idv.Approved
			}
			return errors.Join(err, tx.SaveSession(ctx, rec))
		})
	}
	r.due()
}

// due asks what is to be erased.
func (r *recorder) due() {
	for _, scope := range []session.Scope{session.ScopePictures, session.ScopeAll} {
		for _, at := range []int{9, 10} {
			ids, err := r.st.DueSessions(r.t.Context(), session.Due{Workflow: r.workflow.ID, Scope: scope, Before: minutes(at), Limit: 5})
			r.keep("DueSessions", ids, err)
		}
		n, err := r.st.CountDue(r.t.Context(), []idv.WorkflowVersionID{r.workflow.ID}, scope, []time.Time{minutes(9), minutes(10)})
		r.keep("CountDue", n, err)
	}
}

// strikeFace removes what is there of a face.
func (r *recorder) strikeFace() {
	r.write(func(ctx context.Context, tx session.Tx) error {
		blobs, err := tx.StrikeFace(ctx, anna)
		r.keep("StrikeFace", blobs, err)
		return err
	})
	r.family(anna)
}

// strikes erases a scope of a session, and what follows from it.
func (r *recorder) strikes(scope session.Scope, id idv.SessionID) {
	ctx := r.t.Context()
	r.write(func(ctx context.Context, tx session.Tx) error {
		struck, err := tx.Strike(ctx, id, scope, minutes(20))
		traces := len(struck.Traces) > 0
		struck.Traces = nil
		for i := range struck.Items {
			struck.Items[i].Digest = "" // keyed
		}
		removed := map[string]int{}
		for _, one := range struck.Removed {
			if one.What != "blind_indexes" { // how many forms of a name there are is each store's own matter
				removed[one.What] = one.Count
			}
		}
		struck.Removed = nil
		r.keep("Strike "+string(scope), []any{struck, traces, removed}, err)
		return errors.Join(err, tx.AddErasure(ctx, session.Erasure{Session: id, Scope: scope, Statement: "{}", ErasedAt: minutes(20), Traces: []string{"AAAA"}}))
	})
	r.family(id)
	r.due()
	ids, err := r.st.Unfinished(ctx, minutes(21), 9)
	r.keep("Unfinished", ids, err)
	ids, err = r.st.Unfinished(ctx, minutes(20), 9)
	r.keep("Unfinished that began later", ids, err)
	r.keep("Clean", nil, r.st.Clean(ctx, []idv.SessionID{id}))
	ids, err = r.st.Unfinished(ctx, minutes(21), 9)
	r.keep("Unfinished after cleaning", ids, err)
	refused := func(call string, f func(ctx context.Context, tx session.Tx) error) {
		r.keep(call+" of an erased session", nil, r.st.InTx(ctx, f))
	}
	refused("AddCheck", func(ctx context.Context, tx session.Tx) error {
		_, err := tx.AddCheck(ctx, idv.Check{
			ID: idv.CheckID("chk_late" + scope), Session: id, Kind: idv.CheckAgeLimit, Inputs: "l", Lifecycle: idv.CheckSettled,
			Finding: &idv.Finding{Reasons: []idv.Reason{}},
		})
		return errors.Join(err, errUndone)
	})
	refused("AddReport", func(ctx context.Context, tx session.Tx) error {
		return errors.Join(tx.AddReport(ctx, idv.Report{ID: "rep_late", Session: id, MadeAt: minutes(30)}), errUndone)
	})
	refused("SaveSession", func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		return errors.Join(err, tx.SaveSession(ctx, rec), errUndone)
	})
}

var errUndone = errors.New("errUndone")

// afterwards looks at what erasing leaves of others.
func (r *recorder) afterwards() {
	ctx := r.t.Context()
	r.family(cleo)
	recs, err := r.st.Sessions(ctx, session.Filter{Limit: 9})
	r.keep("Sessions", idsOf(recs), err)
	recs, err = r.st.Sessions(ctx, session.Filter{Limit: 9, Wanted: session.Wanted{Name: "Anna Maria Eriksson"}})
	r.keep("Sessions by name", idsOf(recs), err)
	_, proof, err := r.st.EntryOf(ctx, anna, "a.done")
	r.keep("EntryOf with its proof", proof != nil && proof.Check() == nil, err)
	proofs, err := r.st.AuditProofs(ctx, anna)
	r.keep("AuditProofs", len(proofs), err)
	n, err := r.st.CountEntries(ctx, []time.Time{minutes(-1), time.Now().Add(time.Hour)})
	r.keep("CountEntries", n, err)
	n2, err := r.st.TrimAudit(ctx, time.Now().Add(time.Minute))
	r.keep("TrimAudit", n2, err)
}
