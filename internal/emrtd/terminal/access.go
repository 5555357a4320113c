package terminal

import (
	"bytes"
	"context"
	"crypto/subtle"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Files of the master file (ICAO 9303-10 section 3.11).
const (
	fileAccess uint16 = 0x011C // EF.CardAccess
	fileATR    uint16 = 0x2F01 // EF.ATR/INFO
)

// open gets access to the document: by PACE where the chip has it, by Basic Access Control, or without a key where the chip asks for none.
// Problems: AccessRefused, AccessBlocked, AccessUnsupported, NoDocument.
func (c *contact) open(ctx context.Context) error {
	c.channel, c.first, c.selected = nil, nil, ""
	security, err := c.askAccess(ctx)
	if err != nil {
		return err
	}
	if way, ok := security.BestPACE(); ok {
		return c.pace(ctx, way, len(security.PACE) > 1 || security.OtherPACE)
	}
	return c.basic(ctx, security.OtherPACE)
}

// askAccess reads EF.CardAccess, and what EF.ATR/INFO says of long answers. A chip without them is one of the first generation.
func (c *contact) askAccess(ctx context.Context) (*lds.Security, error) {
	rows := []apdu.Command{selectFile(fileAccess), read(0, apdu.ShortLe), selectFile(fileATR), read(0, apdu.ShortLe)}
	answers, err := c.send(ctx, "", append([]apdu.Command{selectMaster()}, rows...)...)
	if err != nil {
		return nil, err
	}
	answers = answers[1:]
	if len(answers) == 0 { // some know no master file: it is selected at first
		if answers, err = c.send(ctx, "", rows...); err != nil {
			return nil, err
		}
	}
	if len(answers) < 2 || !answers[1].Status.Done() || len(answers[1].Data) == 0 {
		return &lds.Security{}, nil
	}
	if len(answers) == 4 && answers[3].Status.Done() {
		c.longest = longestAnswer(answers[3].Data)
	}
	raw := answers[1].Data
	for total, ok := sizeOf(raw); ok && len(raw) < total && total <= lds.MaxAccess; {
		more, err := c.send(ctx, "", selectFile(fileAccess), read(len(raw), min(total-len(raw), apdu.ShortLe)))
		if err != nil {
			return nil, err
		}
		if len(more) < 2 || len(more[1].Data) == 0 {
			break
		}
		raw = append(slices.Clone(raw), more[1].Data...)
	}
	if total, ok := sizeOf(raw); ok && total < len(raw) {
		raw = raw[:total] // chips fill the file with zeros
	}
	security, err := lds.ParseAccess(raw)
	if err != nil {
		return nil, broken(err)
	}
	return security, nil
}

// longestAnswer returns the longest answer that EF.ATR/INFO says the chip can give (ISO/IEC 7816-4 section 12.7.1); 0 where it does not.
func longestAnswer(raw []byte) int {
	for len(raw) > 0 && raw[0] != 0 {
		e, rest, err := tlv.Next(raw)
		if err != nil {
			return 0
		}
		raw = rest
		if e.Tag != 0x7F66 {
			continue
		}
		r := tlv.Read(e, 0x7F66)
		r.Take(tlv.Integer)
		answer := r.Take(tlv.Integer)
		if n, err := answer.Small(); r.End() == nil && err == nil {
			return n
		}
	}
	return 0
}

// basic runs Basic Access Control (ICAO 9303-11 section 4.3).
func (c *contact) basic(ctx context.Context, needsPACE bool) error {
	answers, err := c.send(ctx, "", selectDocument(), apdu.Command{Instruction: 0x84, Le: 8})
	if err != nil {
		return err
	}
	if !answers[0].Status.Done() {
		if needsPACE {
			return refusal.New(AccessUnsupported, "the chip asks for a way of PACE that is not supported")
		}
		return refusal.New(NoDocument, "there is no travel document in this chip")
	}
	if len(answers) < 2 || !answers[1].Status.Done() {
		return c.without(ctx)
	}
	challenge := answers[1].Data
	seed := c.key.forBasic()
	if len(challenge) != 8 {
		return refusal.New(AnswerWrong, "a challenge of %d bytes", len(challenge))
	}
	if seed == nil {
		return refusal.New(AccessRefused, "the chip asks for the data of the zone, not for an access number")
	}
	own := make([]byte, 24) // challenge and half of the secret
	if _, err := io.ReadFull(c.random, own); err != nil {
		return err
	}
	enc, mac := apdu.TripleDES.Derive(seed, apdu.ForEncryption), apdu.TripleDES.Derive(seed, apdu.ForMAC)
	secret := apdu.TripleDES.Encrypt(enc, apdu.TripleDES.Zero(), slices.Concat(own[:8], challenge, own[8:]))
	body := append(secret, apdu.TripleDES.MAC(mac, secret)...)
	if answers, err = c.send(ctx, "", apdu.Command{Instruction: 0x82, Data: body, Le: 40}); err != nil {
		return err
	}
	if err := accepted(answers[0].Status); err != nil {
		return err
	}
	reply := answers[0].Data
	if len(reply) != 40 || subtle.ConstantTimeCompare(apdu.TripleDES.MAC(mac, reply[:32]), reply[32:]) != 1 {
		return refusal.New(AccessRefused, "the chip does not know the key")
	}
	plain := apdu.TripleDES.Decrypt(enc, apdu.TripleDES.Zero(), reply[:32])
	if !bytes.Equal(plain[:8], challenge) || !bytes.Equal(plain[8:16], own[:8]) {
		return refusal.New(AnswerWrong, "the chip answered another challenge")
	}
	shared := make([]byte, 16)
	for i := range shared {
		shared[i] = own[8+i] ^ plain[16+i]
	}
	c.channel = apdu.NewChannel(apdu.TripleDES, shared, slices.Concat(challenge[4:], own[4:8]))
	return nil
}

// without looks whether the chip gives its files to everybody, as the very first ones do.
func (c *contact) without(ctx context.Context) error {
	answers, err := c.send(ctx, "", selectFile(fileIDs[lds.SOD]), read(0, 4))
	if err != nil {
		return err
	}
	if len(answers) == 2 && answers[1].Status.Done() {
		return nil
	}
	return refusal.New(AccessUnsupported, "the chip supports no way of access that is supported here")
}

// accepted reads the status of the command in which the terminal shows that it knows the key.
func accepted(s apdu.Status) error {
	switch {
	case s.Done():
		return nil
	case s == apdu.Blocked || s == 0x63C0:
		return refusal.New(AccessBlocked, "the chip accepts no key any more (status %04X)", uint16(s))
	}
	return refusal.New(AccessRefused, "the chip does not accept the key (status %04X)", uint16(s))
}

// authenticate is a command of General Authenticate; chained where another one follows.
func authenticate(chained bool, parts ...[]byte) apdu.Command {
	cmd := apdu.Command{Instruction: 0x86, Data: tlv.Encode(0x7C, parts...), Le: apdu.ShortLe}
	if chained {
		cmd.Class = 0x10
	}
	return cmd
}

// part returns one data object of what General Authenticate answers.
func part(a apdu.Answer, tag tlv.Tag) ([]byte, error) {
	lacks := refusal.New(AnswerWrong, "an answer of PACE lacks %X", uint32(tag))
	e, err := tlv.Parse(a.Data)
	if err != nil || e.Tag != 0x7C {
		return nil, lacks
	}
	all, err := e.Children()
	if err != nil {
		return nil, lacks
	}
	for _, p := range all {
		if p.Tag == tag {
			return p.Content, nil
		}
	}
	return nil, lacks
}

// agreement is a run of PACE.
type agreement struct {
	PACE
	nonce   []byte
	mapping *big.Int // secrets of this side
	own     *big.Int
}

// PACE is the way that was chosen.
type PACE = lds.PACE

// pace runs PACE with generic mapping (ICAO 9303-11 section 4.4). What only depends on this side is sent ahead: it takes three round trips.
func (c *contact) pace(ctx context.Context, way PACE, ambiguous bool) error {
	run := agreement{PACE: way}
	var err error
	if run.mapping, err = way.Curve.Secret(c.random); err != nil {
		return err
	}
	mapping, err := way.Curve.Base().Times(run.mapping)
	if err != nil {
		return err
	}
	choose := slices.Concat(tlv.Encode(0x80, oidContent(way.Protocol)), tlv.Encode(0x83, []byte{c.key.reference()}))
	if ambiguous {
		choose = append(choose, tlv.Encode(0x84, []byte{byte(way.Number)})...)
	}
	answers, err := c.send(ctx, "", apdu.Command{Instruction: 0x22, P1: 0xC1, P2: 0xA4, Data: choose},
		authenticate(true), authenticate(true, tlv.Encode(0x81, mapping.Point())))
	if err != nil {
		return err
	}
	if len(answers) < 3 || !answers[2].Status.Done() {
		return refusedPACE(answers)
	}
	base, err := run.mapped(c.key, answers[1], answers[2])
	if err != nil {
		return err
	}
	return c.agree(ctx, run, base)
}

// refusedPACE says why a chip ended PACE before it was shown the key. 63CX tells how many tries are left.
func refusedPACE(answers []apdu.Answer) error {
	last := answers[len(answers)-1].Status
	if last == apdu.Blocked || last == 0x63C0 {
		return accepted(last)
	}
	if len(answers) == 1 && last == apdu.DataNotFound {
		return refusal.New(AccessRefused, "the chip has no such password: another kind is needed")
	}
	return refusal.New(AnswerWrong, "the chip ended PACE with status %04X", uint16(last))
}

// mapped returns the base point of the agreement: the nonce times the base of the curve, plus a shared point.
func (a *agreement) mapped(key Key, nonce, mapping apdu.Answer) (*pki.PublicKey, error) {
	secret, err := part(nonce, 0x80)
	if err != nil {
		return nil, err
	}
	if len(secret) == 0 || len(secret) > 64 || len(secret)%a.Suite.Block() != 0 {
		return nil, refusal.New(AnswerWrong, "a nonce of %d bytes", len(secret))
	}
	a.nonce = a.Suite.Decrypt(a.Suite.Derive(key.secret, apdu.ForPassword), a.Suite.Zero(), secret)
	raw, err := part(mapping, 0x82)
	if err != nil {
		return nil, err
	}
	theirs, err := a.Curve.Point(raw)
	if err != nil {
		return nil, broken(err)
	}
	shared, err := theirs.Times(a.mapping)
	if err != nil {
		return nil, broken(err)
	}
	n := new(big.Int).SetBytes(a.nonce)
	scaled, err := a.Curve.Base().Times(n.Mod(n, a.Curve.N))
	if err != nil {
		return nil, broken(err)
	}
	base, err := scaled.Plus(shared)
	if err != nil {
		return nil, broken(err)
	}
	return base, nil
}

// agree agrees on the session over the mapped base point, and has the chip show that it knows the key.
func (c *contact) agree(ctx context.Context, run agreement, base *pki.PublicKey) error {
	var err error
	if run.own, err = run.Curve.Secret(c.random); err != nil {
		return err
	}
	own, err := base.Times(run.own)
	if err != nil {
		return broken(err)
	}
	answers, err := c.send(ctx, "", authenticate(true, tlv.Encode(0x83, own.Point())))
	if err != nil {
		return err
	}
	if !answers[0].Status.Done() {
		return refusedPACE(answers)
	}
	raw, err := part(answers[0], 0x84)
	if err != nil {
		return err
	}
	theirs, err := run.Curve.Point(raw)
	if err != nil {
		return broken(err)
	}
	if theirs.Equal(own) { // an echo
		return refusal.New(AnswerWrong, "the chip's key is the terminal's")
	}
	point, err := theirs.Times(run.own)
	if err != nil {
		return broken(err)
	}
	shared := point.Coordinate()
	mac := run.Suite.Derive(shared, apdu.ForMAC)
	if answers, err = c.send(ctx, "", authenticate(false, tlv.Encode(0x85, run.token(mac, theirs)))); err != nil {
		return err
	}
	if err := accepted(answers[0].Status); err != nil {
		return err
	}
	token, err := part(answers[0], 0x86)
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare(token, run.token(mac, own)) != 1 {
		return refusal.New(AccessRefused, "the chip does not know the key")
	}
	c.channel = apdu.NewChannel(run.Suite, shared, nil)
	return c.enter(ctx)
}

// enter selects the document, which PACE leaves to the session.
func (c *contact) enter(ctx context.Context) error {
	answers, err := c.send(ctx, "", selectDocument())
	if err != nil {
		return err
	}
	if !answers[0].Status.Done() {
		return refusal.New(NoDocument, "there is no travel document in this chip")
	}
	return nil
}

// token authenticates a public key of the agreement (ICAO 9303-11 section 4.4.3.4).
func (a *agreement) token(mac []byte, of *pki.PublicKey) []byte {
	return a.Suite.MAC(mac, tlv.Encode(0x7F49, tlv.Encode(tlv.ObjectID, oidContent(a.Protocol)), tlv.Encode(0x86, of.Point())))
}

// oidContent encodes an object identifier without tag and length.
func oidContent(dots string) []byte {
	var arcs []int
	for arc := range strings.SplitSeq(dots, ".") {
		n, err := strconv.Atoi(arc)
		if err != nil {
			panic("terminal: " + dots + " is no object identifier")
		}
		arcs = append(arcs, n)
	}
	out := []byte{byte(arcs[0]*40 + arcs[1])}
	for _, arc := range arcs[2:] {
		piece := []byte{byte(arc & 0x7F)}
		for arc >>= 7; arc > 0; arc >>= 7 {
			piece = append([]byte{byte(arc&0x7F) | 0x80}, piece...)
		}
		out = append(out, piece...)
	}
	return out
}
