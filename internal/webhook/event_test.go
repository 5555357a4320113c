package webhook

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestAMessageSaysWhatTheTableNamesAndNothingElse(t *testing.T) {
	e := Event{
		ID: "evt_06c1q2m3n4p5r6s7t8v9w0x1y2", Session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y2", Mode: idv.Live, Type: "session.declined",
		At: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC),
		Payload: map[string]any{
			"outcome": "declined", "decision": "dec_06c1q2m3n4p5r6s7t8v9w0x1y2",
			"reasons": []any{"document.expired", "Anna Eriksson", "L898902C3 6UTO", "anna@example.test"},
			"name":    "Anna Eriksson", "note": "born 1974-08-12", "family_name": "eriksson", "document_number": "L898902C3", "report": map[string]any{"a": "b"},
		},
	}
	raw, err := (&Service{about: subjects{}}).body(t.Context(), Endpoint{Content: ContentIDs}, e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"evt_06c1q2m3n4p5r6s7t8v9w0x1y2","type":"session.declined","timestamp":"2026-05-04T12:00:00Z","mode":"live",` +
		`"session":"ses_06c1q2m3n4p5r6s7t8v9w0x1y2","data":{"decision":"dec_06c1q2m3n4p5r6s7t8v9w0x1y2","outcome":"declined","reasons":["document.expired"]}}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	for _, personal := range []string{"Anna", "Eriksson", "eriksson", "L898902C3", "1974", "@"} {
		if contains(string(raw), personal) {
			t.Errorf("the body holds %q", personal)
		}
	}
}

// subjects is a session that somebody stated things about; erased where its id says so.
type subjects struct{}

func (subjects) Subject(_ context.Context, id idv.SessionID, whole bool) (Subject, error) {
	switch {
	case id == "ses_gone":
		return Subject{}, problem.New(problem.NotFound)
	case id == "ses_erased":
		return Subject{}, nil
	case !whole:
		return Subject{ExternalReference: "order-17", Metadata: map[string]string{"desk": "harbour"}}, nil
	}
	return Subject{ExternalReference: "order-17", Metadata: map[string]string{"desk": "harbour"}, Session: json.RawMessage(`{"state":"approved"}`)}, nil
}

func TestAnEndpointIsToldAsMuchAsItsContentSays(t *testing.T) {
	const stated, empty = `,"external_reference":"order-17","metadata":{"desk":"harbour"}`, `,"external_reference":"","metadata":{}`
	for name, c := range map[string]struct {
		content Content
		session idv.SessionID
		more    string
	}{
		"ids alone":                           {ContentIDs, "ses_x", ""},
		"an endpoint from before contents":    {"", "ses_x", ""},
		"the reference":                       {ContentReference, "ses_x", stated},
		"the session":                         {ContentSession, "ses_x", stated + `,"snapshot":{"state":"approved"}`},
		"a session that is erased":            {ContentSession, "ses_erased", empty},
		"a session that is not there":         {ContentReference, "ses_gone", empty},
		"an event that belongs to no session": {ContentSession, "", ""},
	} {
		e := Event{ID: "evt_x", Session: c.session, Mode: idv.Test, Type: "session.opened", At: time.Unix(0, 0).UTC()}
		raw, err := (&Service{about: subjects{}}).body(t.Context(), Endpoint{Content: c.content}, e)
		want := `{"id":"evt_x","type":"session.opened","timestamp":"1970-01-01T00:00:00Z","mode":"test","session":"` +
			string(c.session) + `","data":{}` + c.more + `}`
		if diff := cmp.Diff(want, string(raw)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestAValueThatSomebodyTypedIsLeftOut(t *testing.T) {
	tests := map[string]struct {
		value any
		kept  bool
	}{
		"a code":                     {"face.uncertain", true},
		"an id":                      {"ses_06c1q2m3n4p5r6s7t8v9w0x1y2", true},
		"a typed word":               {idv.DecideApprove, true},
		"a list of typed words":      {[]idv.Step{idv.StepSelfie}, true},
		"a name":                     {"Anna", false},
		"a name with a space":        {"anna eriksson", false},
		"an address of e-mail":       {"a@b.c", false},
		"a number":                   {19740812, false},
		"an object":                  {map[string]any{"family_name": "eriksson"}, false},
		"a list of objects":          {[]any{map[string]any{"a": "b"}}, false},
		"nothing":                    {nil, false},
		"a text longer than any id":  {strings.Repeat("a", 65), false},
		"a text of two lines":        {"a\nb", false},
		"something that is not JSON": {func() {}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := publishable(tt.value); ok != tt.kept {
				t.Errorf("got %v, kept %v, want %v", got, ok, tt.kept)
			}
		})
	}
}

func TestTheTableOfEventsIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if !plainWord.MatchString(k.Type) || k.When == "" || seen[k.Type] || k.Type == TestType {
			t.Errorf("row %+v", k)
		}
		seen[k.Type] = true
	}
	if Published("session.captured") || Published(TestType) || !Published("session.approved") {
		t.Error("the timeline's own events are told, or a verdict is not")
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(`{"outcome":"approved","reasons":["a"],"steps":"x"}`)
	f.Fuzz(func(t *testing.T, payload string) {
		var p map[string]any
		if json.Unmarshal([]byte(payload), &p) != nil {
			return
		}
		for _, k := range Kinds() {
			for key, v := range MessageOf(Event{Type: k.Type, Payload: p}).Data {
				words, list := v.([]string)
				if word, ok := v.(string); ok {
					words, list = []string{word}, true
				}
				for _, w := range words {
					list = list && plainWord.MatchString(w)
				}
				if !list {
					t.Errorf("%s says %s: %v", k.Type, key, v)
				}
			}
		}
	})
}
