package wallet

import (
	"context"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Extractor judges the answers of wallets.
type Extractor struct {
	trust     Trust
	portraits Portraits
	decoder   Decoder
	options   Options
}

// NewExtractor returns an Extractor.
func NewExtractor(t Trust, p Portraits, d Decoder, o Options) *Extractor {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Extractor{trust: t, portraits: p, decoder: d, options: o}
}

// Reads the answers of wallets.
func (*Extractor) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.WalletData} }

// Yields what was found, and the portrait with its template.
func (*Extractor) Yields() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactWallet, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate}
}

// Extract judges an answer for the moment at which it arrived. An error means that it could not be looked at; a credential that is not
// trusted is no error.
func (x *Extractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	start := time.Now()
	answer, request, err := open(c.Bytes)
	if err != nil {
		return idv.Extraction{}, err
	}
	store, err := x.trust.Load(ctx, c.Mode)
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("load whom to trust: %w", err)
	}
	var found idv.Wallet
	var facts facts
	err = trace.Part(ctx, "verify wallet", func(ctx context.Context) error {
		report, err := judge(answer, request, store)
		if err != nil {
			return err
		}
		found = Describe(answer, request, report)
		x.lookUp(ctx, c.Mode, store, report, &found)
		facts = factsOf(request, report)
		facts.values = valuesOf(request, report)
		return ctx.Err()
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	if good(found) {
		found.Country, found.Ages, found.Cut, found.Portrait = facts.country, facts.ages, facts.cut, formatOf(facts.portrait)
		found.Names, found.Values = facts.names(), facts.values
	}
	out := idv.Extraction{Timings: map[string]time.Duration{"verify": time.Since(start)}}
	return out, x.complete(ctx, c, &out, found, facts)
}

// complete adds artifacts and claims.
func (x *Extractor) complete(ctx context.Context, c idv.Capture, out *idv.Extraction, found idv.Wallet, f facts) error {
	artifact, err := idv.PresentArtifact(idv.ArtifactWallet, c, found)
	if err != nil {
		return err
	}
	artifact.Producer, artifact.Version = producer, version
	portrait := absent(c)
	if good(found) {
		if portrait, err = x.portrait(ctx, c, f.portrait); err != nil {
			return err
		}
		out.Claims = f.claims
		for i := range out.Claims {
			out.Claims[i].Side, out.Claims[i].Capture = c.Side, c.ID
		}
	}
	out.Artifacts = append([]idv.Artifact{artifact}, portrait...)
	return nil
}

// good reports whether what a wallet presented counts.
func good(w idv.Wallet) bool {
	return w.Valid && w.HolderBound && w.Revocation != idv.WalletRevoked
}

// open reads a capture.
func open(raw []byte) (idv.WalletAnswer, *openid4vp.Request, error) {
	answer, err := idv.OpenWallet(raw)
	if err != nil {
		return answer, nil, err
	}
	request, err := openid4vp.ParseRequest(answer.Request)
	return answer, request, err
}

// judge judges an answer for the moment at which it arrived.
func judge(answer idv.WalletAnswer, request *openid4vp.Request, store *trust.Store) (*openid4vp.Report, error) {
	tokens, err := request.Unpack(answer.Presentations)
	if err != nil {
		return nil, err
	}
	return request.Judge(tokens, store, openid4vp.Options{Now: answer.ReceivedAt}), nil
}

// portrait describes the picture of a valid credential. One that cannot be decoded is absent.
func (x *Extractor) portrait(ctx context.Context, c idv.Capture, raw []byte) ([]idv.Artifact, error) {
	switch formatOf(raw) {
	case "":
		return absent(c), nil
	case jpeg2000:
		width, height := sizeOf(raw)
		var err error
		if raw, err = x.decoder.JPEG2000(ctx, raw, width, height); err != nil {
			return absent(c), ctx.Err()
		}
	}
	return x.portraits.Describe(ctx, c, raw)
}

func absent(c idv.Capture) []idv.Artifact {
	var out []idv.Artifact
	for _, k := range []idv.ArtifactKind{idv.ArtifactPortrait, idv.ArtifactPortraitTemplate} {
		a := idv.AbsentArtifact(k, c, problem.DocumentPortraitMissing.Code)
		a.Producer, a.Version = producer, version
		out = append(out, a)
	}
	return out
}
