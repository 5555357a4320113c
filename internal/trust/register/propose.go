package register

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/vical"
)

// Limits of what is uploaded.
const (
	MaxFile    = 8 << 20 // bytes; the largest published list has under a million
	MaxSource  = 200     // characters
	maxPending = 50      // updates that wait in a mode
)

// Proposal is a file that somebody uploaded, or a certificate to be removed.
type Proposal struct {
	Mode    idv.Mode
	File    []byte // DER or PEM: a certificate, a master list or a revocation list
	Purpose trust.Purpose
	Scope   string // the docType of an IACA, the vct of an issuer; a CSCA states its country itself
	Source  string // where the file is from
	Remove  string // fingerprint (SHA-256) of a certificate to be removed, in place of a file
}

// scopeForm is what a docType (ISO/IEC 18013-5) or a vct (a URI or another name without spaces) looks like.
var scopeForm = regexp.MustCompile(`^[!-~]{1,200}$`)

var fingerprintForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Propose verifies an upload against what is in force and keeps it until somebody accepts or declines it. A removal is in force at once:
// it only takes trust away. Problems: request.malformed, trust.conflict, and that of each refusal.
func (r *Register) Propose(ctx context.Context, p Proposal) (Update, error) {
	u, err := r.read(ctx, p)
	if err != nil {
		return Update{}, asProblem(err)
	}
	if u.ID, err = idv.NewID[idv.TrustUpdateID](r.now(), r.random); err != nil {
		return Update{}, err
	}
	err = r.store.ChangeTrust(ctx, func(ctx context.Context, tx Tx) error {
		waiting, err := tx.TrustUpdates(ctx, Filter{Modes: []idv.Mode{u.Mode}, State: Pending, Limit: maxPending})
		if err != nil {
			return err
		}
		if len(waiting) >= maxPending {
			return problem.New(problem.TrustConflict).Saying("%d updates wait already, which is the most.", maxPending)
		}
		before, err := inSlot(ctx, tx, u)
		if err != nil {
			return err
		}
		if before.Digest == u.Digest {
			return problem.New(problem.TrustConflict).Saying("This very file is in force.")
		}
		if err := follows(before, u); err != nil {
			return asProblem(err)
		}
		u.Replaces = before.ID
		action := "trust.proposed"
		if u.Kind == Removal {
			u.State, u.SettledBy, u.SettledAt, action = InForce, u.ProposedBy, u.ProposedAt, "trust.removed"
		}
		if err := tx.AddTrustUpdate(ctx, u); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: action, Subject: string(u.ID)})
	})
	return u, err
}

// read finds out what was uploaded, and refuses what could not be accepted.
func (r *Register) read(ctx context.Context, p Proposal) (Update, error) {
	u := Update{
		Mode: p.Mode, State: Pending, Purpose: p.Purpose, Source: strings.TrimSpace(p.Source), ProposedBy: actor(ctx), ProposedAt: r.now(),
	}
	switch {
	case p.Mode != idv.Live && p.Mode != idv.Test:
		return u, malformed("mode", "live or test")
	case utf8.RuneCountInString(u.Source) > MaxSource || strings.ContainsAny(u.Source, "\r\n"):
		return u, malformed("source", "one line of at most 200 characters")
	case p.Remove != "":
		return removal(u, p)
	case len(p.File) == 0 || len(p.File) > MaxFile:
		return u, malformed("file", "a certificate, a master list or a revocation list of at most 8 MiB")
	}
	u.Raw = p.File
	if block, _ := pem.Decode(p.File); block != nil {
		u.Raw = block.Bytes
	}
	u.Digest = digestOf(u.Raw)
	return r.recognise(ctx, u, p)
}

func removal(u Update, p Proposal) (Update, error) {
	fingerprint := strings.ToLower(strings.ReplaceAll(p.Remove, ":", ""))
	if !fingerprintForm.MatchString(fingerprint) {
		return u, malformed("remove", "the SHA-256 of a certificate in hexadecimal")
	}
	u.Kind, u.Subject, u.Slot, u.Raw, u.Digest = Removal, fingerprint, "removal/"+fingerprint, []byte{}, idv.Digest(fingerprint)
	return u, nil
}

// recognise tries each kind of file. A file that none of them is is refused as the certificate that it is not.
func (r *Register) recognise(ctx context.Context, u Update, p Proposal) (Update, error) {
	if list, err := trust.ParseMasterList(u.Raw); err == nil {
		return r.masterList(ctx, u, list)
	} else if why := refusal.Of(err); why != nil && why.Code == trust.NotAMasterList {
		return u, err
	}
	if list, err := pki.ParseRevocationList(u.Raw); err == nil {
		return r.revocationList(ctx, u, list)
	}
	if len(u.Raw) > 0 && (u.Raw[0] == 0xD2 || u.Raw[0] == 0x84) { // COSE_Sign1 with its tag, or an array of four
		list, err := vical.Parse(u.Raw)
		if err != nil {
			return u, err
		}
		return r.vical(ctx, u, list)
	}
	c, err := pki.ParseCertificate(u.Raw)
	if err != nil {
		return u, err
	}
	return anchor(u, p, c)
}

func (r *Register) vical(ctx context.Context, u Update, list *vical.List) (Update, error) {
	now, err := r.inForce(ctx, u.Mode)
	if err != nil {
		return u, err
	}
	verified, err := list.Verify(now.held.signers(u.Mode, trust.VICAL))
	if err != nil {
		return u, err
	}
	if verified.Date.After(r.now().Add(24 * time.Hour)) { // clocks of signers and time zones
		return u, refusal.New(vical.Signer, "the list is of %s, which is to come", verified.Date.Format(time.DateOnly))
	}
	u.Kind, u.Purpose, u.Scope, u.Subject = VICAL, trust.IACA, verified.Provider, verified.Path[0].Subject.String()
	u.Count, u.Dated, u.Slot = len(verified.Authorities), verified.Date, "vical/"+verified.Provider
	return u, nil
}

