package terminal

import (
	"context"
	"io"
	"slices"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// agreeWithChip runs Chip Authentication (ICAO 9303-11 section 6.2) by the key in DG14. Whether the state signed that key is judged later.
// A chip that refuses is read on without; one whose first answer under the agreed key is not protected by it does not have the key, or
// contact was lost: it is asked once more over the next contact.
func (c *contact) agreeWithChip(ctx context.Context) error {
	raw := c.files[lds.Group(14)]
	if !raw.whole() || c.channel == nil {
		c.agreed = true
		return nil
	}
	security, err := lds.ParseSecurity(raw.data)
	if err != nil {
		c.agreed = true
		return nil //nolint:nilerr // refused when it is verified
	}
	way, key, ok := security.BestChip()
	if !ok || c.attempts == 2 {
		c.agreed = true
		return nil
	}
	secret, err := key.Curve.Secret(c.random)
	if err != nil {
		return err
	}
	own, err := key.Curve.Base().Times(secret)
	if err != nil {
		return broken(err)
	}
	shared, err := key.Times(secret)
	if err != nil {
		return broken(err)
	}
	answers, err := c.send(ctx, lds.Group(14), chipCommands(way, own.Point())...)
	if err != nil {
		return err
	}
	if last := answers[len(answers)-1]; !last.Status.Done() {
		c.agreed = true
		return nil
	}
	c.attempts++
	run := &emrtd.Agreement{Protocol: way.Protocol, KeyID: way.KeyID, Secret: secret.FillBytes(make([]byte, (key.Curve.N.BitLen()+7)/8))}
	c.result.Agreement = run // without an answer until there is one
	c.channel, c.first = apdu.NewChannel(way.Suite, shared.Coordinate(), nil), nil
	c.selected = ""
	if _, err := c.send(ctx, lds.Group(14), selectFile(fileIDs[lds.Group(1)])); err != nil {
		return err
	}
	if len(c.first) > mostProof {
		return refusal.New(AnswerWrong, "an answer of %d bytes to a selection", len(c.first))
	}
	run.Answer, c.agreed, c.selected = slices.Clone(c.first), true, lds.Group(1)
	return nil
}

// mostProof is the longest answer that proves something, in bytes: a signature by the longest key that is verified with.
const mostProof = 1 << 10

// chipCommands are those of Chip Authentication: with 3DES one, else two (ICAO 9303-11 sections 6.2.4.1 and 6.2.4.2).
func chipCommands(way lds.ChipProtocol, point []byte) []apdu.Command {
	var key []byte
	if way.KeyID >= 0 {
		key = tlv.Encode(0x84, keyNumber(way.KeyID))
	}
	if way.Suite == apdu.TripleDES {
		return []apdu.Command{{Instruction: 0x22, P1: 0x41, P2: 0xA6, Data: slices.Concat(tlv.Encode(0x91, point), key)}}
	}
	return []apdu.Command{
		{Instruction: 0x22, P1: 0x41, P2: 0xA4, Data: slices.Concat(tlv.Encode(0x80, oidContent(way.Protocol)), key)},
		authenticate(false, tlv.Encode(0x80, point)),
	}
}

// keyNumber encodes the number of a key without leading zeros.
func keyNumber(n int) []byte {
	out := []byte{byte(n)}
	for n >>= 8; n > 0; n >>= 8 {
		out = append([]byte{byte(n)}, out...)
	}
	return out
}

// askChip runs Active Authentication (ICAO 9303-11 section 6.1) with a challenge of the terminal's own, where the chip has a key. A chip
// that does not answer is read on.
func (c *contact) askChip(ctx context.Context) error {
	if !c.files[lds.Group(15)].whole() {
		c.asked = true
		return nil
	}
	key, err := lds.ParseActiveKey(c.files[lds.Group(15)].data)
	if err != nil {
		c.asked = true
		return nil //nolint:nilerr // refused when it is verified
	}
	le := apdu.ShortLe
	if key.RSA != nil && c.channel != nil && key.RSA.Size() > c.channel.MaxData(apdu.ShortLe) {
		if c.accepts <= apdu.ShortLe {
			c.asked = true // the reader cannot take the answer
			return nil
		}
		le = min(apdu.ExtendedLe, c.accepts)
	}
	challenge := make([]byte, 8)
	if _, err := io.ReadFull(c.random, challenge); err != nil {
		return err
	}
	answers, err := c.send(ctx, lds.Group(15), apdu.Command{Instruction: 0x88, Data: challenge, Le: le})
	if err != nil {
		return err
	}
	c.asked = true
	if a := answers[0]; a.Status == apdu.OK && len(a.Data) > 0 && len(a.Data) <= mostProof {
		c.result.Challenge, c.result.Response = challenge, slices.Clone(a.Data)
	}
	return nil
}

// Lost returns the refusal of a link whose chip is out of reach.
func Lost() error { return refusal.New(ContactLost, "contact with the chip was lost") }
