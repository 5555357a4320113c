package httpapi_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// portraits finds Anna on the portrait of every chip.
type portraits struct{}

func (portraits) Describe(_ context.Context, c idv.Capture, _ []byte) ([]idv.Artifact, error) {
	var out []idv.Artifact
	for _, k := range []idv.ArtifactKind{idv.ArtifactPortrait, idv.ArtifactPortraitTemplate} {
		a, err := idv.PresentArtifact(k, c, idvtest.Scene{Face: "anna"})
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	out[0].Blob, out[0].BlobType = []byte("picture of anna"), "image/jpeg"
	return out, nil
}

func (portraits) JPEG2000(_ context.Context, raw []byte, _, _ int) ([]byte, error) { return raw, nil }

// utopia is a state whose chips prove themselves, and whose documents these tests send.
type utopia struct {
	authority, signer *emrtdtest.Holder
	key               *emrtdtest.Key // of Active Authentication
}

func newUtopia() utopia {
	a := authorityOf(1)
	return utopia{a, signerOf(a, 7, 2), emrtdtest.NewKey(stateKind, 9)}
}

// authorityOf is an authority of Utopia that is valid today.
func authorityOf(key int) *emrtdtest.Holder {
	now := time.Now()
	return emrtdtest.NewRoot(emrtdtest.Template{
		Serial: int64(100 + key), Country: "UT", CA: true, From: now.AddDate(-5, 0, 0), To: now.AddDate(10, 0, 0),
	}, emrtdtest.NewKey(stateKind, key))
}

// signerOf is a signer of documents that is valid today.
func signerOf(a *emrtdtest.Holder, serial int64, key int) *emrtdtest.Holder {
	return a.Issue(emrtdtest.Template{Serial: serial, From: time.Now().AddDate(-1, 0, 0), To: time.Now().AddDate(9, 0, 0)}, emrtdtest.NewKey(stateKind, key))
}

// lastMonth is when the documents were signed.
func lastMonth() emrtdtest.Signing { return emrtdtest.Signing{Time: time.Now().AddDate(0, -1, 0)} }

// revokes is a revocation list of the authority that is valid today.
func (u utopia) revokes(serials ...int64) []byte {
	return u.authority.CRL(time.Now().AddDate(0, 0, -1), time.Now().AddDate(0, 1, 0), serials...)
}

// files are those of a chip with a key, signed.
func (u utopia) files(change ...func(map[lds.File][]byte)) map[lds.File][]byte {
	files := emrtdtest.Chip()
	files["DG14"], files["DG15"] = emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3"), emrtdtest.DG15(u.key)
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = u.signer.SOD(files, lastMonth())
	for _, f := range change {
		f(files)
	}
	return files
}

// page is a passport of Utopia with the zone of the chip on it.
func zonedPassport(lines ...string) idvtest.Scene {
	s := idvtest.Passport("anna")
	s.Number = strings.Join(lines, "\n")
	return s
}

// chips is a world in which a workflow takes chips and trusts Utopia.
type chips struct {
	*world
	utopia
	cookie string
}

func newChips(t *testing.T, use idv.ChipUse, checks ...idv.CheckKind) chips {
	t.Helper()
	return newChipsWith(t, use, func(*httpapi.Options) {}, checks...)
}

// newChipsWith is newChips with other options.
func newChipsWith(t *testing.T, use idv.ChipUse, change func(*httpapi.Options), checks ...idv.CheckKind) chips {
	t.Helper()
	return newChipsIn(t, newWorld(t, change), use, checks...)
}

// newChipsIn is newChips in a world that is there.
func newChipsIn(t *testing.T, w *world, use idv.ChipUse, checks ...idv.CheckKind) chips {
	t.Helper()
	c := chips{world: w, utopia: newUtopia()}
	c.work()
	c.cookie = c.signIn()
	e := editor{c.world, c.cookie}
	file, draft := e.draft(t, "chip", func(s *wire.WorkflowSpec) {
		s.Chip = use
		s.Required = slices.DeleteFunc(s.Required, func(k idv.CheckKind) bool {
			return k == idv.CheckLiveness || k == idv.CheckReplay || slices.Contains(idv.Signals(), k)
		})
		s.Required = append(s.Required, checks...)
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	return c
}

// trusts makes the test mode trust files, each of which is accepted.
func (c chips) trusts(files ...[]byte) {
	c.t.Helper()
	r := register.New(c.store, register.Options{Now: c.clock.now})
	for _, raw := range files {
		u, err := r.Propose(c.t.Context(), register.Proposal{Mode: idv.Test, File: raw})
		must(c.t, err)
		_, err = r.Accept(c.t.Context(), u.ID)
		must(c.t, err)
	}
}

// begun is a session that was opened and consented to, and waits for a passport.
func (c chips) begun() (id, token string) {
	c.t.Helper()
	id, link := c.create(c.world.key, map[string]any{"workflow": "chip"})
	token = c.open(link)
	c.agree(token)
	c.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(c.t, 200, "")
	return id, token
}

// challenge asks for one and answers its id and bytes.
func (c chips) challenge(token string) (id string, b []byte) {
	c.t.Helper()
	a := c.do(ask{method: "POST", path: "/v1/applicant/steps/chip/challenge", bearer: token}).want(c.t, 201, "")
	b, err := hex.DecodeString(field(a.body, "challenge"))
	must(c.t, err)
	return field(a.body, "id"), b
}

// sendChip sends files, with an answer to a challenge if there is one.
func (c chips) sendChip(token string, files map[lds.File][]byte, more form) answer {
	c.t.Helper()
	var raw [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		raw = append(raw, files[name])
	}
	body := form{"attempt": fmt.Sprintf("chip-%06d", attempts.Add(1)), "file": raw}
	maps.Copy(body, more)
	return c.do(ask{method: "POST", path: "/v1/applicant/steps/chip", bearer: token, body: body})
}

// ends sends passport and selfie, and returns how the session ends.
func (c chips) ends(id, token string, page idvtest.Scene) string {
	c.t.Helper()
	c.send(token, "document_front", page).want(c.t, 200, "")
	c.send(token, "selfie", idvtest.Selfie("anna")).want(c.t, 200, "")
	return c.wait(id)
}

// report reads a session's report and decisions.
func (c chips) report(id string) (out wire.ReportAndDecisions) {
	c.t.Helper()
	must(c.t, json.Unmarshal([]byte(c.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: c.world.key}).want(c.t, 200, "").body), &out))
	return out
}

func (c chips) reasons(id string) []string {
	c.t.Helper()
	codes := []string{}
	for _, r := range c.report(id).Decisions[0].Reasons {
		codes = append(codes, r.Code)
	}
	return codes
}

var everyChipCheck = idv.ChipChecks()

func TestAChipThatProvesItselfIsApproved(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	c.trusts(c.authority.Raw, c.revokes())
	id, token := c.begun()
	task := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "")
	if !strings.Contains(task.body, `"chip":"required"`) || !strings.Contains(task.body, `"chip_sent":false`) {
		t.Errorf("the task does not say that a chip is wanted: %s", task.body)
	}
	challenge, asked := c.challenge(token)
	sent := c.sendChip(token, c.files(), form{"challenge": challenge, "response": c.utopia.key.Answer(asked)}).want(t, 202, "")
	for _, told := range []string{"authentic", "ERIKSSON", "not_a_copy", hex.EncodeToString(asked)} {
		if strings.Contains(sent.body, told) {
			t.Errorf("the answer says %q: %s", told, sent.body)
		}
	}
	if !strings.Contains(sent.body, `"chip_sent":true`) || field(sent.body, "step") != "document_front" {
		t.Errorf("the task after it: %s", sent.body)
	}
	if state := c.ends(id, token, zonedPassport(emrtdtest.Zone...)); state != "approved" {
		t.Fatalf("the session is %s for %v\n%s", state, c.reasons(id), c.log)
	}
	facts := map[string]string{}
	for _, claim := range c.report(id).Report.Claims {
		if claim.Source == idv.FromChip {
			facts[string(claim.Name)] = claim.Value
		}
	}
	want := map[string]string{
		"family_name": "ERIKSSON", "given_names": "ÅNNA MARIA", "date_of_birth": "1974-08-12", "date_of_expiry": "2012-04-15", "sex": "F",
		"document_number": "L898902C3", "nationality": "UTO", "issuer": "UTO", "personal_number": "ZE184226B", "place_of_birth": "ZENITH, UTOPIA",
		"authority": "PASSPORT OFFICE", "date_of_issue": "2030-04-01",
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("what the chip states (-want +got):\n%s", diff)
	}
	raw := c.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?pictures=true", cookie: c.cookie}).want(t, 200, "").body
	kept, err := casefile.Chips(strings.NewReader(raw), int64(len(raw)))
	must(t, err)
	said, err := chip.Prove(kept[0].ChipRead, kept[0].Found)
	if err != nil || len(kept) != 1 || len(said) != 3 || !strings.Contains(said[1], "no copy") {
		t.Errorf("the case file proves %d chips: %q, %v", len(kept), said, err)
	}
	kept[0].Files[1].Bytes[8] ^= 1
	if _, err := chip.Prove(kept[0].ChipRead, kept[0].Found); !errors.Is(err, chip.ErrNotProved) {
		t.Errorf("a changed file is proved, too: %v", err)
	}
	if plain, _ := caseFileOf(c.world, c.cookie, id, ""); strings.Contains(plain["case.json"], "EF.SOD") {
		t.Error("a case file without pictures has the chip")
	}
	if log := c.log.String(); strings.Contains(log, "ERIKSSON") || strings.Contains(log, hex.EncodeToString(asked)) {
		t.Error("the log says what the chip holds")
	}
}

