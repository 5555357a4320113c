package applicant

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/session"
)

// WalletOptions say how wallets are asked.
type WalletOptions struct {
	PublicURL string              // scheme, host and port at which wallets reach this server
	Verifier  *openid4vp.Verifier // signs requests; nil: by the browser's API alone, unsigned
	Plain     bool                // answers by redirect come in the clear (direct_post), which no current profile asks for
	HAIP      bool                // requests follow the OpenID4VC High Assurance Interoperability Profile 1.0
}

// Wallets asks wallets for credentials and takes their answers. Like a chip, a wallet is beside the steps of a task.
type Wallets struct {
	captures *Captures
	options  WalletOptions
}

// WalletAsked is a request to a wallet as the page needs it.
type WalletAsked struct {
	Row      session.WalletRequestRow
	Link     string                  // opens a wallet on this device, and is what a code for another device holds; empty by the browser's API
	Requests []map[string]any        // of the browser's API, one for each protocol; the browser chooses
	Channels []session.WalletChannel // that the deployment has
}

// Channels returns how wallets can be asked here.
func (s *Wallets) Channels() []session.WalletChannel {
	if s.options.Verifier == nil {
		return []session.WalletChannel{session.WalletBrowser}
	}
	return session.WalletChannels()
}

// Begin asks a wallet. The request before it is void, and its key destroyed. Problems: wallet.not_asked, wallet.channel_missing,
// consent.missing, capture.out_of_order, session.attempts_exhausted, session.expired, session.finished.
func (s *Wallets) Begin(ctx context.Context, id idv.SessionID, channel session.WalletChannel) (WalletAsked, error) {
	life := s.captures.life
	rid, err := idv.NewID[idv.WalletRequestID](life.Now(), life.Random())
	if err != nil {
		return WalletAsked{}, err
	}
	handle, err := life.NewSecret()
	if err != nil {
		return WalletAsked{}, err
	}
	out := WalletAsked{Row: session.WalletRequestRow{
		ID: rid, Session: id, Handle: session.HashSecret(handle), Channel: channel, State: session.WalletOpen,
		MadeAt: life.Now(), ExpiresAt: life.Now().Add(idv.WalletRequestLife),
	}}
	err = s.captures.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkAllowed(ctx, tx, *rec, w); err != nil {
			return err
		}
		if err := tx.EndWalletRequests(ctx, id, life.Now()); err != nil {
			return err
		}
		requests, err := s.requests(w, channel, handle)
		if err != nil {
			return err
		}
		if out.Row.Sealed, err = sealed(requests); err != nil {
			return err
		}
		if err := s.describe(&out, requests, handle); err != nil {
			return err
		}
		if err := tx.AddWalletRequest(ctx, out.Row); err != nil {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{Action: "session.wallet_asked", Session: id, Subject: string(rid), After: out.Row.Channel}); err != nil {
			return err
		}
		return life.Notify(ctx, tx, id, session.EventWalletAsked, map[string]any{"request": rid, "channel": channel})
	})
	out.Row.Sealed = nil
	return out, err
}

// checkAllowed checks state, consent, workflow and limits.
func (s *Wallets) checkAllowed(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) error {
	if err := checkTurn(rec); err != nil {
		return err
	}
	if !w.TakesWallet() {
		return problem.New(problem.WalletNotAsked)
	}
	if !rec.Consented {
		return problem.New(problem.ConsentMissing)
	}
	asked, err := r.WalletRequests(ctx, rec.ID)
	if err != nil {
		return err
	}
	total, err := r.CountAttempts(ctx, rec.ID)
	if err != nil {
		return err
	}
	if len(asked)+total >= w.SessionAttempts {
		return problem.New(problem.AttemptsExhausted)
	}
	return nil
}

