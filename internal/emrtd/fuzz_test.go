package emrtd_test

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
)

// FuzzVerify sends a changed file beside those of a sound chip: nothing crashes, and nothing but the sound file is authentic.
func FuzzVerify(f *testing.F) {
	u := newUtopia(f, sound, usual)
	for _, raw := range u.files {
		f.Add(raw)
	}
	f.Add(emrtdtest.DG2Block(emrtdtest.Portrait()))
	f.Add(emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3"))
	f.Add(emrtdtest.DG15(emrtdtest.NewKey(sound, 30)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		name, _, err := lds.Open(raw)
		if err != nil {
			return
		}
		files := emrtd.Files{}
		for other, sound := range u.files {
			files[other] = sound
		}
		files[name] = raw
		r := emrtd.Verify(files, u.store, emrtd.Options{Now: emrtdtest.Now})
		if r.Authentic && name != lds.SOD && name != lds.COM && string(raw) != string(u.files[name]) {
			t.Errorf("a changed %s is authentic", name)
		}
	})
}
