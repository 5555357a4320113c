package checker

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Bounds of the dates on a living person's document.
const (
	oldestHolder    = 122 // years, the longest documented life
	longestValidity = 20  // years from today to the expiry of any document that has one
)

// DatesPlausible asks whether the document's dates exist and fit together: born in the past and not too long ago,
// issued after birth and not in the future, expiring after birth and issue and within the longest validity of any document.
type DatesPlausible struct{ heedsSigned }

// Kind is document.dates.
func (DatesPlausible) Kind() idv.CheckKind { return idv.CheckDatesPlausible }

// Needs the pages and what states dates on them.
func (DatesPlausible) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactBarcode}
}

// Check judges birth, issue and expiry. Each impossible date is a reason; without any date the finding is inconclusive.
func (DatesPlausible) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	seen := 0
	var reasons []idv.Reason
	at := map[idv.ClaimName][2]time.Time{}
	for _, name := range []idv.ClaimName{idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry} {
		c, ok := statedBy(ev, name)
		if !ok {
			continue
		}
		seen++
		first, last, ok := daysOf(c.Value)
		if !ok {
			reasons = append(reasons, dateReason(c))
			continue
		}
		at[name] = [2]time.Time{first, last}
		if !plausible(name, first, last, ev.Now) {
			reasons = append(reasons, dateReason(c))
		}
	}
	if seen == 0 && !ev.Workflow.TakesDocument() {
		return idv.DoesNotApply("The credential states no date."), nil
	}
	if seen == 0 {
		f := idv.Undecided()
		f.Note = "No date was read."
		return f, nil
	}
	if !inOrder(at) {
		reasons = append(reasons, idv.Reason{Code: problem.DocumentDatesImplausible.Code, Claim: idv.DateOfExpiry})
	}
	if len(reasons) > 0 {
		return idv.Failed(reasons...), nil
	}
	return idv.Passed(), nil
}

// plausible judges one date by itself; first and last bound the days that it can be.
func plausible(name idv.ClaimName, first, last, now time.Time) bool {
	switch name {
	case idv.DateOfBirth:
		return !first.After(now) && last.After(now.AddDate(-oldestHolder, 0, 0))
	case idv.DateOfIssue:
		return !first.After(now)
	default:
		return first.Before(now.AddDate(longestValidity, 0, 0))
	}
}

// inOrder reports whether birth, issue and expiry, as far as they are known, follow each other.
func inOrder(at map[idv.ClaimName][2]time.Time) bool {
	order := []idv.ClaimName{idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry}
	for i, a := range order {
		for _, b := range order[i+1:] {
			early, ok := at[a]
			late, ok2 := at[b]
			if ok && ok2 && !early[0].Before(late[1]) {
				return false
			}
		}
	}
	return true
}

// dateReason returns the reason that a date is impossible.
func dateReason(c idv.Claim) idv.Reason {
	return idv.Reason{Code: problem.DocumentDatesImplausible.Code, Step: stepOf(c.Side), Claim: c.Name, Sources: []idv.ClaimSource{c.Source}}
}

// daysOf returns the first and the last day that a date of the form YYYY-MM-DD can be; unknown parts are XX. ok is false
// where no such day exists.
func daysOf(date string) (first, last time.Time, ok bool) {
	parts := strings.Split(date, "-")
	if len(parts) != 3 {
		return first, last, false
	}
	var n [3]int
	for i, p := range parts {
		if p == "XX" && i > 0 {
			continue
		}
		v, err := strconv.Atoi(p)
		if err != nil || v < 1 {
			return first, last, false
		}
		n[i] = v
	}
	first = time.Date(n[0], time.Month(max(1, n[1])), max(1, n[2]), 0, 0, 0, 0, time.UTC)
	if n[1] > 12 || n[2] > 0 && first.Day() != n[2] {
		return first, last, false
	}
	switch {
	case n[1] == 0:
		last = time.Date(n[0], 12, 31, 0, 0, 0, 0, time.UTC)
	case n[2] == 0:
		last = time.Date(n[0], time.Month(n[1])+1, 0, 0, 0, 0, 0, time.UTC)
	default:
		last = first
	}
	return first, last, true
}
