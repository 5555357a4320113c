package casefile

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

var at = time.Date(2024, 3, 1, 10, 0, 0, 0, time.UTC)

const id = idv.SessionID("ses_06c1q2m3n4p5r6s7t8v9w0x1y2")

// content is a case with everything in it, and marks where somebody may have written them.
func content() Content {
	score, threshold, rate := 0.71, 0.42, 0.0001
	return Content{
		Format: Format, MadeAt: at, MadeBy: "Ida <b>Lindqvist</b> (usr_1)",
		Session: Session{ID: id, Mode: idv.Live, Workflow: Workflow{"wfv_1", "default", 1}, State: idv.Approved, ExternalReference: "<script>alert(1)</script>",
			Metadata: map[string]string{"note": `"><img src=x onerror=alert(1)>`}, DocumentKind: idv.Passport, CreatedAt: at},
		Report: &idv.Report{
			Checks: []idv.Check{
				{Kind: idv.CheckFaceMatch, Required: true, Lifecycle: idv.CheckSettled, Finding: &idv.Finding{Outcome: idv.Pass, Score: &score, Threshold: &threshold,
					Rates: &idv.ErrorRates{FMR: &rate, DataSet: "a set", OnPeople: true}, Models: []idv.ModelRef{{Name: "template", Version: "3", SHA256: "ab12"}}}},
				{Kind: idv.CheckLiveness, Lifecycle: idv.CheckBroken},
				{Kind: idv.CheckFactsAgree, Lifecycle: idv.CheckSettled, Finding: &idv.Finding{
					Outcome: idv.Fail, Reasons: []idv.Reason{{Code: "document.facts_disagree"}},
				}},
			},
			Claims: []idv.Claim{{Name: idv.FamilyName, Value: "ERIKSSON", Source: idv.FromMRZ}, {
				Name: idv.FamilyName, Value: "</table><script>", Source: idv.FromPrinted,
			}},
			Captures: []idv.ReportedCapture{{Step: idv.StepDocumentFront, Kind: idv.DocumentImage, Source: idv.SourceFile}, {Step: idv.StepSelfie, Kind: idv.Frames}},
			MadeAt:   at, Digest: "77aa",
		},
		Decisions: []Decision{{ID: "dec_1", Outcome: idv.DecideApprove, Reasons: []idv.Reason{}, By: "policy", DecidedAt: at}},
		Reviews:   []Review{{By: "usr_1", Kind: idv.ReviewNoted, Note: "<script>note</script>", At: at}},
		Links: []Link{{Session: "ses_06c1q2m3n4p5r6s7t8v9w0x1y3", Signs: []idv.SeenSign{idv.SignDocument, idv.SignOtherFace}, Decision: "not_the_same",
			Reason: "relative", Note: "<script>twins</script>", By: "usr_2", At: at, Said: []Opinion{
				{By: "usr_1", At: at, Decision: "unsure", Note: "<script>first of two</script>"},
				{By: "usr_2", At: at, Decision: "not_the_same", Reason: "relative", Note: "<script>twins</script>"},
			}}},
		Hits: []Hit{{
			ID: "hit_1", List: "un", Entry: "QDi.1", Listed: "<script>listed</script>", Topic: idv.TopicSanctions, Decision: "is_the_person", Said: []Opinion{
				{By: "usr_1", At: at, Decision: "is_the_person", Note: "the passport agrees"},
				{By: "usr_2", At: at, Decision: "is_the_person", Note: "and so does the picture"},
			},
		}},
		Consents: []Consent{{Given: true, TextVersion: "1", Locale: "en", At: at}}, Models: []idv.ModelRef{{Name: "template", Version: "3", SHA256: "ab12"}},
		Timeline: []Event{
			{Type: "session.created", At: at, By: "api_key"},
		}, Pictures: []Picture{{File: "pictures/01_selfie.jpg", Step: idv.StepSelfie, Kind: "image", Sent: "5e47", Bared: true, At: at},
			{Step: idv.StepSelfie, Kind: "frames", Sent: "0bad", Unopened: true, At: at}},
	}
}

func key() (ed25519.PublicKey, ed25519.PrivateKey) {
	priv := ed25519.NewKeyFromSeed([]byte("a seed of a test, thirty-two by."))
	pub, _ := priv.Public().(ed25519.PublicKey)
	return pub, priv
}

