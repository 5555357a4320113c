package httpapi_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/applicant"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// TestARelayThatFailsGoesOn breaks the relay at each round trip in each way. It ends in a clear state, and the next contact or connection
// reads the chip.
func TestARelayThatFailsGoesOn(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	whole := c.roundTrips(t)
	type fault struct {
		answer func(m said, answers []string, before []string) any
		drops  bool   // the connection
		next   string // and the code that is told, where it goes on by itself
	}
	for name, f := range map[string]fault{
		"contact is lost":            {answer: func(m said, _, _ []string) any { return fields{"type": "lost", "id": m.ID} }, next: "chip.contact_lost"},
		"the connection drops":       {drops: true},
		"answers are replayed":       {answer: func(m said, _, before []string) any { return answered(m.ID, before...) }, next: "chip.answer_wrong"},
		"an old message comes":       {answer: func(m said, a, _ []string) any { return answered(m.ID-1, a...) }, next: "chip.answer_wrong"},
		"answers are left out":       {answer: func(m said, _, _ []string) any { return answered(m.ID) }, next: "chip.answer_wrong"},
		"answers are no hexadecimal": {answer: func(m said, _, _ []string) any { return answered(m.ID, "zz") }, next: "chip.answer_wrong"},
		"answers are garbage": {answer: func(m said, a, _ []string) any {
			a[0] = strings.Repeat("7C", 70) + "9000"
			return answered(m.ID, a...)
		}, next: "chip.answer_wrong"},
		"another message comes": {answer: func(_ said, _, _ []string) any { return fields{"type": "again"} }, next: "chip.answer_wrong"},
	} {
		for at := 1; at <= whole; at += 3 {
			c.run(t, fmt.Sprintf("%s at trip %d", name, at), func(t *testing.T) {
				_, token := c.begun()
				card := chiptest.New(c.relayed(20_000))
				p := c.phone(t, token, card)
				var before []string
				dropped := false
				p.answer = func(m said, answers []string) any {
					defer func() { before = slices.Clone(answers) }()
					if p.trips != at {
						return nil
					}
					card.Reset()
					if f.drops {
						dropped = true
						_ = p.conn.CloseNow()
						return nil
					}
					return f.answer(m, answers, before)
				}
				p.start(zoneKey())
				if f.drops {
					p.carryUntilGone()
					if !dropped {
						t.Fatal("nothing dropped")
					}
					p = c.comeBack(t, token, card)
					p.start(zoneKey())
				} else {
					m := p.carry()
					if m.Type == "done" && name == "answers are garbage" {
						return // the answer was to a command that may fail
					}
					if m.Type != "stopped" || m.Next != "again" || m.Problem.Code != f.next || m.Problem.Remedy == "" {
						t.Fatalf("the server says %+v", m)
					}
					card.Reset()
					p.send(fields{"type": "again"})
				}
				m := p.carry()
				for m.Type == "stopped" && m.Next == "again" { // a stale message may have spoiled the first batch
					p.send(fields{"type": "again"})
					m = p.carry()
				}
				if m.Type != "done" {
					t.Fatalf("the relay ends with %+v", m)
				}
			})
		}
	}
}

// carryUntilGone is carry for a connection that is cut in between.
func (p *phone) carryUntilGone() {
	for {
		ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
		_, raw, err := p.conn.Read(ctx)
		cancel()
		if err != nil {
			return
		}
		var m said
		must(p.t, json.Unmarshal(raw, &m))
		p.trips++
		var answers []string
		for _, cmd := range m.Commands {
			raw, err := hex.DecodeString(cmd)
			must(p.t, err)
			answers = append(answers, hex.EncodeToString(p.chip.Transmit(raw)))
			if last := answers[len(answers)-1]; !strings.HasSuffix(last, "9000") && !strings.HasSuffix(last, "6282") {
				break
			}
		}
		p.answer(m, answers)
		out, err := json.Marshal(fields{"type": "answers", "id": m.ID, "answers": answers})
		must(p.t, err)
		if p.conn.Write(p.t.Context(), websocket.MessageText, out) != nil {
			return
		}
	}
}