// requests are those of one transaction: one by redirect, one for each protocol by the browser.
func (s *Wallets) requests(w idv.WorkflowVersion, channel session.WalletChannel, handle string) ([]*openid4vp.Request, error) {
	query := openid4vp.QueryOf(w)
	v := s.options.Verifier
	var out []*openid4vp.Request
	switch {
	case channel == session.WalletBrowser:
		if v != nil {
			out = append(out, &openid4vp.Request{Mode: openid4vp.DCAPIJWT, Signed: true, ClientID: s.clientID(), Query: query})
		}
		if !s.options.HAIP || v == nil {
			out = append(out, &openid4vp.Request{Mode: openid4vp.DCAPIJWT, Query: query})
		}
		if one := query.Document(); one != nil {
			out = append(out, &openid4vp.Request{Mode: openid4vp.ISOMDoc, Query: one})
		}
	case v == nil:
		return nil, problem.New(problem.WalletChannelMissing)
	default:
		mode := openid4vp.DirectPostJWT
		if s.options.Plain && !s.options.HAIP {
			mode = openid4vp.DirectPost
		}
		out = append(out, &openid4vp.Request{Mode: mode, Signed: true, ClientID: s.clientID(), ResponseURI: s.address(handle) + "/response", Query: query})
	}
	for _, r := range out {
		if channel == session.WalletBrowser {
			r.Origin = s.options.PublicURL
		}
		if err := r.Ask(s.captures.life.Now(), idv.WalletRequestLife); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// clientID names the verifier: by the host in its certificate where wallets reach that host, else, and always under HAIP, by the
// certificate itself.
func (s *Wallets) clientID() string {
	u, err := url.Parse(s.options.PublicURL)
	if err == nil && u.Scheme == "https" && !s.options.HAIP && s.options.Verifier.IsFor(u.Hostname()) {
		return s.options.Verifier.HostID(u.Hostname())
	}
	return s.options.Verifier.HashID()
}

func (s *Wallets) address(handle string) string { return s.options.PublicURL + "/v1/wallet/" + handle }

// describe completes what the page needs.
func (s *Wallets) describe(out *WalletAsked, requests []*openid4vp.Request, handle string) error {
	if out.Channels = s.Channels(); out.Row.Channel != session.WalletBrowser {
		scheme := "openid4vp"
		if s.options.HAIP {
			scheme = "haip-vp"
		}
		out.Link = scheme + "://authorize?" + url.Values{
			"client_id": {requests[0].ClientID}, "request_uri": {s.address(handle)}, "request_uri_method": {"post"},
		}.Encode()
		return nil
	}
	for _, r := range requests {
		request, err := r.Browser(s.options.Verifier)
		if err != nil {
			return err
		}
		out.Requests = append(out.Requests, request)
	}
	return nil
}

func sealed(requests []*openid4vp.Request) (*session.WalletSealed, error) {
	out := &session.WalletSealed{}
	for _, r := range requests {
		raw, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		out.Requests = append(out.Requests, raw)
	}
	return out, nil
}

// mostNonce is the length of a wallet's nonce, in bytes.
const mostNonce = 512

// Object returns the signed request for the wallet that has its address, with the nonce that the wallet posted, if it did. It can be
// fetched again until it is answered. Problems: wallet.expired, request.malformed.
func (s *Wallets) Object(ctx context.Context, handle, nonce string) (string, error) {
	if len(nonce) > mostNonce {
		return "", session.Malformed("wallet_nonce", "at most 512 characters")
	}
	row, err := s.byHandle(ctx, s.captures.store, handle)
	if err != nil {
		return "", err
	}
	request, err := openid4vp.ParseRequest(row.Sealed.Requests[0])
	if err != nil {
		return "", err
	}
	return request.Object(s.options.Verifier, nonce)
}

// byHandle returns a request by redirect that can be answered. Whatever is wrong with it, the problem is wallet.expired.
func (s *Wallets) byHandle(ctx context.Context, r session.WalletReader, handle string) (session.WalletRequestRow, error) {
	row, err := r.WalletRequestByHandle(ctx, session.HashSecret(handle))
	if err == nil && row.Channel == session.WalletBrowser {
		err = problem.New(problem.NotFound)
	}
	return s.answerable(row, err)
}

func (s *Wallets) answerable(row session.WalletRequestRow, err error) (session.WalletRequestRow, error) {
	if problem.Has(err, problem.NotFound) || problem.Has(err, problem.SessionErased) ||
		err == nil && (row.State != session.WalletOpen || row.Sealed == nil || !s.captures.life.Now().Before(row.ExpiresAt)) {
		return row, problem.New(problem.WalletExpired)
	}
	return row, err
}

// asProblem returns the row of the catalogue for a refusal.
func asProblem(err error) error {
	why := refusal.Of(err)
	if why == nil {
		return err
	}
	if p, ok := problem.OfRefusal(string(why.Code), ""); ok {
		return p
	}
	return err
}
