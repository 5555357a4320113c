package openid4vp

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

func TestQueriesThatCannotBeAskedAreRefused(t *testing.T) {
	const pid = `{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["a"]}%s}`
	wrap := func(credential string) string { return `{"credentials": [` + credential + `]}` }
	with := func(more string) string { return wrap(fmt.Sprintf(pid, ","+more)) }
	for name, text := range map[string]string{
		"no credential":                          `{"credentials": []}`,
		"a part that nobody knows":               `{"credentials": [], "more": 1}`,
		"several presentations":                  with(`"multiple": true`),
		"without a holder":                       with(`"require_cryptographic_holder_binding": false`),
		"trust that the wallet names":            with(`"trusted_authorities": []`),
		"an unknown format":                      wrap(`{"id": "x", "format": "jwt_vc_json", "meta": {}}`),
		"no types":                               wrap(`{"id": "x", "format": "dc+sd-jwt", "meta": {}}`),
		"the type of another format":             wrap(`{"id": "x", "format": "mso_mdoc", "meta": {"vct_values": ["a"]}}`),
		"an identifier twice":                    wrap(fmt.Sprintf(pid, "") + "," + fmt.Sprintf(pid, "")),
		"an identifier with a space":             wrap(`{"id": "a b", "format": "mso_mdoc", "meta": {"doctype_value": "a"}}`),
		"a path of nothing":                      with(`"claims": [{"path": []}]`),
		"a path with a negative index":           with(`"claims": [{"path": [-1]}]`),
		"a path with a truth value":              with(`"claims": [{"path": [true]}]`),
		"a path of one step in a document":       wrap(`{"id": "x", "format": "mso_mdoc", "meta": {"doctype_value": "a"}, "claims": [{"path": ["a"]}]}`),
		"a set of claims without identifiers":    with(`"claims": [{"path": ["a"]}], "claim_sets": [["a"]]`),
		"a set of claims that are not there":     with(`"claims": [{"id": "a", "path": ["a"]}], "claim_sets": [["b"]]`),
		"a set of credentials that is not there": `{"credentials": [` + fmt.Sprintf(pid, "") + `], "credential_sets": [{"options": [["x"]]}]}`,
		"a set of no credentials":                `{"credentials": [` + fmt.Sprintf(pid, "") + `], "credential_sets": [{"options": []}]}`,
	} {
		if _, err := ParseQuery([]byte(text)); refusal.Of(err) == nil || refusal.Of(err).Code != BadQuery {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ParseQuery([]byte(`{"credentials": [], "credentials": []}`)); refusal.Of(err) == nil || refusal.Of(err).Code != jose.Repeated {
		t.Errorf("a name twice: %v", err)
	}
}

func TestWhatAPathSelects(t *testing.T) {
	claims, err := jose.Decode([]byte(`{"a": {"b": [1, {"c": "x"}, {"c": "y"}]}, "n": null}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`["a", "b", 0]`:         `[1]`,
		`["a", "b", null, "c"]`: `["x","y"]`,
		`["a", "b", 9]`:         `null`,
		`["a", "c"]`:            `null`,
		`["a", 0]`:              `null`,
		`["n"]`:                 `[null]`,
	} {
		path, err := jose.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(follow([]any{claims}, path.([]any)))
		if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s%v", text, diff, err)
		}
	}
}

// TestWhatSatisfiesAQuery goes through the alternatives of the published examples.
func TestWhatSatisfiesAQuery(t *testing.T) {
	q, err := ParseQuery([]byte(`{"credentials": [
		{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["a"]},
			"claims": [{"id": "n", "path": ["name"]}, {"id": "z", "path": ["code"], "values": ["90210", 7, true]}, {"id": "t", "path": ["town"]}],
			"claim_sets": [["n", "z"], ["n", "t"]]},
		{"id": "other", "format": "dc+sd-jwt", "meta": {"vct_values": ["b"]}},
		{"id": "nice", "format": "dc+sd-jwt", "meta": {"vct_values": ["c"]}}],
		"credential_sets": [{"options": [["pid"], ["other", "nice"]]}, {"required": false, "options": [["nice"]]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]refusal.Code{
		`{"name": "x", "code": "90210"}`: "", `{"name": "x", "town": "y"}`: "", `{"name": "x", "code": 7}`: "", `{"name": "x", "code": true}`: "",
		`{"name": "x", "code": "7"}`: ValueNotAllowed, `{"name": "x"}`: ClaimMissing, `{"town": "y"}`: ClaimMissing,
	} {
		claims, err := jose.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got refusal.Code
		if why := refusal.Of(q.Credentials[0].satisfied(claims)); why != nil {
			got = why.Code
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		there map[string]bool
		want  bool
	}{
		{map[string]bool{"pid": true}, true}, {map[string]bool{"other": true, "nice": true}, true}, {map[string]bool{"other": true}, false},
		{map[string]bool{"nice": true}, false}, {map[string]bool{}, false},
	} {
		if err := q.answered(c.there); (err == nil) != c.want {
			t.Errorf("%v answers: %v, want %t", c.there, err, c.want)
		}
	}
}

// FuzzParseQuery reads anything; what is read can be written and read again.
func FuzzParseQuery(f *testing.F) {
	f.Add([]byte(`{"credentials": [{"id": "a", "format": "mso_mdoc", "meta": {"doctype_value": "x"}, "claims": [{"path": ["a", "b"]}]}]}`))
	f.Add([]byte(`{"credentials": [{"id": "a", "format": "dc+sd-jwt", "meta": {"vct_values": ["x"]}, "claims": [{"path": ["a", null, 1]}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		q, err := ParseQuery(raw)
		if err != nil {
			return
		}
		again, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseQuery(again); err != nil {
			t.Errorf("%s is read, and then written as %s, which is not: %v", raw, again, err)
		}
	})
}
