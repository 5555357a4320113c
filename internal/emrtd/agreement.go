package emrtd

import (
	"math/big"

	"github.com/bonafide-id/bonafide/internal/apdu"
)

// Agreement is a run of Chip Authentication: with the terminal's secret, and the chip's first answer under the key that was agreed on, it can
// be computed again.
type Agreement struct {
	Protocol string `json:"protocol"` // object identifier
	KeyID    int    `json:"key_id"`   // of the chip's key in DG14; -1 where there is one
	Secret   []byte `json:"secret"`   // the terminal's private key
	Answer   []byte `json:"answer"`   // as received; empty where none was protected by the key
}

// checkAgreement verifies that the chip has the private key of one in DG14, which counts only if EF.SOD lists it (ICAO 9303-11 section
// 6.2): it protected an answer with the key that follows from its own and the terminal's secret.
func (r *Report) checkAgreement(a Agreement) {
	if r.Groups["DG14"] != Matches || r.Security == nil {
		r.refuse(AgreementFailed, "there is no signed key of Chip Authentication")
		return
	}
	suite, key := r.Security.Chip(a.Protocol, a.KeyID)
	if suite == 0 || key == nil {
		r.refuse(AgreementFailed, "DG14 has no such key of Chip Authentication")
		return
	}
	secret := new(big.Int).SetBytes(a.Secret)
	if secret.Sign() == 0 || secret.Cmp(key.Curve.N) >= 0 {
		r.refuse(AgreementFailed, "the terminal's key is none of the curve")
		return
	}
	shared, err := key.Times(secret)
	if err != nil || !apdu.Proves(suite, shared.Coordinate(), a.Answer) {
		r.refuse(AgreementFailed, "the chip could not use the key that the state signed")
		return
	}
	r.ByAgreement = true
}
