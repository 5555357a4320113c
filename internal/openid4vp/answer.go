package openid4vp

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Options say against what an answer is judged, beside its request.
type Options struct {
	Now        time.Time
	Status     statuslist.Lists
	AnyProfile bool // as mdoc.Options has it
}

// Credential is one credential of an answer. One of the two reports is there.
type Credential struct {
	SDJWT *sdjwt.Report
	MDoc  *mdoc.Report
}

// Report is what an answer is worth.
type Report struct {
	Satisfied   bool // every credential is authentic, its holder presented it, and together they are what was asked for
	Refusals    []*refusal.Refusal
	Credentials map[string]Credential // by identifier in the query
	Transcript  []byte                // what devices had to authenticate
	WalletError string                // the wallet's error code where it answered with one: "access_denied"
}

func (r *Report) fail(err error) bool {
	if err == nil {
		return false
	}
	if why := refusal.Of(err); why != nil {
		r.Refusals = append(r.Refusals, why)
	} else {
		r.Refusals = append(r.Refusals, refusal.New(Malformed, "the answer cannot be judged"))
	}
	return true
}

// Verify opens an answer and judges it. Whoever calls it has claimed the request before, so that an answer counts once.
func (r *Request) Verify(raw []byte, store *trust.Store, o Options) *Report {
	out := &Report{Credentials: map[string]Credential{}}
	if out.fail(r.check()) {
		return out
	}
	if o.Now.After(r.Until) {
		out.fail(refusal.New(RequestExpired, "the request was good until %s", r.Until.Format(time.DateTime)))
		return out
	}
	tokens, code, err := r.Open(raw)
	if out.WalletError = code; out.fail(err) {
		return out
	}
	return r.Judge(tokens, store, o)
}

// Judge judges the presentations of an answer, by their identifiers in the query, against the request. It needs no private key.
func (r *Request) Judge(tokens map[string][]string, store *trust.Store, o Options) *Report {
	out := &Report{Credentials: map[string]Credential{}}
	if out.fail(r.check()) {
		return out
	}
	var err error
	if out.Transcript, err = r.Transcript(); out.fail(err) {
		return out
	}
	if len(tokens) == 0 { // a wallet that has nothing answers with an error
		out.fail(refusal.New(Unanswered, "there is no credential in the answer"))
	}
	there := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(tokens)) {
		i := slices.IndexFunc(r.Query.Credentials, func(c CredentialQuery) bool { return c.ID == id })
		switch {
		case i < 0:
			out.fail(refusal.New(NotAsked, "there is a credential that was not asked for"))
		case len(tokens[id]) != 1:
			out.fail(refusal.New(Several, "there are %d presentations of %q where one was asked for", len(tokens[id]), id))
		default:
			there[id] = out.judge(r, r.Query.Credentials[i], tokens[id][0], store, o)
		}
	}
	if len(out.Refusals) == 0 {
		out.fail(r.Query.answered(there))
	}
	out.Satisfied = len(out.Refusals) == 0
	return out
}

// judge verifies one presentation and reports whether it is what was asked for.
func (r *Report) judge(of *Request, q CredentialQuery, raw string, store *trust.Store, o Options) bool {
	before := len(r.Refusals)
	var claims any
	if q.Format == SDJWT {
		report := sdjwt.Verify(raw, store, sdjwt.Options{
			Now: o.Now, Types: q.Meta.types(), Status: o.Status, Binding: &sdjwt.Binding{Nonce: of.Nonce, Audience: of.audience()},
		})
		r.Credentials[q.ID] = Credential{SDJWT: report}
		r.Refusals = append(r.Refusals, report.Refusals...)
		claims = report.Claims
	} else {
		document := []byte(raw) // by ISO/IEC 18013-7 it was decrypted as it is
		if of.Mode != ISOMDoc {
			var err error
			if document, err = jose.DecodeBase64(raw); r.fail(err) {
				return false
			}
		}
		report := mdoc.Verify(document, store, mdoc.Options{
			Now: o.Now, Types: q.Meta.types(), Status: o.Status, AnyProfile: o.AnyProfile, Session: &mdoc.Session{Transcript: r.Transcript},
		})
		r.Credentials[q.ID] = Credential{MDoc: report}
		r.Refusals = append(r.Refusals, report.Refusals...)
		claims = spaces(report.Claims)
	}
	if len(r.Refusals) > before {
		return false
	}
	return !r.fail(q.satisfied(claims))
}

// maxErrorCode is how much of a wallet's error code is kept, in bytes.
const maxErrorCode = 64