func anchor(u Update, p Proposal, c *pki.Certificate) (Update, error) {
	if u.Purpose == "" {
		u.Purpose = trust.CSCA
	}
	switch u.Purpose {
	case trust.CSCA:
		if u.Scope = c.Subject.Country; p.Scope != "" && p.Scope != u.Scope {
			return u, malformed("scope", "nothing, or the country that the certificate states")
		}
	case trust.IACA, trust.Issuer:
		u.Scope = p.Scope
	case trust.VICAL:
		u.Scope = trust.VICALScope
	default:
		return u, malformed("purpose", "csca, iaca, issuer or vical")
	}
	if !scopeForm.MatchString(u.Scope) {
		return u, malformed("scope", "the docType of an iaca, the vct of an issuer: at most 200 characters without spaces")
	}
	if err := new(trust.Store).Accept(trust.Anchor{Certificate: c, Purpose: u.Purpose, Scope: u.Scope}); err != nil {
		return u, err
	}
	u.Kind, u.Subject, u.Count, u.Dated = Anchor, c.Subject.String(), 1, c.NotBefore
	u.Slot = strings.Join([]string{"anchor", string(u.Purpose), u.Scope, c.Fingerprint()}, "/")
	return u, nil
}

func (r *Register) masterList(ctx context.Context, u Update, list *trust.MasterList) (Update, error) {
	now, err := r.inForce(ctx, u.Mode)
	if err != nil {
		return u, err
	}
	verified, err := list.Verify(now.held.signers(u.Mode, trust.CSCA))
	if err != nil {
		return u, err
	}
	if verified.Time.After(r.now().Add(24 * time.Hour)) { // clocks of signers and time zones
		return u, refusal.New(trust.ListSigner, "the list is of %s, which is to come", verified.Time.Format(time.DateOnly))
	}
	u.Kind, u.Purpose, u.Scope, u.Subject = MasterList, trust.CSCA, verified.Country(), verified.Path[0].Subject.String()
	u.Count, u.Dated, u.Slot = len(list.Certificates), verified.Time, "master_list/"+verified.Country()
	return u, nil
}

func (r *Register) revocationList(ctx context.Context, u Update, list *pki.RevocationList) (Update, error) {
	now, err := r.inForce(ctx, u.Mode)
	if err != nil {
		return u, err
	}
	trusted, _ := now.held.store(r.now()) // one of our own, to be changed
	if err := trusted.AcceptCRL(list, r.now()); err != nil {
		return u, err
	}
	signers, err := trusted.CRLSigners(list)
	if err != nil {
		return u, err
	}
	u.Kind, u.Purpose, u.Scope, u.Subject, u.Count = RevocationList, signers[0].Purpose, signers[0].Scope, list.Issuer.String(), list.Len()
	u.Dated, u.Slot = list.ThisUpdate, revocationSlot(list, signers[0])
	return u, nil
}

// revocationSlot is what a revocation list replaces: the one before of the same authority. Those of states are told apart by name, since
// a new key signs for the old one's certificates too; other authorities also by key, since nobody keeps their names apart.
func revocationSlot(list *pki.RevocationList, signer trust.Anchor) string {
	name := sha256.Sum256([]byte(list.Issuer.String()))
	if signer.Purpose == trust.CSCA {
		return "revocation_list/" + list.Issuer.Country + "/" + hex.EncodeToString(name[:8])
	}
	return strings.Join([]string{"revocation_list", string(signer.Purpose), hex.EncodeToString(name[:8]), signer.Certificate.Fingerprint()}, "/")
}

// follows refuses a list that is not newer than the one that it would replace.
func follows(before, u Update) error {
	if before.ID != "" && u.Kind == RevocationList {
		return followsCRL(before, u)
	}
	if before.ID == "" || u.Kind == Anchor || u.Kind == Removal || u.Dated.After(before.Dated) {
		return nil
	}
	return refusal.New(trust.Rollback, "the list is of %s, the one in force of %s", u.Dated.Format(time.DateTime), before.Dated.Format(time.DateTime))
}

func followsCRL(before, u Update) error {
	old, err := pki.ParseRevocationList(before.Raw)
	if err != nil {
		return err
	}
	list, err := pki.ParseRevocationList(u.Raw)
	if err != nil {
		return err
	}
	return trust.FollowsCRL(list, old)
}

// inSlot returns what is in force in the slot of an update; zero for nothing.
func inSlot(ctx context.Context, tx Reader, u Update) (Update, error) {
	before, err := tx.TrustInSlot(ctx, u.Mode, u.Slot)
	if problem.Has(err, problem.NotFound) {
		return Update{}, nil
	}
	return before, err
}

func digestOf(raw []byte) idv.Digest {
	sum := sha256.Sum256(raw)
	return idv.Digest(hex.EncodeToString(sum[:]))
}

// asProblem turns a refusal of a file into the row of its code.
func asProblem(err error) error {
	if why := refusal.Of(err); why != nil {
		if p, ok := problem.OfRefusal(string(why.Code), "file"); ok {
			return p.Saying("%s", why.Says)
		}
	}
	return err
}

// actor is the id of the member who acts; empty for the program.
func actor(ctx context.Context) string { return audit.ActorFrom(ctx).ID }

func malformed(at, want string) error {
	return problem.New(problem.RequestMalformed).At(at).Saying("Expected: %s.", want)
}
