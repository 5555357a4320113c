package credential

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Wallet is the command that asks wallets and judges what they sent.
type Wallet struct {
	Request walletRequest `cmd:"" help:"Make a request for a wallet (OpenID4VP 1.0, or ISO/IEC 18013-7 annex C), and keep what its answer is judged by."`
	Verify  walletVerify  `cmd:"" help:"Verify a credential or an answer: who signed it, up to which anchor, what was disclosed, whether its holder presented it."`
}

// walletVerify verifies one credential, or an answer to a request that was kept.
type walletVerify struct {
	File       string    `arg:"" help:"A credential (SD-JWT, or mdoc in any encoding), or with --request the answer as it was sent." placeholder:"FILE"`
	Request    string    `help:"The request that is answered, as \"wallet request\" kept it." placeholder:"FILE"`
	Anchor     []string  `help:"Certificate of an authority that you trust for the types asked for, or for one of them only." sep:"none" placeholder:"[TYPE=]FILE"`
	Type       []string  `help:"Types that were asked for: vct or docType." sep:"none" placeholder:"TEXT"`
	Nonce      string    `help:"SD-JWT: nonce of the request. With it, the holder has to have presented the credential." placeholder:"TEXT"`
	Audience   string    `help:"SD-JWT: whom it was presented to, the full client_id, or origin: and the origin." placeholder:"TEXT"`
	Transcript string    `help:"mdoc: SessionTranscript as CBOR or hexadecimal. With it, the device has to have presented the document." placeholder:"FILE"`
	ReaderKey  string    `help:"mdoc: the reader's private key (PEM), where the device authenticated by code." placeholder:"FILE"`
	AnyProfile bool      `help:"mdoc: note signers whose certificates do not say that they sign documents, instead of refusing them."`
	Status     []string  `help:"Status lists of issuers (JWT or CWT)." placeholder:"FILE"`
	At         time.Time `help:"The moment that counts as now." format:"2006-01-02T15:04:05Z07:00" placeholder:"2026-01-31T12:00:00Z"`
	JSON       bool      `name:"json" help:"One JSON object. It holds the claims; the text only names them."`
}

// Run answers 0 if the credential, or every one of the answer, is authentic, its holder presented it and its status is good or never
// stated, 1 if it is refused, 4 if something of that was not checked.
func (c *walletVerify) Run(out io.Writer) error {
	raw, err := readLimited(c.File)
	if err != nil {
		return err
	}
	now := today(c.At)
	lists, err := readStatus(c.Status)
	if err != nil {
		return err
	}
	view := answerView{Credentials: map[string]walletView{}}
	if c.Request != "" {
		view, err = c.answer(raw, now, lists)
	} else {
		view.Credentials[""], err = c.credential(raw, now, lists)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		err = view.encode(out)
	} else {
		err = view.print(out)
	}
	if err != nil {
		return err
	}
	return view.answer().orNil()
}

// credential verifies one credential by the options alone.
func (c *walletVerify) credential(raw []byte, now time.Time, lists statuslist.Lists) (walletView, error) {
	if len(c.Type) == 0 {
		return walletView{}, errors.New("--type is needed: what was asked for")
	}
	if (c.Nonce == "") != (c.Audience == "") {
		return walletView{}, errors.New("--nonce and --audience go together")
	}
	if bytes.ContainsRune(raw, '~') && bytes.HasPrefix(raw, []byte("ey")) {
		store, err := c.store(now, scopes(trust.Issuer, c.Type))
		if err != nil {
			return walletView{}, err
		}
		o := sdjwt.Options{Now: now, Types: c.Type, Status: lists}
		if c.Nonce != "" {
			o.Binding = &sdjwt.Binding{Nonce: c.Nonce, Audience: c.Audience}
		}
		return viewSDJWT(sdjwt.Verify(strings.TrimSpace(string(raw)), store, o)), nil
	}
	store, err := c.store(now, scopes(trust.IACA, c.Type))
	if err != nil {
		return walletView{}, err
	}
	o := mdoc.Options{Now: now, Types: c.Type, Status: lists, AnyProfile: c.AnyProfile}
	if o.Session, err = c.session(); err != nil {
		return walletView{}, err
	}
	return viewMDoc(mdoc.Verify(binary(raw), store, o)), nil
}

