package httpapi_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/vpcd"
)

// said is a message of the server in a relay.
type said struct {
	Type     string   `json:"type"`
	ID       int      `json:"id"`
	Commands []string `json:"commands"`
	Reading  string   `json:"reading"`
	Read     int      `json:"read"`
	Of       int      `json:"of"`
	Page     bool     `json:"page"`
	Kept     []string `json:"kept"`
	Next     string   `json:"next"`
	Problem  struct {
		Code   string `json:"code"`
		Remedy string `json:"remedy"`
	} `json:"problem"`
	Task json.RawMessage `json:"task"`
}

// phone holds a chip and carries bytes.
type phone struct {
	t       *testing.T
	conn    *websocket.Conn
	chip    *chiptest.Chip
	trips   int
	latency time.Duration
	files   []string                           // that were read, in order
	answer  func(m said, answers []string) any // nil sends them
}

// dial opens the relay of a session.
// refusal is the answer to somebody who may not relay.
type refusal struct {
	status int
	body   string
}

func (c chips) dial(token string, header http.Header) (*websocket.Conn, refusal, error) {
	if header == nil {
		header = http.Header{}
	}
	header.Set("Authorization", "Bearer "+token)
	conn, resp, err := websocket.Dial(c.t.Context(), strings.Replace(c.url, "http", "ws", 1)+"/v1/applicant/chip/relay", &websocket.DialOptions{
		HTTPHeader: header,
	})
	if err == nil || resp == nil {
		return conn, refusal{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // closing an answer that was read cannot lose anything
	raw, _ := io.ReadAll(resp.Body)
	return conn, refusal{resp.StatusCode, string(raw)}, err
}

func (c chips) phone(t *testing.T, token string, card *chiptest.Chip) *phone {
	t.Helper()
	conn, _, err := c.dial(token, nil)
	must(t, err)
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &phone{t: t, conn: conn, chip: card}
}

func (p *phone) send(v any) {
	p.t.Helper()
	raw, err := json.Marshal(v)
	must(p.t, err)
	must(p.t, p.conn.Write(p.t.Context(), websocket.MessageText, raw))
}

func (p *phone) hear() (m said, err error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
	defer cancel()
	_, raw, err := p.conn.Read(ctx)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	if m.Problem.Code != "" {
		raised(m.Problem.Code)
	}
	return m, nil
}

type fields = map[string]any

// answered is a message with answers of the chip.
func answered(id int, answers ...string) fields {
	return fields{"type": "answers", "id": id, "answers": answers}
}

// zoneKey is what is typed of the zone of the chips' specimen.
func zoneKey() fields {
	return fields{"document_number": "L898902C3", "date_of_birth": "1974-08-12", "date_of_expiry": "2012-04-15"}
}

// carry carries commands and answers until the server says something else, and returns that.
func (p *phone) carry() said {
	p.t.Helper()
	for {
		m, err := p.hear()
		must(p.t, err)
		if m.Type != "commands" {
			return m
		}
		p.trips++
		time.Sleep(p.latency)
		if len(p.files) == 0 || p.files[len(p.files)-1] != m.Reading {
			p.files = append(p.files, m.Reading)
		}
		var answers []string
		for _, cmd := range m.Commands {
			raw, err := hex.DecodeString(cmd)
			must(p.t, err)
			a := hex.EncodeToString(p.chip.Transmit(raw))
			answers = append(answers, a)
			if !strings.HasSuffix(a, "9000") && !strings.HasSuffix(a, "6282") {
				break
			}
		}
		var out any = fields{"type": "answers", "id": m.ID, "answers": answers}
		if p.answer != nil {
			if changed := p.answer(m, answers); changed != nil {
				out = changed
			}
		}
		p.send(out)
	}
}

// start says hello and begins with a key.
func (p *phone) start(key any) said {
	p.t.Helper()
	m, err := p.hear()
	must(p.t, err)
	if m.Type != "ready" {
		p.t.Fatalf("the first message is %+v", m)
	}
	p.send(fields{"type": "start", "key": key, "longest_answer": 256})
	return m
}

// relayed is a chip of Utopia that has no Active Authentication, and proves itself by Chip Authentication.
func (u utopia) relayed(portrait int) chiptest.Config {
	key := emrtdtest.NewKey(stateKind, 40)
	files := emrtdtest.Chip()
	picture := emrtdtest.Portrait()
	files["DG2"] = emrtdtest.DG2(append(picture, make([]byte, max(0, portrait-len(picture)))...))
	files["DG14"] = emrtdtest.Security(emrtdtest.ChipKeyInfo(key, -1), emrtdtest.ChipInfo("2", -1))
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = u.signer.SOD(files, lastMonth())
	return chiptest.Config{
		Files: files, Number: "L898902C3", Birth: "740812", Expiry: "120415", CAN: "123456", ChipKey: key, ChipSuite: 2,
		PACE: "0.4.0.127.0.7.2.2.4.2.2", Curve: 12,
	}
}

func TestAServerReadsAChipOverARelay(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	c.trusts(c.authority.Raw, c.revokes())
	id, token := c.begun()
	p := c.phone(t, token, chiptest.New(c.relayed(20_000)))
	p.latency = 50 * time.Millisecond
	if m := p.start(zoneKey()); m.Page || len(m.Kept) != 0 {
		t.Errorf("before anything was sent: %+v", m)
	}
	began := time.Now()
	done := p.carry()
	if done.Type != "done" || !strings.Contains(string(done.Task), `"chip_sent":true`) {
		t.Fatalf("the relay ends with %+v", done)
	}
	t.Logf("DG1, DG2 of 20 kB and EF.SOD: %d round trips of 50 ms, %v in all; files %v", p.trips, time.Since(began).Round(time.Millisecond), p.files)
	if p.trips > 25 {
		t.Errorf("%d round trips, at most 25", p.trips)
	}
	if state := c.ends(id, token, zonedPassport(emrtdtest.Zone...)); state != "approved" {
		t.Fatalf("the session is %s for %v\n%s", state, c.reasons(id), c.log)
	}
	raw := c.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?pictures=true", cookie: c.cookie}).want(t, 200, "").body
	kept, err := casefile.Chips(strings.NewReader(raw), int64(len(raw)))
	must(t, err)
	said, err := chip.Prove(kept[0].ChipRead, kept[0].Found)
	if err != nil || !kept[0].Found.Relayed || kept[0].Found.CopyProof != idv.ProofAgreement || !strings.Contains(strings.Join(said, " "), "no copy") {
		t.Errorf("the case file proves %+v: %q, %v", kept[0].Found.CopyProof, said, err)
	}
	kept[0].Agreement.Answer[5] ^= 1
	if _, err := chip.Prove(kept[0].ChipRead, kept[0].Found); err == nil {
		t.Error("an answer that was changed is proved, too")
	}
	for _, secret := range []string{"L898902C3", "740812", "1974-08-12", "ERIKSSON"} {
		if strings.Contains(c.log.String(), secret) {
			t.Errorf("the log says %q", secret)
		}
	}
}

// TestTheReferenceClientReadsAChip runs e2e/chiprelay as it is, with a chip in a virtual reader.
func TestTheReferenceClientReadsAChip(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	c.trusts(c.authority.Raw, c.revokes())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		if conn, err := l.Accept(); err == nil {
			_ = vpcd.Serve(conn, chiptest.New(c.relayed(20_000)))
		}
	}()
	id, token := c.begun()
	cmd := exec.CommandContext(t.Context(), "go", "run", "../../e2e/chiprelay", "--server", c.url, "--reader", l.Addr().String(), "--can", "123456")
	cmd.Env = append(os.Environ(), "BONAFIDE_TOKEN="+token)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The chip was read.") || !strings.Contains(string(out), "DG2: ") {
		t.Fatalf("the client says %s, %v", out, err)
	}
	if state := c.ends(id, token, zonedPassport(emrtdtest.Zone...)); state != "approved" {
		t.Errorf("the session is %s for %v", state, c.reasons(id))
	}
}

