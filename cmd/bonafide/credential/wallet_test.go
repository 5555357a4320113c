package credential

import (
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
)

// counter is a desk with what an issuer, a wallet and a verifier have.
func newCounter(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir()}
	person, licence, holder := wallettest.NewIssuer(1), wallettest.NewDocumentIssuer(1), wallettest.NewHolder()
	d.write("person.cer", person.Root.Raw)
	d.write("licence.cer", licence.Root.Raw)
	credential := person.Person(holder)
	d.write("person", []byte(wallettest.Present(credential.Issue(), holder, nil, nil)))
	d.write("unbound", []byte(credential.Issue()))
	credential.Payload["status"] = map[string]any{"status_list": map[string]any{"uri": wallettest.ListURI, "idx": 5}}
	d.write("listed", []byte(wallettest.Present(credential.Issue(), holder, nil, nil)))
	list := person.NewStatusList(1)
	d.write("good.jwt", list.JWT())
	list.Set[5] = 1
	d.write("revoked.cwt", list.CWT())
	transcript := cose.Encode([]any{nil, nil, []any{"OpenID4VPHandover", []byte("of the tests")}})
	d.write("transcript", []byte(hex.EncodeToString(transcript)))
	d.write("licence", licence.Licence(holder).Respond(wallettest.Device{Key: holder, Transcript: transcript}, nil))
	reader := wallettest.NewHolder()
	readerKey, err := reader.ECDH()
	if err != nil {
		t.Fatal(err)
	}
	d.write("coded", licence.Licence(holder).Respond(wallettest.Device{Key: holder, Transcript: transcript, Reader: readerKey.PublicKey()}, nil))
	d.write("reader.key", keyPEM(t, reader))
	key, chain := wallettest.NewVerifier("verifier.example")
	d.write("verifier.key", keyPEM(t, key))
	var certificates []byte
	for _, one := range chain {
		certificates = append(certificates, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.Raw})...)
	}
	d.write("verifier.pem", certificates)
	d.write("query.json", []byte(peerQuery))
	return d
}

func keyPEM(t *testing.T, key any) []byte {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

func TestCredentialsOfWalletsAreJudgedByTheirExitCodes(t *testing.T) {
	d := newCounter(t)
	const at = " --at 2030-06-01T12:00:00Z"
	const person = " --anchor person.cer --type " + wallettest.VCT + at
	const bound = " --nonce " + wallettest.Nonce + " --audience " + wallettest.Audience
	const licence = " --anchor licence.cer --type " + wallettest.DocType + at
	for _, c := range []struct {
		name, line string
		want       Answer
		says, not  string
	}{
		{"a presentation", "wallet verify person" + person + bound, Yes, "\"address.locality\"", "refused"},
		{"a presentation whose holder was not asked for", "wallet verify person" + person, Undecided, "sdjwt.binding_unchecked", "refused"},
		{"a credential that nobody presented", "wallet verify unbound" + person + bound, No, "sdjwt.binding_missing", "YES: a trusted issuer"},
		{"a credential of an unknown issuer", "wallet verify person --type " + wallettest.VCT + at + bound, No, "trust.anchor_missing", "YES: a trusted issuer"},
		{"a status that was not looked up", "wallet verify listed" + person + bound, Undecided, "status.unchecked", "refused"},
		{"a status that is good", "wallet verify listed --status good.jwt" + person + bound, Yes, "Status: valid.", "refused"},
		{"a credential that was revoked", "wallet verify listed --status revoked.cwt" + person + bound, No, "status.revoked", "YES: a trusted issuer"},
		{"a licence", "wallet verify licence --transcript transcript" + licence, Yes, "\"org.iso.18013.5.1/family_name\"", "refused"},
		{"a licence whose device was not asked for", "wallet verify licence" + licence, Undecided, "mdoc.device_unchecked", "refused"},
		{"a licence with a code instead of a signature", "wallet verify coded --transcript transcript" + licence, No, "mdoc.device_mac", "YES: a trusted issuer"},
		{"a licence with a code, and the reader's key", "wallet verify coded --transcript transcript --reader-key reader.key" + licence, Yes, "COSE -7", "refused"},
		{"an anchor for another type", "wallet verify person --type a --anchor other=" + filepath.Join(d.dir, "person.cer"), -1, "was not asked for", ""},
		{"no type", "wallet verify person" + at, -1, "--type is needed", ""},
		{"a nonce without an audience", "wallet verify person --nonce x" + person, -1, "go together", ""},
		{"no credential", "wallet verify query.json" + licence, No, "cose.malformed", "YES"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, said := d.run(c.line)
			if got != c.want || !strings.Contains(said, c.says) || (c.not != "" && strings.Contains(said, c.not)) {
				t.Errorf("answers %d, want %d; want %q and not %q in:\n%s", got, c.want, c.says, c.not, said)
			}
			for _, personal := range []string{"Mustermann", "Erika", "1984"} {
				if strings.Contains(said, personal) {
					t.Errorf("the text says %q:\n%s", personal, said)
				}
			}
			if got < 0 {
				return
			}
			again, raw := d.run(c.line + " --json")
			if again != got || (got != No) != strings.Contains(raw, "Mustermann") {
				t.Errorf("as JSON it answers %d and prints %s", again, raw)
			}
		})
	}
}

