package workflow

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// nameForm matches the names of workflows, which integrators send in requests and get in events.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Create makes a workflow with a draft that copies a version of its mode, the default workflow's newest published one if none
// is named. Problems: request.malformed (name taken or of another form), not_found.
func (s *Service) Create(ctx context.Context, mode idv.Mode, name string, from idv.WorkflowVersionID) (Workflow, error) {
	if mode != idv.Live && mode != idv.Test {
		return Workflow{}, malformed("/mode", "live or test")
	}
	if !nameForm.MatchString(name) {
		return Workflow{}, malformed("/name", "a letter, then letters, digits and underscores, all small, at most 40")
	}
	id, err := idv.NewID[idv.WorkflowID](s.now(), s.random)
	if err != nil {
		return Workflow{}, err
	}
	err = s.store.ChangeWorkflows(ctx, func(ctx context.Context, tx Tx) error {
		all, err := tx.WorkflowsOf(ctx, mode)
		if err != nil {
			return err
		}
		source, err := sourceOf(all, from)
		if err != nil {
			return err
		}
		if from == "" {
			source.Required = withSignals(source.WorkflowVersion)
		}
		for _, w := range all {
			if w.Name == name {
				return malformed("/name", "one that no other workflow of this mode has")
			}
		}
		if len(all) >= MaxWorkflows {
			return problem.New(problem.WorkflowConflict).Saying("There are %d workflows, which is the most.", MaxWorkflows)
		}
		w := Workflow{ID: id, Mode: mode, Name: name, SignalsSeen: idv.SignalsGeneration}
		if err := tx.AddWorkflow(ctx, w, s.now()); err != nil {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{Action: "workflow.created", Subject: string(id)}); err != nil {
			return err
		}
		_, err = s.addDraft(ctx, tx, w, source)
		return err
	})
	if err != nil {
		return Workflow{}, err
	}
	return s.store.WorkflowOf(ctx, id)
}

// withSignals returns the checks of a version with the signals that a new workflow has.
func withSignals(w idv.WorkflowVersion) []idv.CheckKind {
	missing := slices.DeleteFunc(idv.SignalsOf(w.Mode, w.AsksLiveness()), w.Requires)
	return append(slices.Clone(w.Required), missing...)
}

// sourceOf returns the version to copy. Problems: not_found.
func sourceOf(all []Workflow, from idv.WorkflowVersionID) (Version, error) {
	for _, w := range all {
		for _, v := range w.Versions {
			if v.ID == from || from == "" && w.Name == idv.WorkflowDefault && v.State == idv.Published {
				return v, nil
			}
		}
	}
	return Version{}, problem.New(problem.NotFound).At("/from")
}

// addDraft adds a draft to a workflow, as a copy of a version.
func (s *Service) addDraft(ctx context.Context, tx Tx, w Workflow, from Version) (Version, error) {
	id, err := idv.NewID[idv.WorkflowVersionID](s.now(), s.random)
	if err != nil {
		return Version{}, err
	}
	v := Version{WorkflowVersion: from.WorkflowVersion, Revision: 1, CreatedAt: s.now(), CreatedBy: actor(ctx), ChangedAt: s.now(), ChangedBy: actor(ctx)}
	v.ID, v.Workflow, v.Mode, v.Name, v.State, v.Number = id, w.ID, w.Mode, w.Name, idv.Draft, 1
	if len(w.Versions) > 0 {
		v.Number = w.Versions[0].Number + 1
	}
	if err := tx.AddVersion(ctx, v); err != nil {
		return Version{}, err
	}
	return v, tx.Audit(ctx, audit.Record{Action: "workflow.draft_made", Subject: string(v.ID)})
}

// Draft adds a draft to a workflow, as a copy of one of its versions, by default the newest. Problems: not_found;
// workflow.conflict where there is a draft already.
func (s *Service) Draft(ctx context.Context, id idv.WorkflowID, from idv.WorkflowVersionID) (Version, error) {
	return s.draft(ctx, id, func(w Workflow) (Version, error) {
		if from == "" {
			return w.Versions[0], nil
		}
		return w.Version(from)
	})
}

