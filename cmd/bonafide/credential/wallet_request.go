package credential

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/pki"
)

// walletRequest makes a request and keeps what its answer is judged by.
type walletRequest struct {
	Query       string        `help:"What is asked for, in DCQL." required:"" placeholder:"FILE"`
	Kept        string        `help:"Where the request is kept for \"wallet verify\". It holds the private key of the answer." required:"" placeholder:"FILE"`
	Mode        string        `help:"How the wallet answers: ${enum}." enum:"direct_post,direct_post.jwt,dc_api,dc_api.jwt,org-iso-mdoc" default:"direct_post.jwt"`
	Key         string        `help:"Private key that requests are signed with (PEM, P-256)." placeholder:"FILE"`
	Chain       string        `help:"Certificates of that key, its own first (PEM)." placeholder:"FILE"`
	Host        string        `help:"Host name in the certificate, by which wallets know you. Default: the certificate itself." placeholder:"NAME"`
	ResponseURI string        `help:"By redirect: where the wallet posts its answer." placeholder:"URL"`
	Origin      string        `help:"By the browser's API: origin of the page that asks." placeholder:"URL"`
	WalletNonce string        `help:"Nonce of a wallet that posted one for this request." placeholder:"TEXT"`
	Life        time.Duration `help:"For how long an answer is taken." default:"5m"`
	At          time.Time     `help:"The moment that counts as now." format:"2006-01-02T15:04:05Z07:00" placeholder:"2026-01-31T12:00:00Z"`
}

// Run prints the request as the wallet takes it: by redirect the signed object, by the browser's API the protocol and its data.
func (c *walletRequest) Run(out io.Writer) error {
	raw, err := readLimited(c.Query)
	if err != nil {
		return err
	}
	r := &openid4vp.Request{Mode: openid4vp.Mode(c.Mode), ResponseURI: c.ResponseURI, Origin: c.Origin}
	if r.Query, err = openid4vp.ParseQuery(raw); err != nil {
		return fmt.Errorf("read %s: %w", c.Query, err)
	}
	verifier, err := c.verifier()
	if err != nil {
		return err
	}
	if verifier != nil {
		r.Signed, r.ClientID = true, verifier.HashID()
		if c.Host != "" {
			r.ClientID = verifier.HostID(c.Host)
		}
	}
	if err := r.Ask(today(c.At), c.Life); err != nil {
		return err
	}
	text, err := c.text(r, verifier)
	if err != nil {
		return err
	}
	kept, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Kept, kept, 0o600); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, text)
	return err
}

func (c *walletRequest) text(r *openid4vp.Request, v *openid4vp.Verifier) (string, error) {
	if r.Origin == "" {
		return r.Object(v, c.WalletNonce)
	}
	request, err := r.Browser(v)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(request)
	return string(raw), err
}

// verifier returns who asks, nil where requests are not signed.
func (c *walletRequest) verifier() (*openid4vp.Verifier, error) {
	if c.Key == "" && c.Chain == "" {
		return nil, nil //nolint:nilnil // unsigned
	}
	key, err := readKey(c.Key)
	if err != nil {
		return nil, err
	}
	raw, err := readLimited(c.Chain)
	if err != nil {
		return nil, err
	}
	v := &openid4vp.Verifier{Key: key}
	for block, rest := pem.Decode(raw); block != nil; block, rest = pem.Decode(rest) {
		cert, err := pki.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", c.Chain, err)
		}
		v.Chain = append(v.Chain, cert)
	}
	if len(v.Chain) == 0 {
		return nil, fmt.Errorf("read %s: it holds no certificate", c.Chain)
	}
	return v, nil
}
