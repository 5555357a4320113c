package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestASessionLeadsToOthersOfItsDocumentInItsModeOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	first, _, _ := w.referred(w.key)
	second, _, _ := w.referred(w.key)
	live, _, _ := w.referred(w.live)
	named, _ := w.create(w.key, map[string]any{"claimed": map[string]string{"family_name": "Eriksson", "given_names": "Anna Maria"}})
	cookie := w.signIn()
	read := func(id string) wire.SessionFile {
		t.Helper()
		return decode[wire.SessionFile](t, w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body)
	}
	got := read(first).Related
	if len(got) != 1 || string(got[0].ID) != second || len(got[0].By) != 2 {
		t.Errorf("related to %s: %+v, want %s by document and person, and neither %s of live mode nor %s, of which only a name is known",
			first, got, second, live, named)
	}
	if got := read(live).Related; len(got) != 0 {
		t.Errorf("a live session leads to test ones: %+v", got)
	}

	for role, sees := range map[account.Role]bool{
		account.Reviewer: true, account.Developer: true, account.PrivacyOfficer: true, account.Auditor: false,
	} {
		w.roles.instead = []account.Role{role}
		if got := read(first).Related; (len(got) == 1) != sees {
			t.Errorf("a member who is %s sees related sessions %+v", role, got)
		}
	}
	w.roles.instead = nil

	_, err := w.sessions.Erasures.Erase(t.Context(), idv.Test, idv.SessionID(second))
	must(t, err)
	if got := read(first).Related; len(got) != 0 {
		t.Errorf("an erased session is found: %+v", got)
	}
}

func TestListsNamePersonsToWhoeverMaySeeThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	w.referred(w.key)
	w.create(w.key, map[string]any{"claimed": map[string]string{"family_name": "Quillfeather"}})
	cookie := w.signIn()
	paths := []string{"/v1/console/sessions", "/v1/console/cases"}
	for _, path := range paths {
		list := w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "").body
		if !strings.Contains(list, `"family_name":"ERIKSSON"`) {
			t.Errorf("%s names nobody: %s", path, list)
		}
	}
	page := decode[wire.ConsoleSessionPage](t, w.do(ask{method: "GET", path: paths[0], cookie: cookie}).want(t, 200, "").body)
	for i, one := range page.About {
		if one.ID != page.Items[i].ID {
			t.Errorf("row %d is about %s, want %s", i, one.ID, page.Items[i].ID)
		}
	}
	if got := page.About[0].Person[idv.FamilyName]; got != "Quillfeather" {
		t.Errorf("who is only stated is called %q", got)
	}
	if got := page.About[1].Reasons; len(got) != 1 || got[0] != "face.uncertain" {
		t.Errorf("reasons of the case: %q", got)
	}
	w.roles.instead = []account.Role{account.Auditor}
	for _, path := range paths {
		list := w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "").body
		for _, name := range []string{"ERIKSSON", "ANNA", "Quillfeather"} {
			if strings.Contains(list, name) {
				t.Errorf("%s tells an auditor %s", path, name)
			}
		}
	}
}

func TestTheReasonsForDecliningAreTheOrganisationsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	const path = "/v1/console/settings/decline-reasons"
	read := func() wire.DeclineReasons {
		t.Helper()
		return decode[wire.DeclineReasons](t, w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "").body)
	}
	if got := read(); len(got.Reasons) != 12 || len(got.Favourites) != 0 {
		t.Errorf("by default %d reasons, %d favourites; want a dozen, none", len(got.Reasons), len(got.Favourites))
	}
	set := func(reasons, favourites []string) answer {
		return w.do(ask{method: "POST", path: path, cookie: cookie, body: map[string]any{"reasons": reasons, "favourites": favourites}})
	}
	set([]string{"document.expired", "face.mismatch"}, []string{"face.mismatch"}).want(t, 200, "")
	if got := read(); strings.Join(got.Reasons, " ") != "face.mismatch document.expired" || strings.Join(got.Favourites, " ") != "face.mismatch" {
		t.Errorf("after the choice: %+v", got)
	}
	for name, c := range map[string]struct {
		reasons, favourites []string
		field               string
	}{
		"a code that the catalogue lacks": {[]string{"face.mismatch", "nose.long"}, nil, "/reasons/1"},
		"a code that is no reason":        {[]string{"not_found"}, nil, "/reasons/0"},
		"one twice":                       {[]string{"face.mismatch", "face.mismatch"}, nil, "/reasons/1"},
		"a favourite that is not offered": {[]string{"face.mismatch"}, []string{"document.expired"}, "/favourites/0"},
	} {
		if a := set(c.reasons, c.favourites).want(t, 400, "request.malformed"); !strings.Contains(a.body, c.field) {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	w.roles.instead = []account.Role{account.Reviewer}
	set([]string{"face.mismatch"}, nil).want(t, 403, "auth.forbidden")
	w.roles.instead = nil
	set([]string{}, nil).want(t, 200, "")
	if got := read(); len(got.Reasons) != 12 {
		t.Errorf("after going back to the default: %+v", got)
	}
}

// decode reads an answer as the type that the handler answered.
func decode[T any](t *testing.T, body string) T {
	t.Helper()
	var out T
	must(t, json.Unmarshal([]byte(body), &out))
	return out
}