func TestRequestsThatCannotBeMadeSayWhy(t *testing.T) {
	d := newCounter(t)
	const request = "wallet request --query query.json --kept " + "KEPT"
	kept := filepath.Join(d.dir, "kept")
	const signed = " --key verifier.key --chain verifier.pem"
	for name, c := range map[string]struct{ line, says string }{
		"unsigned by redirect":    {request + " --response-uri https://verifier.example/r", "needs a client_id"},
		"to another host":         {request + signed + " --host verifier.example --response-uri https://other.example/r", "another host"},
		"for another host":        {request + signed + " --host other.example --response-uri https://other.example/r", "does not name the host"},
		"two documents by ISO":    {request + " --mode org-iso-mdoc --origin https://verifier.example", "one mobile document"},
		"a query that is no JSON": {"wallet request --query person --kept KEPT", "read"},
	} {
		got, said := d.run(strings.ReplaceAll(c.line, "KEPT", kept))
		if got != -1 || !strings.Contains(said, c.says) {
			t.Errorf("%s: answers %d and says %q, want %q", name, got, said, c.says)
		}
		if _, err := os.Stat(kept); err == nil {
			t.Errorf("%s: a request was kept", name)
		}
	}
}

const peerQuery = `{"credentials": [
	{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["urn:eudi:pid:1"]},
		"claims": [{"path": ["family_name"]}, {"path": ["birthdate"]}, {"path": ["address", "locality"]}, {"path": ["nationalities", null], "values": ["UT"]}]},
	{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "org.iso.18013.5.1.mDL"},
		"claims": [{"path": ["org.iso.18013.5.1", "family_name"]}, {"path": ["org.iso.18013.5.1", "age_over_18"]}]}]}`

func TestWhyACredentialOfAWalletIsTrustedOrNot(t *testing.T) {
	d := newCounter(t)
	const at = " --at 2030-06-02"
	const person, licence = " --issuer " + wallettest.VCT + "=", " --iaca " + wallettest.DocType + "="
	file := func(name string) string { return filepath.Join(d.dir, name) }
	for _, c := range []struct {
		name, line string
		want       Answer
		says, not  string
	}{
		{"a credential", "trust why person" + person + file("person.cer") + at, Yes, "YES: it is trusted.", "Missing"},
		{"a credential of nobody", "trust why person" + at, No, "Missing: the certificate of C=UT, CN=CSCA UT", "YES"},
		{"N26 a credential whose issuer is trusted for documents", "trust why person --iaca x=" + file("person.cer") + at, No, "trust.other_purpose", "YES"},
		{"a licence", "trust why licence" + licence + file("licence.cer") + at, Yes, "kind mdoc", "Missing"},
		{"an authority for no type", "trust why licence --iaca " + file("licence.cer") + at, -1, "TYPE=FILE", "YES"},
		{"a certificate asked about for a vct", "trust why licence.cer --vct x" + at, No, "asked about as issuer \"x\"", "YES"},
		{"something that nobody signed", "trust why query.json" + at, -1, "trust.nothing_signed", "YES"},
	} {
		got, said := d.run(c.line)
		if got != c.want || !strings.Contains(said, c.says) || strings.Contains(said, c.not) {
			t.Errorf("%s: answers %d, want %d; want %q and not %q in:\n%s", c.name, got, c.want, c.says, c.not, said)
		}
		if strings.Contains(said, "Mustermann") {
			t.Errorf("%s: the text says a name:\n%s", c.name, said)
		}
	}
}