func TestThePageOpensTheChip(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	c.trusts(c.authority.Raw, c.revokes())
	id, token := c.begun()
	c.send(token, "document_front", zonedPassport(emrtdtest.Zone...)).want(t, 200, "")
	p := c.comeBack(t, token, chiptest.New(c.relayed(0)))
	for range 200 { // until the page was read
		m, err := p.hear()
		must(t, err)
		if m.Page {
			break
		}
		_ = p.conn.CloseNow()
		p = c.comeBack(t, token, p.chip)
	}
	p.send(fields{"type": "start"})
	if m := p.carry(); m.Type != "done" {
		t.Fatalf("the relay ends with %+v", m)
	}
	c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	if state := c.wait(id); state != "approved" {
		t.Errorf("the session is %s for %v", state, c.reasons(id))
	}
}

func TestACopyOverARelayIsReferred(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	c.trusts(c.authority.Raw, c.revokes())
	config := c.relayed(0)
	config.ChipKey = emrtdtest.NewKey(stateKind, 41) // the data of a chip, without its private key
	id, token := c.begun()
	p := c.phone(t, token, chiptest.New(config))
	p.start(zoneKey())
	m := p.carry()
	for range 3 {
		if m.Type != "stopped" || m.Next != "again" || m.Problem.Code != "chip.answer_wrong" {
			break
		}
		p.send(fields{"type": "again"})
		m = p.carry()
	}
	if m.Type != "done" || strings.Contains(string(m.Task), "copy") {
		t.Fatalf("the relay ends with %+v", m)
	}
	if state := c.ends(id, token, zonedPassport(emrtdtest.Zone...)); state != "in_review" {
		t.Fatalf("the session is %s", state)
	}
	if got := c.reasons(id); !slices.Equal(got, []string{"chip.agreement_failed", "chip.copy_not_excluded"}) {
		t.Errorf("reasons %v", got)
	}
}