func TestWhatAChipDoesNotProveIsReferredByItsOwnReason(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	forger, revoked := signerOf(authorityOf(3), 7, 4), signerOf(c.authority, 66, 5)
	c.trusts(c.authority.Raw, c.revokes(66))
	signed := func(by *emrtdtest.Holder) func(map[lds.File][]byte) {
		return func(f map[lds.File][]byte) {
			delete(f, lds.SOD)
			f[lds.SOD] = by.SOD(f, lastMonth())
		}
	}
	otherZone := slices.Clone(emrtdtest.Zone)
	otherZone[1] = strings.Replace(otherZone[1], "L898902C3", "L898902C4", 1)
	for name, tt := range map[string]struct {
		change  func(map[lds.File][]byte)
		mute    bool // the chip is not asked
		page    idvtest.Scene
		none    bool
		reasons []string
	}{
		"no chip":                     {none: true, reasons: []string{"chip.missing"}},
		"a signer that nobody trusts": {change: signed(forger), reasons: []string{"trust.anchor_missing", "chip.copy_not_excluded", "chip.revocation_unchecked"}},
		"a signer that was revoked":   {change: signed(revoked), reasons: []string{"trust.revoked", "chip.copy_not_excluded"}},
		"a data group that was changed": {
			change:  func(f map[lds.File][]byte) { f["DG1"] = emrtdtest.DG1(otherZone...) },
			reasons: []string{"chip.digest_mismatch", "chip.copy_not_excluded", "chip.zone_differs"},
		},
		"a chip that was not asked":      {mute: true, reasons: []string{"chip.copy_not_excluded"}},
		"a page that says another thing": {page: zonedPassport(otherZone...), reasons: []string{"chip.zone_differs"}},
		"a page that was not read": {
			page: func() idvtest.Scene {
				s := zonedPassport(otherZone...)
				s.MRZ = problem.DocumentReadersDisagree.Code
				return s
			}(),
			reasons: []string{"document.readers_disagree", "chip.page_unread"},
		},
	} {
		c.run(t, name, func(t *testing.T) {
			id, token := c.begun()
			if !tt.none {
				var more form
				if !tt.mute {
					challenge, asked := c.challenge(token)
					more = form{"challenge": challenge, "response": c.utopia.key.Answer(asked)}
				}
				files := c.files()
				if tt.change != nil {
					tt.change(files)
				}
				c.sendChip(token, files, more).want(t, 202, "")
			}
			page := tt.page
			if page.Number == "" {
				page = zonedPassport(emrtdtest.Zone...)
			}
			if state := c.ends(id, token, page); state != "in_review" {
				t.Fatalf("the session is %s", state)
			}
			if diff := cmp.Diff(tt.reasons, c.reasons(id)); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsNoWholeReadOfAChipIsRefusedByItsOwnCode(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	id, token := c.begun()
	without := func(name lds.File) map[lds.File][]byte {
		return c.files(func(f map[lds.File][]byte) { delete(f, name) })
	}
	with := func(name lds.File, raw []byte) map[lds.File][]byte {
		return c.files(func(f map[lds.File][]byte) { f[name] = raw })
	}
	for name, tt := range map[string]struct {
		files  map[lds.File][]byte
		more   form
		status int
		code   string
	}{
		"without EF.SOD":             {without(lds.SOD), nil, 422, "chip.sod_missing"},
		"without DG2":                {without("DG2"), nil, 422, "chip.group_missing"},
		"a letter":                   {with("DG1", []byte("Dear Sir or Madam")), nil, 422, "tlv.malformed"},
		"a file of no chip":          {with("DG1", tlv.Encode(0x42, []byte("UT"))), nil, 422, "lds.wrong_file"},
		"half a file":                {with("DG1", c.files()["DG1"][:40]), nil, 422, "tlv.malformed"},
		"bytes after a file":         {with("DG1", append(bytes.Clone(c.files()["DG1"]), 0)), nil, 422, "tlv.trailing"},
		"a file twice":               {with("DG11", c.files()["DG1"]), nil, 422, "lds.group_twice"},
		"fingers":                    {with("DG11", tlv.Encode(0x63, []byte{1})), nil, 422, "lds.wrong_file"},
		"no zone":                    {with("DG1", tlv.Encode(0x61, tlv.Encode(0x5F1F, []byte("P<")))), nil, 422, "lds.no_zone"},
		"no picture":                 {with("DG2", emrtdtest.DG2([]byte("a drawing"))), nil, 422, "lds.picture_unknown"},
		"a picture of no size":       {with("DG2", tlv.Encode(0x75, tlv.Encode(0x7F61, tlv.Encode(tlv.Integer, []byte{0})))), nil, 422, "lds.no_portrait"},
		"a response to nothing":      {c.files(), form{"response": []byte("yes")}, 400, "request.malformed"},
		"a challenge and no answer":  {c.files(), form{"challenge": "chl_none"}, 400, "request.malformed"},
		"a challenge out of the air": {c.files(), form{"challenge": "chl_06c1q2m3n4p5r6s7t8v9w0x1y2", "response": []byte("yes")}, 409, "chip.challenge_expired"},
		"more than a chip holds":     {with("DG2", make([]byte, idv.MostChipBytes+1)), nil, 413, "request.too_large"},
		"a long answer":              {c.files(), form{"challenge": "chl_none", "response": make([]byte, idv.MostChipResponse+1)}, 413, "request.too_large"},
		"an unknown field":           {c.files(), form{"verified": "true"}, 400, "request.unknown_field"},
	} {
		c.run(t, name, func(t *testing.T) { c.sendChip(token, tt.files, tt.more).want(t, tt.status, tt.code) })
	}
	captures, _, err := c.sessions.Sessions.Captures(t.Context(), "", idv.SessionID(id))
	must(t, err)
	if len(captures) != 0 {
		t.Errorf("%d captures are kept of what was refused", len(captures))
	}
	_, elsewhere := c.world.begun()
	c.sendChip(elsewhere, c.files(), nil).want(t, 409, "chip.not_asked")
	c.do(ask{method: "POST", path: "/v1/applicant/steps/chip/challenge", bearer: elsewhere}).want(t, 409, "chip.not_asked")
	if state := c.ends(id, token, zonedPassport(emrtdtest.Zone...)); state != "approved" {
		t.Errorf("without a chip that was only offered the session is %s for %v", state, c.reasons(id))
	}
	c.sendChip(token, c.files(), nil).want(t, 409, "session.finished")
}

func TestAChallengeToAChipIsGoodOnceForOneSessionAndForMinutes(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	c.trusts(c.authority.Raw)
	_, token := c.begun()
	_, another := c.begun()
	challenge, asked := c.challenge(token)
	answered := form{"challenge": challenge, "response": c.utopia.key.Answer(asked)}
	c.sendChip(another, c.files(), answered).want(t, 409, "chip.challenge_expired")
	files := c.files()
	first := c.sendChip(token, files, form{"attempt": "the-same-read", "challenge": challenge, "response": answered["response"]}).want(t, 202, "")
	again := c.sendChip(token, files, form{"attempt": "the-same-read", "challenge": challenge, "response": answered["response"]}).want(t, 202, "")
	if first.body != again.body {
		t.Errorf("a repeat answers otherwise: %s, then %s", first.body, again.body)
	}
	c.sendChip(token, c.files(), form{"attempt": "the-same-read"}).want(t, 409, "capture.attempt_reused")
	c.sendChip(token, c.files(), answered).want(t, 409, "chip.challenge_expired")

	void, _ := c.challenge(token)
	challenge, asked = c.challenge(token)
	c.sendChip(token, c.files(), form{"challenge": void, "response": []byte("yes")}).want(t, 409, "chip.challenge_expired")
	c.clock.move(idv.ChipChallengeLife)
	c.sendChip(token, c.files(), form{"challenge": challenge, "response": c.utopia.key.Answer(asked)}).want(t, 409, "chip.challenge_expired")
	for range 2 {
		c.sendChip(token, c.files(), nil).want(t, 202, "")
	}
	c.sendChip(token, c.files(), nil).want(t, 409, "session.attempts_exhausted")
}

func TestErasingReachesTheFilesOfAChipAndItsChallenges(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := chips{world: w, utopia: newUtopia()}
		c.work()
		c.cookie = c.signIn()
		e := editor{w, c.cookie}
		file, draft := e.draft(t, "chip", func(s *wire.WorkflowSpec) {
			s.Chip = idv.ChipOffered
			s.Required = append(s.Required, idv.CheckChipAuthentic, idv.CheckChipZone)
		})
		e.publish(file.ID, draft.Revision).want(t, 200, "")
		c.trusts(c.authority.Raw)
		id, token := c.begun()
		challenge, asked := c.challenge(token)
		c.sendChip(token, c.files(), form{"challenge": challenge, "response": c.utopia.key.Answer(asked)}).want(t, 202, "")
		captures, _, err := c.sessions.Sessions.Captures(t.Context(), "", idv.SessionID(id))
		must(t, err)
		blob := id + "/" + string(captures[0].ID)
		if _, err := c.store.Pictures().Get(t.Context(), idv.SessionID(id), blob); err != nil {
			t.Fatalf("the files are not kept: %v", err)
		}
		c.do(ask{method: "POST", path: "/v1/applicant/withdraw", bearer: token}).want(t, 200, "")
		c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: c.world.key}).want(t, 200, "")
		if _, err := c.store.Pictures().Get(t.Context(), idv.SessionID(id), blob); err == nil {
			t.Error("the files can be read after the erasing")
		}
		if n, err := c.store.Together().CountChipChallenges(t.Context(), idv.SessionID(id)); err != nil || n != 0 {
			t.Errorf("%d challenges are kept: %v", n, err)
		}
	})
}
