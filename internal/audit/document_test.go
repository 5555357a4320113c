package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"
)

var update = flag.Bool("update", false, "write the golden files")

// documents are one of each kind, from a log of 13 entries.
func documents(t *testing.T) map[string][]byte {
	t.Helper()
	pub, priv := fixedKeys()
	m := grow(t, priv, 5, 8)
	out := map[string][]byte{}
	add := func(name string, v any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = raw
	}
	p, err := Prove(m.entries[6], m.checkpoints[1], m, pub)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Document()
	add("entry", d, err)
	add("checkpoint", m.checkpoints[1].Document(pub), nil)
	g, err := ProveGrowth(m.checkpoints[0], m.checkpoints[1], m, pub)
	add("consistency", g.Document(), err)
	add("receipt", receiptOf(t), nil)
	return out
}

// receiptOf is the receipt of an erasing, as the API answers it.
func receiptOf(t *testing.T) map[string]any {
	t.Helper()
	pub, priv := fixedKeys()
	statement := `{"format":"bonafide-erasure-1","session":"ses_1","scope":"all","erased_at":"2024-03-01T10:00:00Z"}`
	sum := sha256.Sum256([]byte(statement))
	digest := "sha256:" + hex.EncodeToString(sum[:])
	e := Entry{ID: "aud_1", At: time.Unix(1_700_000_000, 0), Actor: User, ActorID: "usr_1", Action: "session.erased", Session: "ses_1", Subject: digest}
	m := &memory{entries: []Entry{e}}
	var root tlog.Hash
	var err error
	if m.hashes, root, err = Append(0, m.entries, m); err != nil {
		t.Fatal(err)
	}
	c := Sign(1, root, time.Unix(1_700_000_100, 0), priv)
	leaf, err := e.Leaf()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"session": "ses_1", "erased_at": "2024-03-01T10:00:00Z", "finished_at": nil, "statement": json.RawMessage(statement), "statement_digest": digest,
		"audit": map[string]any{"entry": json.RawMessage(leaf), "position": 0, "proof": map[string]any{
			"size": 1, "root": encodeBase64(c.Root[:]), "hashes": []string{},
			"signature": encodeBase64(c.Signature), "public_key": encodeBase64(pub), "signed_at": "2024-03-01T10:00:01Z",
		}},
	}
}

func TestDocumentsHold(t *testing.T) {
	pub, _ := fixedKeys()
	for name, raw := range documents(t) {
		t.Run(name, func(t *testing.T) {
			held, err := CheckDocument(raw)
			if err != nil || !held.Key.Equal(pub) || len(held.Statements) == 0 {
				t.Fatalf("got %+v, %v", held, err)
			}
			golden(t, filepath.Join("testdata", name+".json"), raw)
		})
	}
}

// golden compares with a file that the console's tests read, too.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
		t.Errorf("-%s +got:\n%s", path, diff)
	}
}

// TestNoByteOfADocumentCanBeAltered changes every byte in several ways. What still holds must say what it said before.
func TestNoByteOfADocumentCanBeAltered(t *testing.T) {
	for name, raw := range documents(t) {
		t.Run(name, func(t *testing.T) {
			before, err := CheckDocument(raw)
			if err != nil {
				t.Fatal(err)
			}
			refused := 0
			every := 1
			if testing.Short() {
				every = 7 // the others by night
			}
			tried := 0
			for i := 0; i < len(raw); i += every {
				tried++
				for _, b := range []byte{raw[i] ^ 1, raw[i] ^ 0x20, '0', ' '} {
					if b == raw[i] {
						continue
					}
					changed := append([]byte{}, raw...)
					changed[i] = b
					after, err := CheckDocument(changed)
					switch {
					case err != nil:
						refused++
					case cmp.Diff(before, after) != "":
						t.Fatalf("byte %d (%q for %q) makes it say %v", i, b, raw[i], after.Statements)
					}
				}
			}
			if refused < tried {
				t.Errorf("only %d changes of %d bytes were refused", refused, tried)
			}
		})
	}
}

