// Command trustfiles writes the files of invented states into a folder: the certificate of an authority, two master lists, a revocation
// list, an EF.SOD, and the authority of a wallet's issuer. The suites of the browser upload them.
package main

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
)

const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: trustfiles FOLDER")
		os.Exit(2)
	}
	for name, raw := range files(time.Now()) {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), raw, 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// files returns what is written, by name, made for a moment.
func files(now time.Time) map[string][]byte {
	day := func(n int) time.Time { return now.AddDate(0, 0, n) }
	root := func(country string, number int, until time.Time) *emrtdtest.Holder {
		return emrtdtest.NewRoot(emrtdtest.Template{
			Serial: int64(100 + number), Country: country, CA: true, From: now.AddDate(-3, 0, 0), To: until,
		}, emrtdtest.NewKey(kind, number))
	}
	far := now.AddDate(8, 0, 0)
	de, fr, nl, no, it := root("DE", 1, far), root("FR", 2, far), root("NL", 3, day(40)), root("NO", 4, day(-20)), root("IT", 5, far)
	lister := de.Issue(emrtdtest.Template{
		Name: "Master List Signer", Extended: []string{pki.MasterListSigning}, From: now.AddDate(-1, 0, 0), To: now.AddDate(1, 0, 0),
	}, emrtdtest.NewKey(kind, 7))
	signer := it.Issue(emrtdtest.Template{From: now.AddDate(-1, 0, 0), To: now.AddDate(5, 0, 0)}, emrtdtest.NewKey(kind, 8))
	return map[string][]byte{
		"csca-germany.cer": de.Raw,
		"DE_ML_older.ml":   lister.MasterList(day(-150), de, fr, nl, no),
		"DE_ML_newer.ml":   lister.MasterList(day(-2), de, fr, nl, it),
		"germany.crl":      de.CRL(day(-1), day(5), 12, 13),
		"EF.SOD.italy":     signer.SOD(emrtdtest.Chip(), emrtdtest.Signing{Time: day(-30)}),
		"pid-ca.pem":       pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root("UT", 9, far).Raw}),
	}
}