// Open decrypts an answer and returns its presentations by their identifiers in the query: by redirect raw is the body that the wallet
// posted, by the browser the credential as JSON (protocol and data). A wallet that answered with an error is refused by WalletError, with
// the wallet's code ("access_denied") of at most 64 bytes.
func (r *Request) Open(raw []byte) (tokens map[string][]string, code string, err error) {
	if len(raw) > maxAnswer {
		return nil, "", refusal.New(TooLarge, "the answer has more than %d bytes", maxAnswer)
	}
	var answer map[string]any
	if r.Mode.browser() {
		answer, err = r.openBrowser(raw)
	} else {
		answer, err = r.openPosted(raw)
	}
	if err != nil {
		return nil, "", err
	}
	if r.Mode == ISOMDoc {
		tokens, err = r.openISO(answer)
		return tokens, "", err
	}
	if answer, err = r.opened(answer); err != nil {
		return nil, "", err
	}
	return r.answered(answer)
}

// answered reads an answer that was decrypted.
func (r *Request) answered(answer map[string]any) (tokens map[string][]string, code string, err error) {
	why, failed := answer["error"]
	state, stated := answer["state"]
	if !r.Mode.browser() && state != r.State && (stated || !failed) { // not all wallets repeat it with an error
		return nil, "", refusal.New(OtherState, "the answer is to another request")
	}
	if failed {
		text, _ := why.(string)
		return nil, text[:min(len(text), maxErrorCode)], refusal.New(WalletError, "the wallet answered with an error")
	}
	tokens, err = presentations(answer["vp_token"])
	return tokens, "", err
}

// openPosted reads the form that a wallet posts (section 8.2). Each field may occur once.
func (r *Request) openPosted(raw []byte) (map[string]any, error) {
	if len(raw) > 0 && raw[0] == '{' {
		return nil, refusal.New(OtherChannel, "the answer came by another channel than was asked for")
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, refusal.New(Malformed, "the answer is no form")
	}
	out := map[string]any{}
	for name, values := range form {
		if len(values) != 1 {
			return nil, refusal.New(Malformed, "a field of the answer occurs twice")
		}
		out[name] = values[0]
	}
	token, there := out["vp_token"].(string)
	if !there || r.Mode.encrypted() {
		return out, nil
	}
	out["vp_token"], err = jose.DecodeObject([]byte(token))
	return out, err
}

// openBrowser reads what the Digital Credentials API hands out: the protocol and its data.
func (r *Request) openBrowser(raw []byte) (map[string]any, error) {
	if len(raw) > 0 && raw[0] != '{' {
		return nil, refusal.New(OtherChannel, "the answer came by another channel than was asked for")
	}
	o, err := jose.DecodeObject(raw)
	if err != nil {
		return nil, err
	}
	if o["protocol"] != r.protocol() {
		return nil, refusal.New(OtherChannel, "the answer is by another protocol than was asked for")
	}
	data, ok := o["data"].(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the answer has no data")
	}
	return data, nil
}

// protocol names the protocol of a request by the browser.
func (r *Request) protocol() string {
	switch {
	case r.Mode == ISOMDoc:
		return string(ISOMDoc)
	case r.Signed:
		return protocolSigned
	}
	return protocolUnsigned
}

// opened decrypts an answer that has to be encrypted. An error may come in the open: it proves nothing either way.
func (r *Request) opened(answer map[string]any) (map[string]any, error) {
	sealed, there := answer["response"].(string)
	_, failed := answer["error"]
	_, open := answer["vp_token"]
	switch {
	case !r.Mode.encrypted() && there:
		return nil, refusal.New(OtherChannel, "the answer is encrypted, and an open one was asked for")
	case !r.Mode.encrypted() || (failed && !there && !open):
		return answer, nil
	case !there || open:
		return nil, refusal.New(NotEncrypted, "the answer is open, and an encrypted one was asked for")
	}
	raw, err := r.decrypt(sealed)
	if err != nil {
		return nil, err
	}
	return jose.DecodeObject(raw)
}

// openISO decrypts an answer of ISO/IEC 18013-7 annex C: one document, for the only credential that can be asked for so.
func (r *Request) openISO(answer map[string]any) (map[string][]string, error) {
	text, err := jose.Text(answer, "response")
	if err != nil || len(answer) != 1 {
		return nil, refusal.New(Malformed, "the answer has no response, or more than that")
	}
	raw, err := jose.DecodeBase64(text)
	if err != nil {
		return nil, err
	}
	document, err := r.unseal(raw)
	if err != nil {
		return nil, err
	}
	return map[string][]string{r.Query.Credentials[0].ID: {string(document)}}, nil
}

// presentations reads vp_token (section 8.1): lists of presentations by identifier.
func presentations(token any) (map[string][]string, error) {
	o, ok := token.(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the answer has no presentations by identifier")
	}
	out := map[string][]string{}
	for id, v := range o {
		list, ok := v.([]any)
		if !ok {
			return nil, refusal.New(Malformed, "presentations are no list")
		}
		out[id] = []string{}
		for _, one := range list {
			text, ok := one.(string)
			if !ok {
				return nil, refusal.New(Malformed, "a presentation is no text")
			}
			out[id] = append(out[id], text)
		}
	}
	return out, nil
}