// logOf is a log of entries, with a proof of each.
func logOf(t *testing.T, entries ...audit.Entry) []audit.Proof {
	t.Helper()
	pub, priv := key()
	for i := range entries {
		entries[i].Position = int64(i)
	}
	hashes, root, err := audit.Append(0, entries, tlog.HashReaderFunc(nil))
	if err != nil {
		t.Fatal(err)
	}
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var out []tlog.Hash
		for _, i := range indexes {
			out = append(out, hashes[i])
		}
		return out, nil
	})
	c := audit.Sign(int64(len(entries)), root, at, priv)
	var out []audit.Proof
	for _, e := range entries {
		p, err := audit.Prove(e, c, reader, pub)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// written is a whole file.
func written(t *testing.T) []byte {
	t.Helper()
	open := map[string]Opener{"pictures/01_selfie.jpg": func(context.Context) ([]byte, error) { return []byte("a picture"), nil }}
	d, err := Prepare(t.Context(), content(), []idv.AuditID{"aud_1"}, open)
	if err != nil {
		t.Fatal(err)
	}
	proofs := logOf(t,
		audit.Entry{ID: "aud_1", At: at, Actor: audit.APIKey, ActorID: "key_1", Action: "session.created", Session: id},
		audit.Entry{ID: "aud_2", At: at, Actor: audit.User, ActorID: "usr_1", Action: Action, Session: id, Subject: d.Digest})
	var out bytes.Buffer
	if err := d.Write(t.Context(), &out, proofs); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func verify(raw []byte) (audit.Proven, error) { return Verify(bytes.NewReader(raw), int64(len(raw))) }

func TestAFileHoldsAndIsTheSameEachTime(t *testing.T) {
	raw := written(t)
	held, err := verify(raw)
	pub, _ := key()
	if err != nil || !held.Key.Equal(pub) || len(held.Statements) != 4 || !strings.Contains(held.Statements[3], "are not in it: 1.") {
		t.Fatalf("got %+v, %v", held, err)
	}
	if !bytes.Equal(raw, written(t)) {
		t.Error("the same content gives other bytes")
	}
}

// rezip writes an archive again, with its parts changed.
func rezip(t *testing.T, raw []byte, change func(parts map[string]string)) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range z.File {
		body, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(b)
	}
	change(parts)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range parts {
		f, err := w.Create(strings.TrimSuffix(name, "#twice"))
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAFileThatWasAlteredDoesNotHold(t *testing.T) {
	raw := written(t)
	replace := func(part, from, to string) func(map[string]string) {
		return func(p map[string]string) {
			if !strings.Contains(p[part], from) {
				panic(part + " has no " + from)
			}
			p[part] = strings.Replace(p[part], from, to, 1)
		}
	}
	for name, c := range map[string]struct {
		change func(map[string]string)
		want   error
	}{
		"nothing but the packing": {func(map[string]string) {}, nil},
		"a fact":                  {replace("case.json", "ERIKSSON", "ERIKSEN"), audit.ErrTampered},
		"the page":                {replace("case.html", "Approved", "Declined"), audit.ErrTampered},
		"a picture":               {replace("pictures/01_selfie.jpg", "a", "b"), audit.ErrTampered},
		"a part is missing":       {func(p map[string]string) { delete(p, "case.html") }, audit.ErrTampered},
		"a part is added":         {func(p map[string]string) { p["more.html"] = "" }, audit.ErrTampered},
		"a part is there twice":   {func(p map[string]string) { p["case.html#twice"] = p["case.html"] }, audit.ErrTampered},
		"the manifest":            {replace("manifest.json", "2024", "2025"), audit.ErrTampered},
		"a part and the manifest": {func(p map[string]string) {
			before := partOf("", []byte(p["case.html"])).SHA256
			replace("case.html", "Approved", "Declined")(p)
			replace("manifest.json", before, partOf("", []byte(p["case.html"])).SHA256)(p)
		}, audit.ErrTampered},
		"an entry": {replace("proof.json", "key_1", "key_2"), audit.ErrTampered},
		"an entry is left out": {func(p map[string]string) {
			cut := p["proof.json"]
			from := strings.Index(cut, `"entries": [`) + 12
			p["proof.json"] = cut[:from] + cut[strings.Index(cut, "},\n")+2:]
		}, audit.ErrTampered},
		"the root":                   {replace("proof.json", `"root": "`, `"root": "AAAA`), audit.ErrNotReadable},
		"no proof at all":            {func(p map[string]string) { delete(p, "proof.json") }, audit.ErrNotReadable},
		"a manifest of a later form": {replace("manifest.json", "manifest-1", "manifest-2"), audit.ErrNotReadable},
		"the proof is none":          {func(p map[string]string) { p["proof.json"] = "hello" }, audit.ErrTampered},
		"the manifest says more":     {replace("manifest.json", "{", `{"approved": true,`), audit.ErrTampered},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := verify(rezip(t, raw, c.change)); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	if _, err := verify(raw[:len(raw)-30]); !errors.Is(err, audit.ErrNotReadable) {
		t.Errorf("cut off: %v", err)
	}
}

// TestNoByteOfAFileSaysSomethingElse changes each byte of the archive: it either does not hold, or says what it said.
func TestNoByteOfAFileSaysSomethingElse(t *testing.T) {
	raw := written(t)
	before, _ := verify(raw)
	for i := range raw {
		changed := bytes.Clone(raw)
		changed[i] ^= 0x10
		after, err := verify(changed)
		if err == nil && strings.Join(after.Statements, "\n") != strings.Join(before.Statements, "\n") {
			t.Fatalf("byte %d makes it say %q", i, after.Statements)
		}
	}
}

func TestThePageEscapesWhatSomebodyWrote(t *testing.T) {
	raw, err := page(content())
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, bad := range []string{"<script", "<img src=x", "<b>Lindqvist", "</table><script"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, good := range []string{
		"ERIKSSON", "false match 0.01 %, measured on real people (a set)", "Do selfie and portrait show the same person?", "Not run", "ab12", "Given",
		"Do the sources agree?", "Could not be opened, and is not in this file.", "0bad",
		"the passport agrees", "and so does the picture", "first of two", "twins",
	} {
		if !strings.Contains(text, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
	if *show != "" {
		if err := os.WriteFile(*show, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var show = flag.String("show", "", "write the page to this file")

func FuzzVerify(f *testing.F) {
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		if held, err := verify(raw); err == nil {
			t.Fatalf("without the log's key this holds: %+v", held)
		}
	})
}