// comeBack opens the relay again as soon as the server knows that the old connection is gone.
func (c chips) comeBack(t *testing.T, token string, card *chiptest.Chip) *phone {
	t.Helper()
	for range 200 {
		conn, refused, err := c.dial(token, nil)
		if err == nil {
			conn.SetReadLimit(1 << 20)
			t.Cleanup(func() { _ = conn.CloseNow() })
			return &phone{t: t, conn: conn, chip: card}
		}
		if refused.status != http.StatusConflict {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the server does not notice that a connection dropped")
	return nil
}

// roundTrips is how many a whole read takes.
func (c chips) roundTrips(t *testing.T) int {
	t.Helper()
	_, token := c.begun()
	p := c.phone(t, token, chiptest.New(c.relayed(20_000)))
	p.start(zoneKey())
	if m := p.carry(); m.Type != "done" {
		t.Fatalf("the relay ends with %+v", m)
	}
	return p.trips
}

func TestABrokenRelayGoesOnWithTheFileItWasAt(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	_, token := c.begun()
	card := chiptest.New(c.relayed(40_000))
	p := c.phone(t, token, card)
	p.start(zoneKey())
	p.answer = func(m said, _ []string) any {
		if m.Reading == "DG2" && m.Read > 20_000 {
			_ = p.conn.CloseNow()
		}
		return nil
	}
	p.carryUntilGone()
	card.Reset()
	back := c.comeBack(t, token, card)
	ready := back.start(zoneKey())
	if !slices.Contains(ready.Kept, "EF.SOD") || !slices.Contains(ready.Kept, "DG1") {
		t.Errorf("kept %v", ready.Kept)
	}
	first := 0
	back.answer = func(m said, _ []string) any {
		if m.Reading == "DG2" && first == 0 {
			first = m.Read
		}
		return nil
	}
	if m := back.carry(); m.Type != "done" {
		t.Fatalf("the relay ends with %+v", m)
	}
	if first < 20_000 || slices.Contains(back.files, "DG1") {
		t.Errorf("went on at byte %d, with %v", first, back.files)
	}
	// The key was dropped with the connection: without one nothing goes on.
	_, other := c.begun()
	again := c.phone(t, other, card)
	if _, err := again.hear(); err != nil {
		t.Fatal(err)
	}
	again.send(fields{"type": "again"})
	if m := again.carry(); m.Type != "stopped" || m.Next != "key" || m.Problem.Code != "chip.key_missing" {
		t.Errorf("without a key the server says %+v", m)
	}
}

func TestAWrongKeyIsAskedForAgain(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	_, token := c.begun()
	p := c.phone(t, token, chiptest.New(c.relayed(0)))
	p.start(fields{"can": "654321"})
	for _, step := range []struct {
		key  fields
		code string
	}{
		{fields{"can": "12"}, "chip.key_missing"}, {fields{"can": "123456", "document_number": "L898902C3"}, "chip.key_missing"},
		{fields{"document_number": "L898902C3", "date_of_birth": "yesterday"}, "chip.key_missing"},
		{fields{"document_number": "L898902C4", "date_of_birth": "1974-08-12", "date_of_expiry": "2012-04-15"}, "chip.access_refused"},
		{fields{"can": "123456"}, ""},
	} {
		m := p.carry()
		if m.Type != "stopped" || m.Next != "key" || !strings.HasPrefix(m.Problem.Code, "chip.") {
			t.Fatalf("the server says %+v", m)
		}
		p.send(fields{"type": "start", "key": step.key})
	}
	if m := p.carry(); m.Type != "done" {
		t.Fatalf("the access number does not open the chip: %+v", m)
	}
	for _, secret := range []string{"654321", "123456", "L898902C4"} {
		if strings.Contains(c.log.String(), secret) {
			t.Errorf("the log says %q", secret)
		}
	}
}

func TestARelayEndsByItsOwnCode(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	for name, tt := range map[string]struct {
		change func(*chiptest.Config)
		keys   int
		code   string
	}{
		"a blocked chip":               {func(c *chiptest.Config) { c.Blocked = true }, 1, "chip.access_blocked"},
		"a bank card":                  {func(c *chiptest.Config) { c.Files, c.PACE = nil, "" }, 1, "chip.no_document"},
		"a way that is not supported":  {func(c *chiptest.Config) { c.PACE, c.NoBasic = "", true }, 1, "chip.access_unsupported"},
		"keys that are guessed":        {func(c *chiptest.Config) { c.Number = "X1" }, 5, "chip.access_refused"},
		"a portrait that is not given": {func(c *chiptest.Config) { delete(c.Files, "DG2") }, 1, "chip.file_unreadable"},
		"more than is read":            {func(c *chiptest.Config) { c.Files["DG2"] = emrtdtest.DG2(make([]byte, 4<<20)) }, 1, "chip.too_much"},
	} {
		c.run(t, name, func(t *testing.T) {
			_, token := c.begun()
			config := c.relayed(0)
			tt.change(&config)
			p := c.phone(t, token, chiptest.New(config))
			p.start(zoneKey())
			m := p.carry()
			for range tt.keys - 1 {
				if m.Type != "stopped" {
					t.Fatalf("the server says %+v", m)
				}
				p.send(fields{"type": "start", "key": zoneKey()})
				m = p.carry()
			}
			if m.Type == "stopped" && tt.code == "chip.file_unreadable" && m.Problem.Code == tt.code {
				return // another contact may do better
			}
			if m.Type != "failed" || m.Next != "ends" || m.Problem.Code != tt.code {
				t.Fatalf("the server says %+v, want %s", m, tt.code)
			}
			if _, err := p.hear(); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
				t.Errorf("the connection ends with %v", err)
			}
		})
	}
}

func TestWhoMayNotRelayIsToldWhy(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipOffered, idv.CheckChipAuthentic, idv.CheckChipZone)
	_, token := c.begun()
	want := func(name, token string, header http.Header, status int, code string) {
		t.Helper()
		_, got, err := c.dial(token, header)
		if err == nil || got.status == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		raised(field(got.body, "code"))
		if got.status != status || field(got.body, "code") != code {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	want("nobody", "made-up", nil, 401, "auth.invalid")
	want("a page of another origin", token, http.Header{"Origin": {"https://evil.example"}}, 403, "auth.forbidden")
	want("a page without an origin", token, http.Header{"Origin": {"null"}}, 403, "auth.forbidden")
	c.do(ask{method: "GET", path: "/v1/applicant/chip/relay", bearer: token}).want(t, 400, "request.malformed")

	p := c.phone(t, token, chiptest.New(c.relayed(0)))
	if _, err := p.hear(); err != nil {
		t.Fatal(err)
	}
	want("a second connection", token, nil, 409, "chip.relay_busy")

	id, link := c.create(c.world.key, nil) // of a workflow that takes no chip
	plain := c.open(link)
	c.agree(plain)
	want("a session that takes no chip", plain, nil, 409, "chip.not_asked")
	_, link = c.create(c.world.key, map[string]any{"workflow": "chip"})
	want("a session without consent", c.open(link), nil, 409, "consent.missing")
	c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/cancel", bearer: c.world.key})
	if same, _, err := c.dial(c.freshToken(), http.Header{"Origin": {c.url}}); err != nil {
		t.Errorf("a page of our own: %v", err)
	} else {
		_ = same.CloseNow()
	}
}

// freshToken is that of another session that waits for a passport.
func (c chips) freshToken() string {
	_, token := c.begun()
	return token
}

func TestARelayWaitsForNobodyForEver(t *testing.T) {
	t.Parallel()
	c := newChipsWith(t, idv.ChipOffered, func(o *httpapi.Options) {
		o.RelayTimes = applicant.RelayTimes{Whole: 20 * time.Second, Person: 300 * time.Millisecond, Answer: 300 * time.Millisecond}
	}, idv.CheckChipAuthentic, idv.CheckChipZone)
	for name, prepare := range map[string]func(*phone){
		"nobody begins":      func(p *phone) { _, err := p.hear(); must(p.t, err) },
		"the chip is silent": func(p *phone) { p.start(zoneKey()); _, err := p.hear(); must(p.t, err) },
		"nobody holds it again": func(p *phone) {
			p.start(zoneKey())
			m, err := p.hear()
			must(p.t, err)
			p.send(fields{"type": "lost", "id": m.ID})
			_, err = p.hear()
			must(p.t, err)
		},
	} {
		c.run(t, name, func(t *testing.T) {
			_, token := c.begun()
			p := c.phone(t, token, chiptest.New(c.relayed(0)))
			prepare(p)
			m, err := p.hear()
			if err != nil || m.Type != "failed" || m.Problem.Code != "chip.relay_ended" {
				t.Fatalf("the server says %+v, %v", m, err)
			}
			back := c.comeBack(t, token, p.chip)
			back.chip.Reset()
			back.start(zoneKey())
			if m := back.carry(); m.Type != "done" {
				t.Errorf("the next connection ends with %+v", m)
			}
		})
	}
	t.Run("a message that is too large, or none at all", func(t *testing.T) {
		for _, raw := range []string{strings.Repeat("a", 600<<10), "{"} {
			_, token := c.begun()
			p := c.phone(t, token, chiptest.New(c.relayed(0)))
			_, err := p.hear()
			must(t, err)
			_ = p.conn.Write(t.Context(), websocket.MessageText, []byte(raw))
			if m, err := p.hear(); err == nil && m.Type != "failed" {
				t.Errorf("the server says %+v", m)
			}
		}
	})
}