// DraftOffered adds a draft as a copy of what is published, with the offered switches on. Problems: as for Draft; workflow.conflict
// also where nothing is offered.
func (s *Service) DraftOffered(ctx context.Context, id idv.WorkflowID) (Version, error) {
	return s.draft(ctx, id, func(w Workflow) (Version, error) {
		offered := w.Offered()
		if len(offered) == 0 {
			return Version{}, conflict("No signals are offered.")
		}
		v, _ := w.In(idv.Published)
		v.Required = with(v.Required, offered)
		return v, nil
	})
}

// with returns checks and others, in the order in which checks are shown.
func with(checks, others []idv.CheckKind) []idv.CheckKind {
	return slices.DeleteFunc(idv.CheckKinds(), func(k idv.CheckKind) bool { return !slices.Contains(checks, k) && !slices.Contains(others, k) })
}

// DismissOffer ends the offer of signals to a workflow. Problems: not_found.
func (s *Service) DismissOffer(ctx context.Context, id idv.WorkflowID) error {
	_, err := s.change(ctx, id, func(ctx context.Context, tx Tx, w Workflow) (Version, error) {
		if err := tx.SaveSignalsSeen(ctx, w.ID, idv.SignalsGeneration); err != nil {
			return Version{}, err
		}
		return Version{}, tx.Audit(ctx, audit.Record{Action: "workflow.offer_dismissed", Subject: string(w.ID)})
	})
	return err
}

func (s *Service) draft(ctx context.Context, id idv.WorkflowID, sourceOf func(Workflow) (Version, error)) (Version, error) {
	return s.change(ctx, id, func(ctx context.Context, tx Tx, w Workflow) (Version, error) {
		if d, ok := w.In(idv.Draft); ok {
			return Version{}, conflict("%s made a draft at %s.", actorText(d.CreatedBy), timeText(d.CreatedAt))
		}
		if len(w.Versions) >= MaxVersions {
			return Version{}, problem.New(problem.WorkflowConflict).Saying("There are %d versions, which is the most.", MaxVersions)
		}
		source, err := sourceOf(w)
		if err != nil {
			return Version{}, err
		}
		return s.addDraft(ctx, tx, w, source)
	})
}

// Save replaces the content of the draft, which may be invalid. Problems: not_found without a workflow, workflow.conflict
// without a draft at that revision.
func (s *Service) Save(ctx context.Context, id idv.WorkflowID, revision int64, spec idv.WorkflowVersion) (Version, error) {
	return s.onDraft(ctx, id, revision, func(ctx context.Context, tx Tx, _ Workflow, d Version) (Version, error) {
		d.WorkflowVersion = normalized(d.withSpec(spec))
		if err := knownLogo(ctx, tx, d.Brand); err != nil {
			return Version{}, err
		}
		d.Revision, d.ChangedAt, d.ChangedBy = d.Revision+1, s.now(), actor(ctx)
		if err := tx.SaveVersion(ctx, d); err != nil {
			return Version{}, err
		}
		return d, tx.Audit(ctx, audit.Record{Action: "workflow.draft_changed", Subject: string(d.ID)})
	})
}

// withSpec returns a specification with the version's own identity, name and state.
func (v Version) withSpec(spec idv.WorkflowVersion) idv.WorkflowVersion {
	spec.ID, spec.Workflow, spec.Mode, spec.Name, spec.Number, spec.State = v.ID, v.Workflow, v.Mode, v.Name, v.Number, v.State
	return spec
}

// Discard removes the draft, and a workflow without other versions. Problems: as for Save.
func (s *Service) Discard(ctx context.Context, id idv.WorkflowID, revision int64) error {
	_, err := s.onDraft(ctx, id, revision, func(ctx context.Context, tx Tx, w Workflow, d Version) (Version, error) {
		if err := tx.RemoveVersion(ctx, d.ID); err != nil {
			return Version{}, err
		}
		if len(w.Versions) == 1 {
			if err := tx.RemoveWorkflow(ctx, w.ID); err != nil {
				return Version{}, err
			}
		}
		return d, tx.Audit(ctx, audit.Record{Action: "workflow.draft_discarded", Subject: string(d.ID)})
	})
	return err
}