// answer verifies an answer by the request that was kept.
func (c *walletVerify) answer(raw []byte, now time.Time, lists statuslist.Lists) (answerView, error) {
	view := answerView{ofRequest: true, Credentials: map[string]walletView{}}
	kept, err := readLimited(c.Request)
	if err != nil {
		return view, err
	}
	var request openid4vp.Request
	if err := json.Unmarshal(kept, &request); err != nil {
		return view, fmt.Errorf("read %s: %w", c.Request, err)
	}
	if request.Query == nil {
		return view, fmt.Errorf("read %s: it has no query", c.Request)
	}
	var all []scope
	for _, q := range request.Query.Credentials {
		if q.Format == openid4vp.MDoc {
			all = append(all, scope{trust.IACA, q.Meta.DocType})
		} else {
			all = append(all, scopes(trust.Issuer, q.Meta.Types)...)
		}
	}
	store, err := c.store(now, all)
	if err != nil {
		return view, err
	}
	r := request.Verify(bytes.TrimSpace(raw), store, openid4vp.Options{Now: now, Status: lists, AnyProfile: c.AnyProfile})
	view.Satisfied, view.Refusals, view.WalletError = r.Satisfied, append(view.Refusals, r.Refusals...), r.WalletError
	if r.Transcript != nil {
		view.Transcript = hex.EncodeToString(r.Transcript)
	}
	for id, one := range r.Credentials {
		if one.SDJWT != nil {
			view.Credentials[id] = viewSDJWT(one.SDJWT)
		} else {
			view.Credentials[id] = viewMDoc(one.MDoc)
		}
	}
	return view, nil
}

// scope is what an anchor is trusted for.
type scope struct {
	purpose trust.Purpose
	name    string
}

func scopes(p trust.Purpose, names []string) []scope {
	var out []scope
	for _, name := range names {
		out = append(out, scope{p, name})
	}
	return out
}

// store returns what the command trusts: each anchor for the types that were asked for, or for the one that it is given for.
func (c *walletVerify) store(now time.Time, asked []scope) (*trust.Store, error) {
	s := &trust.Store{}
	for _, text := range c.Anchor {
		only, file := "", text
		if i := strings.LastIndex(text, "="); i >= 0 {
			only, file = text[:i], text[i+1:]
		}
		certificates, err := readCertificates([]string{file})
		if err != nil {
			return nil, err
		}
		used := false
		for _, to := range asked {
			if only != "" && only != to.name {
				continue
			}
			used = true
			a := trust.Anchor{
				Certificate: certificates[0], Purpose: to.purpose, Scope: to.name, Source: file, Date: certificates[0].NotBefore,
				AcceptedBy: "command line", AcceptedAt: now,
			}
			if err := s.Accept(a); err != nil {
				return nil, fmt.Errorf("trust %s: %w", file, err)
			}
		}
		if !used {
			return nil, fmt.Errorf("trust %s: %q was not asked for", file, only)
		}
	}
	return s, nil
}

// session returns what the device has to have authenticated, nil where that was not given.
func (c *walletVerify) session() (*mdoc.Session, error) {
	if c.Transcript == "" {
		return nil, nil //nolint:nilnil // the device is not asked for
	}
	raw, err := readLimited(c.Transcript)
	if err != nil {
		return nil, err
	}
	s := &mdoc.Session{Transcript: binary(raw)}
	if c.ReaderKey == "" {
		return s, nil
	}
	key, err := readKey(c.ReaderKey)
	if err != nil {
		return nil, err
	}
	s.Reader, err = key.ECDH()
	return s, err
}

// readKey reads a private key on a curve, in PEM.
func readKey(file string) (*ecdsa.PrivateKey, error) {
	raw, err := readLimited(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, fmt.Errorf("read %s: it is no PEM", file)
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: it holds no private key", file)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("read %s: its key is on no curve", file)
	}
	return key, nil
}

// binary returns bytes that may be written as text, in base64url or hexadecimal.
func binary(raw []byte) []byte {
	text := strings.TrimSpace(string(raw))
	if out, err := hex.DecodeString(text); err == nil {
		return out
	}
	if out, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "=")); err == nil {
		return out
	}
	return raw
}

func readStatus(files []string) (statuslist.Lists, error) {
	var out statuslist.Lists
	for _, file := range files {
		raw, err := readLimited(file)
		if err != nil {
			return nil, err
		}
		l, err := statuslist.Parse(raw)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		out = append(out, l)
	}
	return out, nil
}

func (v answerView) ids() []string { return slices.Sorted(maps.Keys(v.Credentials)) }
