package archive

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var at = time.Date(2026, 2, 3, 4, 5, 6, 789000, time.UTC)

func mac(sum []byte) (string, error) { return "k" + hex.EncodeToString(sum), nil }

func write(t testing.TB, w io.Writer) Foot {
	t.Helper()
	a, err := NewWriter(w, Head{Kind: Data, ID: "b1", MadeAt: at, Schema: 15, Engine: "sqlite", Deployment: []byte{1, 2}}, mac)
	if err != nil {
		t.Fatal(err)
	}
	a.Missing()
	err = errors.Join(
		a.Table(Table{Name: "sessions", Columns: []string{"a", "b", "c"}}),
		a.Row(Row{"ses_1", int64(-7), nil}), a.Row(Row{true, []byte{0, 255}, at}), a.Row(Row{"", int64(0), time.Time{}}),
		a.Blob(Blob{Name: "ses_1/cap_1", Size: 200_000}, bytes.NewReader(bytes.Repeat([]byte("x"), 200_000))),
		a.Blob(Blob{Name: "ses_1/cap_2"}, strings.NewReader("")),
		a.Table(Table{Name: "empty", Columns: []string{"a"}}))
	if err != nil {
		t.Fatal(err)
	}
	foot, err := a.Close()
	if err != nil {
		t.Fatal(err)
	}
	return foot
}

func TestAnArchiveIsReadAsItWasWritten(t *testing.T) {
	var buf bytes.Buffer
	foot := write(t, &buf)
	if diff := cmp.Diff(Foot{Rows: 3, Blobs: 2, Bytes: 200_000, Missing: 1}, foot); diff != "" {
		t.Errorf("foot (-want +got):\n%s", diff)
	}
	r, err := NewReader(&buf)
	if err != nil {
		t.Fatal(err)
	}
	r.Trust(mac)
	var got []any
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := item.(Blob); ok && b.Size > 0 {
			content, err := io.ReadAll(r)
			if err != nil || len(content) != 200_000 || strings.Trim(string(content), "x") != "" {
				t.Fatalf("%d bytes of a blob, %v", len(content), err)
			}
		}
		got = append(got, item)
	}
	want := []any{
		Table{"sessions", []string{"a", "b", "c"}}, Row{"ses_1", int64(-7), nil}, Row{true, []byte{0, 255}, at}, Row{"", int64(0), time.Time{}},
		Blob{"ses_1/cap_1", 200_000}, Blob{"ses_1/cap_2", 0}, Table{"empty", []string{"a"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Head{Data, "b1", at, 15, "sqlite", []byte{1, 2}}, r.Head()); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
}

func verify(raw []byte) error {
	r, err := NewReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Trust(mac)
	_, err = Verify(r)
	return err
}

func TestNoByteOfAnArchiveCanBeChangedOrLeftOut(t *testing.T) {
	var buf bytes.Buffer
	write(t, &buf)
	whole := buf.Bytes()
	if err := verify(whole); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i++ {
		if i == 1000 {
			i = len(whole) - 400 // the middle is a blob of one letter
		}
		changed := bytes.Clone(whole)
		changed[i] ^= 0x41
		if err := verify(changed); err == nil {
			t.Fatalf("byte %d was changed, and nobody saw it", i)
		}
		if err := verify(whole[:i]); err == nil {
			t.Fatalf("it was cut at %d, and nobody saw it", i)
		}
	}
	if err := verify(append(bytes.Clone(whole), 0)); !errors.Is(err, ErrBroken) {
		t.Errorf("something follows: %v", err)
	}
	r, err := NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	r.Trust(func([]byte) (string, error) { return "another key", nil })
	if _, err := Verify(r); !errors.Is(err, ErrBroken) {
		t.Errorf("sealed by another: %v", err)
	}
}

func TestAnArchiveIsEncryptedToItsRecipient(t *testing.T) {
	dir := t.TempDir()
	file, recipient, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	mine, others := filepath.Join(dir, "mine"), filepath.Join(dir, "others")
	other, _, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "recipients")
	if err := errors.Join(os.WriteFile(mine, []byte(file), 0o600), os.WriteFile(others, []byte(other), 0o600),
		os.WriteFile(list, []byte("# whom\n"+recipient+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	to, err := Recipients([]string{"@" + list})
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w, err := Encrypt(&buf, to)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	raw := buf.Bytes()
	if bytes.Contains(raw, []byte("ses_1")) {
		t.Error("it is not encrypted")
	}
	open := func(raw []byte, path string) error {
		by, err := Identities(path)
		if err != nil {
			return err
		}
		plain, err := Decrypt(bytes.NewReader(raw), by)
		if err != nil {
			return err
		}
		r, err := NewReader(plain)
		if err != nil {
			return err
		}
		r.Trust(mac)
		_, err = Verify(r)
		return err
	}
	if err := open(raw, mine); err != nil {
		t.Errorf("with its identity: %v", err)
	}
	chunk := 64<<10 + 16
	begin := len(raw) - (len(raw) % chunk) - 2*chunk
	swapped := bytes.Clone(raw)
	copy(swapped[begin:], raw[begin+chunk:begin+2*chunk])
	copy(swapped[begin+chunk:], raw[begin:begin+chunk])
	for name, c := range map[string]struct {
		raw  []byte
		path string
		says string
	}{
		"another identity":         {raw, others, "encrypted to somebody else"},
		"no identity":              {raw, list, "holds no private key"},
		"a file that is not there": {raw, filepath.Join(dir, "none"), "--identity"},
		"not encrypted":            {[]byte(Format), mine, "not a backup"},
		"cut at a chunk":           {raw[:len(raw)-len(raw)%chunk], mine, "damaged"},
		"parts swapped":            {swapped, mine, "damaged"},
		"the last byte changed":    {append(bytes.Clone(raw[:len(raw)-1]), raw[len(raw)-1]^1), mine, "damaged"},
		"something after the end":  {append(bytes.Clone(raw), 0), mine, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := open(c.raw, c.path); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "SECRET-KEY-1") {
				t.Errorf("got %v, want %q in it", err, c.says)
			}
		})
	}
	for _, list := range [][]string{nil, {"age1nonsense"}, {"@" + filepath.Join(dir, "none")}, {"@" + mine}} {
		if _, err := Recipients(list); err == nil || !strings.Contains(err.Error(), "--recipient") {
			t.Errorf("recipients %q: %v", list, err)
		}
	}
}

// FuzzReader: whatever a file holds, it is read or refused, and what is accepted carries the seal.
func FuzzReader(f *testing.F) {
	var buf bytes.Buffer
	a, err := NewWriter(&buf, Head{Kind: Keys}, mac)
	if err != nil {
		f.Fatal(err)
	}
	if err := errors.Join(
		a.Table(Table{Name: "t", Columns: []string{"a", "b"}}), a.Row(Row{int64(1), at}), a.Blob(Blob{"n", 3}, strings.NewReader("abc")),
	); err != nil {
		f.Fatal(err)
	}
	if _, err := a.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte(Format))
	f.Add([]byte(Format + "H\x00\x00\x00\x01\xa0R\xff\xff\xff\xff"))
	whole := bytes.Clone(buf.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		if err := verify(raw); err == nil && len(raw) < len(Format)+5 {
			t.Fatalf("%d bytes were accepted", len(raw))
		}
		if len(raw) == len(whole) && !bytes.Equal(raw, whole) && bytes.Equal(raw[len(raw)-64:], whole[len(whole)-64:]) && verify(raw) == nil {
			t.Fatal("another content under the same seal")
		}
	})
}
