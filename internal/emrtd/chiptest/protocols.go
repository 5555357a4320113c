//nolint:staticcheck // PACE adds points and changes the base: no other interface of the standard library does
package chiptest

import (
	"bytes"
	"crypto/elliptic"
	"math/big"

	"github.com/ProtonMail/go-crypto/brainpool"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
)

// challenge is GET CHALLENGE.
func (c *Chip) challenge(cmd command) []byte {
	if c.NoBasic || c.Open || !c.document || cmd.le != 8 {
		return unknown
	}
	if len(c.Challenge) >= 8 {
		c.rnd = c.Challenge[:8]
	} else {
		c.rnd = c.draw(8)
	}
	return append(bytes.Clone(c.rnd), ok...)
}

// mutual is MUTUAL AUTHENTICATE, the end of Basic Access Control.
func (c *Chip) mutual(cmd command) []byte {
	if c.Blocked {
		return blocked
	}
	if c.rnd == nil || len(cmd.data) != 40 {
		return unmet
	}
	seed := c.zone()[:16]
	enc, key := block(1, kdf(1, seed, 1)), kdf(1, seed, 2)
	if !bytes.Equal(mac(1, key, cmd.data[:32]), cmd.data[32:]) {
		return failed
	}
	plain := cbc(enc, make([]byte, 8), cmd.data[:32], false)
	theirs, own, half := plain[:8], plain[8:16], plain[16:]
	if !bytes.Equal(own, c.rnd) {
		return failed
	}
	mine := c.draw(16)
	if len(c.Challenge) == 24 {
		mine = c.Challenge[8:]
	}
	secret := cbc(enc, make([]byte, 8), append(append(bytes.Clone(c.rnd), theirs...), mine...), true)
	shared := make([]byte, 16)
	for i := range shared {
		shared[i] = half[i] ^ mine[i]
	}
	c.sm = newSession(1, shared, append(bytes.Clone(c.rnd[4:]), theirs[4:]...))
	c.granted, c.rnd = true, nil
	return append(append(secret, mac(1, key, secret)...), ok...)
}

// curves by number.
var curves = map[int]elliptic.Curve{
	10: elliptic.P224(), 12: elliptic.P256(), 13: brainpool.P256r1(), 15: elliptic.P384(), 16: brainpool.P384r1(), 17: brainpool.P512r1(), 18: elliptic.P521(),
}

// paceRun is a run of PACE.
type paceRun struct {
	curve    elliptic.Curve
	key      []byte // of the password
	nonce    []byte
	gx, gy   *big.Int // mapped base point
	own      []byte   // public keys of the agreement
	theirs   []byte
	shared   []byte
	step     int
	protocol []byte
}

func point(curve elliptic.Curve, x, y *big.Int) []byte {
	n := (curve.Params().BitSize + 7) / 8
	return append(append([]byte{4}, x.FillBytes(make([]byte, n))...), y.FillBytes(make([]byte, n))...)
}

// onCurve reads a point that is on the curve.
func onCurve(curve elliptic.Curve, raw []byte) (x, y *big.Int, fits bool) {
	n := (curve.Params().BitSize + 7) / 8
	if len(raw) != 1+2*n || raw[0] != 4 {
		return nil, nil, false
	}
	x, y = new(big.Int).SetBytes(raw[1:1+n]), new(big.Int).SetBytes(raw[1+n:])
	return x, y, curve.IsOnCurve(x, y)
}

func (c *Chip) scalar(curve elliptic.Curve, at int) *big.Int {
	if at < len(c.Scalars) {
		return c.Scalars[at]
	}
	n := new(big.Int).SetBytes(c.draw((curve.Params().N.BitLen() + 15) / 8))
	n.Mod(n, new(big.Int).Sub(curve.Params().N, big.NewInt(1)))
	return n.Add(n, big.NewInt(1))
}

// environment is MANAGE SECURITY ENVIRONMENT: the choice of PACE or of Chip Authentication.
func (c *Chip) environment(cmd command) []byte {
	all, fits := objects(cmd.data)
	if !fits {
		return badData
	}
	switch {
	case cmd.p1 == 0xC1 && cmd.p2 == 0xA4:
		return c.choosePACE(all)
	case cmd.p1 == 0x41 && cmd.p2 == 0xA6 && c.ChipKey != nil && c.ChipSuite == 1 && c.granted:
		return c.agree(find(all, 0x91))
	case cmd.p1 == 0x41 && cmd.p2 == 0xA4 && c.ChipKey != nil && c.ChipSuite > 1 && c.granted:
		want := emrtdtest.OID("0.4.0.127.0.7.2.2.3.2." + string(rune('0'+c.ChipSuite)))
		if !bytes.Equal(find(all, 0x80), want[2:]) {
			return badData
		}
		c.chipKey = true
		return ok
	}
	return wrongP1P2
}