func TestADocumentOfAnotherKindOrLogIsRefused(t *testing.T) {
	docs := documents(t)
	swap := func(name, from, to string) []byte { return []byte(strings.Replace(string(docs[name]), from, to, 1)) }
	for name, c := range map[string]struct {
		raw  []byte
		want error
	}{
		"not JSON":                         {[]byte("hello"), ErrNotReadable},
		"a later format":                   {swap("entry", "entry-proof-1", "entry-proof-9"), ErrNotReadable},
		"an unknown field":                 {swap("entry", `{"format"`, `{"approved":true,"format"`), ErrNotReadable},
		"something behind it":              {append(append([]byte{}, docs["entry"]...), '{', '}'), ErrNotReadable},
		"an entry with another action":     {swap("entry", "session.created", "session.deleted"), ErrTampered},
		"an entry at another position":     {swap("entry", `"position":6`, `"position":7`), ErrTampered},
		"a checkpoint of another size":     {swap("checkpoint", `"size":13`, `"size":14`), ErrTampered},
		"an older checkpoint of that size": {swap("consistency", `"size":5`, `"size":6`), ErrTampered},
		"another statement":                {swap("receipt", `"scope":"all"`, `"scope":"pictures"`), ErrTampered},
		"a receipt of another session":     {swap("receipt", `"session":"ses_1"`, `"session":"ses_2"`), ErrTampered},
		"a receipt without its proof": {
			[]byte(`{"session":"ses_1","statement":{},"statement_digest":"x","audit":{"entry":{},"position":null,"proof":null}}`), ErrNotReadable,
		},
		"too many hashes": {swap("entry", `"hashes":[`, `"hashes":[`+strings.Repeat(`"",`, 200)), ErrNotReadable},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := CheckDocument(c.raw); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnInspectionTellsWhatWasDoneToWhichPosition(t *testing.T) {
	pub, priv := fixedKeys()
	_, stranger := keys(t)
	other := grow(t, priv, 1, 2)
	for name, c := range map[string]struct {
		spoil func(*memory)
		kept  []Checkpoint
		want  []string
	}{
		"an untouched log":    {func(*memory) {}, nil, nil},
		"an entry is changed": {func(m *memory) { m.entries[4].Action = "session.approved" }, nil, []string{"4: the entry was altered"}},
		"an entry is removed": {func(m *memory) { m.entries = append(m.entries[:3], m.entries[4:]...) }, nil, []string{"3: the entry was removed"}},
		"three entries are removed": {
			func(m *memory) { m.entries = append(m.entries[:2], m.entries[5:]...) }, nil, []string{"2: the entries up to position 4 were removed"},
		},
		"the last entries are gone": {func(m *memory) { m.entries = m.entries[:9] }, nil, []string{"9: the entries up to position 10 were removed"}},
		"two entries change places": {func(m *memory) {
			m.entries[1], m.entries[2] = m.entries[2], m.entries[1]
			m.entries[1].Position, m.entries[2].Position = 1, 2
		}, nil, []string{"1: this is the entry of position 2", "2: this is the entry of position 1"}},
		"an entry is changed with its hash": {func(m *memory) {
			m.entries[7].Action = "session.approved"
			leaf, _ := m.entries[7].Leaf()
			m.hashes[tlog.StoredHashIndex(0, 7)] = tlog.RecordHash(leaf)
		}, nil, []string{
			"6: somewhere from here to position 10 entries and their stored hashes do not give the root of the checkpoint of size 11",
			"7: the stored hashes of the tree do not follow from its leaves here: proofs would fail",
		}},
		"a checkpoint by another key": {
			func(m *memory) { k := &m.checkpoints[0]; *k = Sign(k.Size, k.Root, k.At, stranger) }, nil,
			[]string{"5: the checkpoint of size 6 is not signed by the log's key"},
		},
		"the newest checkpoint is removed": {
			func(m *memory) { m.checkpoints = m.checkpoints[:1] }, nil, []string{"6: entries have positions that no checkpoint covers"},
		},
		"a hash inside the tree is changed": {
			func(m *memory) { m.hashes[tlog.StoredHashIndex(2, 1)][0] ^= 1 }, nil,
			[]string{"7: the stored hashes of the tree do not follow from its leaves here: proofs would fail"},
		},
		"the end is cut off and signed": {
			func(m *memory) { m.entries, m.checkpoints = m.entries[:6], m.checkpoints[:1] }, []Checkpoint{{Size: 11}},
			[]string{"6: the log is shorter than the checkpoint of 11 entries that was kept: its end is missing"},
		},
		"another log than the one kept": {
			func(*memory) {}, other.checkpoints[1:],
			[]string{"0: somewhere from here to position 2 entries and their stored hashes do not give the root of the checkpoint of size 3"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := grow(t, priv, 6, 5)
			c.spoil(m)
			in, err := Inspect(context.Background(), m, pub, time.Unix(1_800_000_000, 0), c.kept...)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range in.Faults {
				got = append(got, jsonNumber(f.Position)+": "+f.Says)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if len(c.want) == 0 && (in.Proven != 11 || in.Checkpoints != 2) {
				t.Errorf("got %+v", in)
			}
		})
	}
}

func jsonNumber(n int64) string { raw, _ := json.Marshal(n); return string(raw) }

func FuzzDocument(f *testing.F) {
	for _, name := range []string{"entry", "checkpoint", "consistency", "receipt"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	pub, _ := fixedKeys()
	says := map[string]bool{}
	f.Fuzz(func(t *testing.T, raw []byte) {
		held, err := CheckDocument(raw)
		if err == nil && held.Key.Equal(pub) { // whoever lacks the key makes nothing new that holds
			for _, one := range held.Statements {
				says[one] = true
			}
			if len(says) > 16 {
				t.Fatalf("the key signed only few things, but these hold: %v", says)
			}
		}
	})
}