// Publish publishes the draft, which new sessions follow from then on, and retires the previous version. Problems: as for
// Save, and workflow.invalid or workflow.invalid_rule with a pointer into the draft.
func (s *Service) Publish(ctx context.Context, id idv.WorkflowID, revision int64) (Version, error) {
	event, err := idv.NewID[idv.EventID](s.now(), s.random)
	if err != nil {
		return Version{}, err
	}
	return s.onDraft(ctx, id, revision, func(ctx context.Context, tx Tx, w Workflow, d Version) (Version, error) {
		if issues := s.Issues(d.WorkflowVersion); len(issues) > 0 {
			return Version{}, issues[0].problem()
		}
		if before, ok := w.In(idv.Published); ok {
			if _, err := s.retire(ctx, tx, before); err != nil {
				return Version{}, err
			}
		}
		d.State, d.PublishedAt, d.PublishedBy = idv.Published, s.now(), actor(ctx)
		if err := tx.SaveVersion(ctx, d); err != nil {
			return Version{}, err
		}
		if err := tx.SaveSignalsSeen(ctx, w.ID, idv.SignalsGeneration); err != nil {
			return Version{}, err
		}
		if err := tx.Audit(ctx, audit.Record{Action: "workflow.published", Subject: string(d.ID)}); err != nil {
			return Version{}, err
		}
		return d, tx.NotifyPublished(ctx, event, d, s.now())
	})
}

// Retire retires a published version. No new session can follow the workflow until another version is published. Problems:
// not_found, workflow.conflict for a version that is not published and for the default workflow.
func (s *Service) Retire(ctx context.Context, id idv.WorkflowID, version idv.WorkflowVersionID) (Version, error) {
	return s.change(ctx, id, func(ctx context.Context, tx Tx, w Workflow) (Version, error) {
		v, err := w.Version(version)
		if err != nil {
			return Version{}, err
		}
		switch {
		case v.State != idv.Published:
			return Version{}, conflict("It is not published.")
		case w.Name == idv.WorkflowDefault:
			return Version{}, conflict("Sessions that name no workflow follow this one; publish another version of it instead.")
		}
		return s.retire(ctx, tx, v)
	})
}

func (s *Service) retire(ctx context.Context, tx Tx, v Version) (Version, error) {
	v.State, v.RetiredAt, v.RetiredBy = idv.Retired, s.now(), actor(ctx)
	if err := tx.SaveVersion(ctx, v); err != nil {
		return Version{}, err
	}
	return v, tx.Audit(ctx, audit.Record{Action: "workflow.retired", Subject: string(v.ID)})
}

// change runs f on a workflow in a transaction that excludes other changes.
func (s *Service) change(ctx context.Context, id idv.WorkflowID, f func(context.Context, Tx, Workflow) (Version, error)) (v Version, err error) {
	err = s.store.ChangeWorkflows(ctx, func(ctx context.Context, tx Tx) error {
		w, err := tx.WorkflowOf(ctx, id)
		if err != nil {
			return err
		}
		v, err = f(ctx, tx, w)
		return err
	})
	if err != nil {
		return Version{}, err
	}
	return v, nil
}

// onDraft runs f on the draft of a workflow. Problems: workflow.conflict unless it has that revision.
func (s *Service) onDraft(
	ctx context.Context, id idv.WorkflowID, revision int64, f func(context.Context, Tx, Workflow, Version) (Version, error),
) (Version, error) {
	return s.change(ctx, id, func(ctx context.Context, tx Tx, w Workflow) (Version, error) {
		d, ok := w.In(idv.Draft)
		if !ok {
			if p, published := w.In(idv.Published); published && !p.PublishedAt.IsZero() && p.PublishedBy != "" {
				return Version{}, conflict("There is no draft any more: %s published version %d at %s.", actorText(p.PublishedBy), p.Number, timeText(p.PublishedAt))
			}
			return Version{}, conflict("There is no draft.")
		}
		if d.Revision != revision {
			return Version{}, conflict("%s changed it at %s.", actorText(d.ChangedBy), timeText(d.ChangedAt))
		}
		return f(ctx, tx, w, d)
	})
}

func conflict(format string, args ...any) error {
	return problem.New(problem.WorkflowConflict).Saying(format, args...)
}

func malformed(at, want string) error {
	return problem.New(problem.RequestMalformed).At(at).Saying("Expected: %s.", want)
}

// actor is the id of who acts; empty for the program.
func actor(ctx context.Context) string { return audit.ActorFrom(ctx).ID }

func actorText(id string) string {
	if id == "" {
		return "The program"
	}
	return id
}

func timeText(t time.Time) string { return t.UTC().Format("15:04:05 on 2 January 2006") }
