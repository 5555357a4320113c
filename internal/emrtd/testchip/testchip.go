// Package testchip is the chip of test mode: a state that signs documents that belong to nobody, and their chips. Its keys are derived from
// names that everybody can read. Every server has the same keys, and none of them is secret. A server that trusted this state would trust
// everybody, so only sessions in test mode do (Trust).
package testchip

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// Choice is what kind of chip it is.
type Choice string

// The choices.
const (
	Genuine   Choice = "genuine"    // says what the page says, and proves that it is no copy
	OtherName Choice = "other_name" // of somebody of another name
	OtherFace Choice = "other_face" // with the portrait of somebody else
	Copy      Choice = "copy"       // the files of a genuine chip, without its secret keys
	Changed   Choice = "changed"    // somebody changed the zone after the state had signed it
	Untrusted Choice = "untrusted"  // signed by a state that nobody trusts
)

// Chip is the chip of a document of Utopia.
type Chip struct {
	Choice Choice
	Zone   []string // of the page: the lines of a passport or an identity card of Utopia
	Now    time.Time
}

// AccessNumber is the card access number of every such chip.
const AccessNumber = "123456"

const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"

// The numbers of keys.
const (
	stateKey = 4201 + iota
	signerKey
	otherStateKey
	activeKey
	agreementKey
)

// agreement and paceProtocol are how such a chip agrees on keys: with AES-128 (BSI TR-03110-3 annex A).
const (
	agreement    = 2
	paceProtocol = "0.4.0.127.0.7.2.2.4.2.2" // PACE, generic mapping, ECDH, AES-128
	paceCurve    = 12                        // NIST P-256
	activeBy     = "0.4.0.127.0.7.1.1.4.1.3" // ecdsa-plain-SHA256 (BSI TR-03111)
)

// Files returns the files of the chip: EF.COM, EF.SOD, DG1, DG2, DG14 and DG15. An error says which field of the zone cannot be written.
func (c Chip) Files() (map[lds.File][]byte, error) {
	zone, err := c.zone()
	if err != nil {
		return nil, err
	}
	files := map[lds.File][]byte{
		"DG1": emrtdtest.DG1(zone...), "DG2": emrtdtest.DG2(c.portrait()),
		"DG14": emrtdtest.Security(
			emrtdtest.ActiveInfo(activeBy), emrtdtest.ChipKeyInfo(emrtdtest.NewKey(kind, agreementKey), -1), emrtdtest.ChipInfo(fmt.Sprint(agreement), -1),
		),
		"DG15": emrtdtest.DG15(emrtdtest.NewKey(kind, activeKey)),
	}
	files[lds.COM] = emrtdtest.COM(files)
	signed := maps.Clone(files)
	if c.Choice == Changed {
		signed["DG1"] = emrtdtest.DG1(c.Zone...)
	}
	files[lds.SOD] = c.signer().SOD(signed, emrtdtest.Signing{Time: c.Now.AddDate(0, -1, 0)})
	return files, nil
}

// Answer returns what the chip answers to a challenge of Active Authentication; nil for a copy, which cannot.
func (c Chip) Answer(challenge []byte) []byte {
	if c.Choice == Copy {
		return nil
	}
	return emrtdtest.NewKey(kind, activeKey).Answer(challenge)
}

// Card returns the chip for a reader: with PACE, Basic Access Control and secure messaging. The zone on the page opens it, and AccessNumber.
func (c Chip) Card() (*chiptest.Chip, error) {
	files, err := c.Files()
	if err != nil {
		return nil, err
	}
	page, err := mrz.Parse(c.Zone)
	if err != nil {
		return nil, err
	}
	config := chiptest.Config{
		Files: files, Number: page.Number, Birth: string(page.BirthDate), Expiry: string(page.ExpiryDate), CAN: AccessNumber,
		PACE: paceProtocol, Curve: paceCurve, ActiveKey: emrtdtest.NewKey(kind, activeKey), ChipKey: emrtdtest.NewKey(kind, agreementKey), ChipSuite: agreement,
	}
	if c.Choice == Copy {
		config.ActiveKey, config.ChipKey = nil, nil
	}
	return chiptest.New(config), nil
}

// zone returns the lines in the chip.
func (c Chip) zone() ([]string, error) {
	d, err := mrz.Parse(c.Zone)
	if err != nil {
		return nil, fmt.Errorf("read the page's zone: %w", err)
	}
	if c.Choice != OtherName && c.Choice != Changed {
		return slices.Clone(c.Zone), nil
	}
	d.Surname = "SOMEBODY ELSE"
	return mrz.Write(d)
}

func (c Chip) portrait() []byte {
	if c.Choice == OtherFace {
		return persona.OtherFace()
	}
	return persona.Face()
}

// state returns the authority of Utopia, or of one that nobody trusts.
func (c Chip) state() *emrtdtest.Holder {
	if c.Choice == Untrusted {
		return authority(otherStateKey)
	}
	return authority(stateKey)
}

// signer returns who signs the state's documents.
func (c Chip) signer() *emrtdtest.Holder {
	return c.state().Issue(emrtdtest.Template{From: c.Now.AddDate(-1, 0, 0), To: c.Now.AddDate(9, 0, 0)}, emrtdtest.NewKey(kind, signerKey))
}

// founded is the day from which the authority is valid.
var founded = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

func authority(key int) *emrtdtest.Holder {
	return emrtdtest.NewRoot(emrtdtest.Template{
		Serial: int64(key), Country: "UT", CA: true, From: founded, To: founded.AddDate(40, 0, 0),
	}, emrtdtest.NewKey(kind, key))
}