func (c *Chip) choosePACE(all []object) []byte {
	if c.PACE == "" || !bytes.Equal(find(all, 0x80), emrtdtest.OID(c.PACE)[2:]) {
		return badData
	}
	password := c.zone()
	if ref := find(all, 0x83); len(ref) != 1 || ref[0] < 1 || ref[0] > 2 || ref[0] == 2 && c.CAN == "" {
		return noReference
	} else if ref[0] == 2 {
		password = []byte(c.CAN)
	}
	if id := find(all, 0x84); id != nil && (len(id) != 1 || int(id[0]) != c.Curve) {
		return badData
	}
	c.pace = &paceRun{curve: curves[c.Curve], key: kdf(suiteOf(c.PACE), password, 3), protocol: find(all, 0x80)}
	return ok
}

// general is GENERAL AUTHENTICATE.
func (c *Chip) general(cmd command) []byte {
	outer, fits := objects(cmd.data)
	if !fits || len(outer) != 1 || outer[0].tag != 0x7C {
		return badData
	}
	all, fits := objects(outer[0].content)
	if !fits {
		return badData
	}
	if c.chipKey {
		c.chipKey = false
		if status := c.agree(find(all, 0x80)); !bytes.Equal(status, ok) {
			return status
		}
		return append(do(0x7C, nil), ok...)
	}
	if c.pace == nil {
		return unmet
	}
	p := c.pace
	p.step++
	var answer []byte
	switch p.step {
	case 1:
		answer = c.sendNonce(p)
	case 2:
		answer = c.mapNonce(p, find(all, 0x81))
	case 3:
		answer = c.agreePACE(p, find(all, 0x83))
	case 4:
		answer = c.authenticatePACE(p, find(all, 0x85))
		c.pace = nil
	}
	if len(answer) == 2 || len(answer) == 0 { // a status
		c.pace = nil
		return append(answer, make([]byte, 0)...)
	}
	return append(do(0x7C, answer), ok...)
}

func (c *Chip) sendNonce(p *paceRun) []byte {
	suite := suiteOf(c.PACE)
	b := block(suite, p.key)
	n := 16
	if suite >= 3 {
		n = 32
	}
	if p.nonce = c.Nonce; p.nonce == nil {
		p.nonce = c.draw(n)
	}
	return do(0x80, cbc(b, make([]byte, b.BlockSize()), p.nonce, true))
}

func (c *Chip) mapNonce(p *paceRun, raw []byte) []byte {
	tx, ty, fits := onCurve(p.curve, raw)
	if !fits {
		return badData
	}
	k := c.scalar(p.curve, 0)
	px, py := p.curve.ScalarBaseMult(k.Bytes())
	hx, hy := p.curve.ScalarMult(tx, ty, k.Bytes())
	sx, sy := p.curve.ScalarBaseMult(new(big.Int).Mod(new(big.Int).SetBytes(p.nonce), p.curve.Params().N).Bytes())
	p.gx, p.gy = p.curve.Add(sx, sy, hx, hy)
	return do(0x82, point(p.curve, px, py))
}

func (c *Chip) agreePACE(p *paceRun, raw []byte) []byte {
	tx, ty, fits := onCurve(p.curve, raw)
	if !fits {
		return badData
	}
	k := c.scalar(p.curve, 1)
	x, y := p.curve.ScalarMult(p.gx, p.gy, k.Bytes())
	p.own, p.theirs = point(p.curve, x, y), raw
	if c.EchoesKeys {
		p.own = raw
	}
	sx, _ := p.curve.ScalarMult(tx, ty, k.Bytes())
	p.shared = sx.FillBytes(make([]byte, (p.curve.Params().BitSize+7)/8))
	return do(0x84, p.own)
}

func (c *Chip) authenticatePACE(p *paceRun, token []byte) []byte {
	if c.Blocked {
		return blocked
	}
	suite := suiteOf(c.PACE)
	key := kdf(suite, p.shared, 2)
	of := func(public []byte) []byte {
		return mac(suite, key, do(0x7F49, append(do(0x06, p.protocol), do(0x86, public)...)))
	}
	if !bytes.Equal(token, of(p.own)) {
		return failed
	}
	c.sm, c.granted = newSession(suite, p.shared, nil), true
	return do(0x86, of(p.theirs))
}

// agree is Chip Authentication.
func (c *Chip) agree(raw []byte) []byte {
	curve, d := c.ChipKey.Private()
	x, y, fits := onCurve(curve, raw)
	if !fits {
		return badData
	}
	sx, _ := curve.ScalarMult(x, y, d.Bytes())
	c.sm = newSession(c.ChipSuite, sx.FillBytes(make([]byte, (curve.Params().BitSize+7)/8)), nil)
	return ok
}

// internal is INTERNAL AUTHENTICATE: Active Authentication.
func (c *Chip) internal(cmd command) []byte {
	if c.ActiveKey == nil || !c.granted && !c.Open || len(cmd.data) != 8 {
		return unmet
	}
	answer := c.ActiveKey.Answer(cmd.data)
	if len(answer) > cmd.le {
		return wrongLength
	}
	return append(answer, ok...)
}
