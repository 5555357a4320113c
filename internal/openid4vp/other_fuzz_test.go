package openid4vp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// FuzzOtherCredentials asks for credentials as the form of the editor does: what a workflow accepts is a query that can be asked, and reads
// back as itself.
func FuzzOtherCredentials(f *testing.F) {
	f.Add("urn:example:membership:1", "family_name\nlevel/name?", false, true)
	f.Add("org.example.vehicle.1", "org.example.vehicle.1/plate\norg.example.vehicle.1/seats?", true, false)
	f.Add("a", "a?\nb", false, false)
	f.Fuzz(func(t *testing.T, credentialType, lines string, mobile, preset bool) {
		other := idv.WalletOther{Format: idv.WalletSDJWT, Type: credentialType}
		if mobile {
			other.Format = idv.WalletMDoc
		}
		for line := range strings.Lines(lines) {
			path, optional := strings.CutSuffix(strings.TrimSuffix(line, "\n"), "?")
			other.Claims = append(other.Claims, idv.WalletClaim{Path: strings.Split(path, "/"), Optional: optional})
		}
		wrong := func(c idv.WalletClaim) bool { return !c.IsPath(other.Format) }
		needed := func(c idv.WalletClaim) bool { return !c.Optional }
		if !idv.IsWalletName(credentialType) || slices.ContainsFunc(other.Claims, wrong) || !slices.ContainsFunc(other.Claims, needed) {
			return // the editor refuses it
		}
		w := idv.WorkflowVersion{WalletOthers: []idv.WalletOther{other}}
		if preset {
			w.WalletAsks = []idv.WalletAsk{idv.AskPID}
		}
		raw, err := json.Marshal(openid4vp.QueryOf(w))
		if err != nil {
			t.Fatal(err)
		}
		q, err := openid4vp.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if again, err := json.Marshal(q); err != nil || string(again) != string(raw) {
			t.Errorf("asked %s, read %s, %v", raw, again, err)
		}
	})
}
