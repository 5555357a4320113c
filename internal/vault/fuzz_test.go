package vault

import (
	"bytes"
	"testing"
)

// FuzzOpen: whatever lies in the keysets table, Open answers or refuses.
func FuzzOpen(f *testing.F) {
	text, err := NewMaster()
	if err != nil {
		f.Fatal(err)
	}
	m, err := parseMaster(text)
	if err != nil {
		f.Fatal(err)
	}
	_, wrapped, err := m.NewKeyset("ses_a", Facts)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wrapped)
	f.Add([]byte(`{"aead":"AAAA"}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		k, err := m.Open("ses_a", Facts, raw)
		if err == nil && k.aead == nil {
			t.Fatal("half a keyset opened")
		}
	})
}

// FuzzMaster: whatever a key file holds, parsing answers or refuses.
func FuzzMaster(f *testing.F) {
	text, err := NewMaster()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(masterPrefix)
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		if m, err := parseMaster(s); err == nil && m.aead == nil {
			t.Fatal("half a master key")
		}
	})
}

// FuzzUnsealBlob: only what was sealed opens.
func FuzzUnsealBlob(f *testing.F) {
	text, err := NewMaster()
	if err != nil {
		f.Fatal(err)
	}
	m, err := parseMaster(text)
	if err != nil {
		f.Fatal(err)
	}
	k, _, err := m.NewKeyset("ses_a", Pictures)
	if err != nil {
		f.Fatal(err)
	}
	var sealed bytes.Buffer
	if err := k.sealBlob(&sealed, "a", []byte("picture")); err != nil {
		f.Fatal(err)
	}
	f.Add(sealed.Bytes())
	f.Add(sealed.Bytes()[:20])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		plain, err := k.unsealBlob(bytes.NewReader(raw), "a")
		if err == nil && string(plain) != "picture" {
			t.Fatalf("%q opened", plain)
		}
	})
}
