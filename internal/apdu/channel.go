package apdu

import (
	"bytes"
	"crypto/subtle"
	"slices"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Tags of protected commands and answers (ICAO 9303-11 section 9.8.4).
const (
	doPlainOdd  tlv.Tag = 0x85 // encrypted data of an odd instruction
	doEncrypted tlv.Tag = 0x87
	doExpected  tlv.Tag = 0x97
	doStatus    tlv.Tag = 0x99
	doMAC       tlv.Tag = 0x8E
)

// Channel is a session of secure messaging. The counter of what was sent only depends on how many commands were answered, so that
// commands can be protected ahead of the answers to those before them.
type Channel struct {
	suite   Suite
	enc     []byte
	mac     []byte
	counter []byte // of the last answer
}

// NewChannel returns the session that a shared secret gives. counter is the send sequence counter at its start, as long as a block; nil is
// zero.
func NewChannel(s Suite, secret, counter []byte) *Channel {
	if counter == nil {
		counter = s.Zero()
	}
	return &Channel{suite: s, enc: s.Derive(secret, ForEncryption), mac: s.Derive(secret, ForMAC), counter: slices.Clone(counter)}
}

// MaxData returns how many bytes of data fit into a protected answer of at most le bytes.
func (c *Channel) MaxData(le int) int {
	room := le - 4 - 10 - 2 // status, MAC, tag of the data and the byte that says how it is padded
	switch {
	case room <= 0x7F: // one byte says the length
		room--
	case room <= 0x100:
		room -= 2
	default:
		room -= 3
	}
	return max(room/c.suite.Block()*c.suite.Block()-1, 0) // at least one byte of padding
}

// Sealed is a protected command that is ready to be sent.
type Sealed struct {
	Bytes   []byte
	counter []byte // of the answer
	odd     bool
}

// Seal protects commands that will be sent one after the other, the first one next. An earlier batch that was not sent to its end is
// void.
func (c *Channel) Seal(commands []Command) []Sealed {
	counter := slices.Clone(c.counter)
	var out []Sealed
	for _, cmd := range commands {
		increment(counter)
		raw := c.seal(cmd, counter)
		increment(counter)
		out = append(out, Sealed{Bytes: raw, counter: slices.Clone(counter), odd: cmd.Instruction&1 == 1})
	}
	return out
}

func (c *Channel) seal(cmd Command, counter []byte) []byte {
	cmd.Class |= 0x0C
	var body []byte
	if len(cmd.Data) > 0 {
		secret := c.suite.Encrypt(c.enc, c.vector(counter), Pad(cmd.Data, c.suite.Block()))
		if cmd.Instruction&1 == 1 {
			body = tlv.Encode(doPlainOdd, secret)
		} else {
			body = tlv.Encode(doEncrypted, []byte{1}, secret)
		}
	}
	switch {
	case cmd.Le > ShortLe:
		body = append(body, tlv.Encode(doExpected, []byte{byte(cmd.Le >> 8), byte(cmd.Le)})...)
	case cmd.Le > 0:
		body = append(body, tlv.Encode(doExpected, []byte{byte(cmd.Le)})...)
	}
	header := []byte{cmd.Class, cmd.Instruction, cmd.P1, cmd.P2}
	body = append(body, tlv.Encode(doMAC, c.code(counter, Pad(header, c.suite.Block()), body))...)
	le := ShortLe
	if cmd.Le > ShortLe || len(body) > 255 {
		le = ExtendedLe
	}
	return Command{Class: cmd.Class, Instruction: cmd.Instruction, P1: cmd.P1, P2: cmd.P2, Data: body, Le: le}.Bytes()
}

// code authenticates a message after the counter: a padded header, and what follows it.
func (c *Channel) code(counter, header, body []byte) []byte {
	message := slices.Concat(counter, header, body)
	if c.suite != TripleDES { // whose MAC pads
		message = Pad(message, c.suite.Block())
	}
	return c.suite.MAC(c.mac, message)
}

// vector returns the initialization vector at a counter.
func (c *Channel) vector(counter []byte) []byte {
	if c.suite == TripleDES {
		return c.suite.Zero()
	}
	out := make([]byte, len(counter))
	c.suite.cipher(c.enc).Encrypt(out, counter)
	return out
}

// Open reads the answer to a sealed command, and takes the session to where the next one is due. Refusals: Unprotected, Forged, Malformed
// and those of ParseAnswer. After one of them the session is of no more use.
func (c *Channel) Open(s Sealed, raw []byte) (Answer, error) {
	a, err := ParseAnswer(raw)
	if err != nil {
		return Answer{}, err
	}
	if len(a.Data) == 0 {
		return Answer{}, refusal.New(Unprotected, "the chip ended the session with status %04X", uint16(a.Status))
	}
	parts, err := openParts(a.Data)
	if err != nil {
		return Answer{}, err
	}
	if subtle.ConstantTimeCompare(parts.mac, c.code(s.counter, nil, parts.covered)) != 1 {
		return Answer{}, refusal.New(Forged, "the session key did not protect this answer")
	}
	a.Status = Status(parts.status[0])<<8 | Status(parts.status[1])
	if a.Data, err = c.decrypt(s, parts); err != nil {
		return Answer{}, err
	}
	c.counter = slices.Clone(s.counter)
	return a, nil
}

func (c *Channel) decrypt(s Sealed, p parts) ([]byte, error) {
	if p.secret == nil {
		return nil, nil
	}
	if p.odd != s.odd || len(p.secret) == 0 || len(p.secret)%c.suite.Block() != 0 {
		return nil, refusal.New(Malformed, "the data of an answer is no whole blocks, or of another kind")
	}
	data, ok := unpad(c.suite.Decrypt(c.enc, c.vector(s.counter), p.secret))
	if !ok {
		return nil, refusal.New(Malformed, "the data of an answer has no padding")
	}
	return data, nil
}

// parts are those of a protected answer.
type parts struct {
	secret  []byte // encrypted data; nil without any
	odd     bool
	status  []byte // two bytes
	mac     []byte
	covered []byte // all before the MAC, as received
}

// openParts takes data, status and MAC, in that order; nothing else, and nothing twice.
func openParts(raw []byte) (parts, error) {
	wrong := refusal.New(Malformed, "an answer has other parts than data, status and code")
	all, err := tlv.All(raw)
	if err != nil {
		return parts{}, wrong
	}
	var p parts
	for _, e := range all {
		switch {
		case p.mac != nil: // nothing follows it
			return parts{}, wrong
		case e.Tag == doEncrypted && p.secret == nil && p.status == nil && len(e.Content) > 0 && e.Content[0] == 1:
			p.secret = e.Content[1:]
		case e.Tag == doPlainOdd && p.secret == nil && p.status == nil:
			p.secret, p.odd = e.Content, true
		case e.Tag == doStatus && p.status == nil && len(e.Content) == 2:
			p.status = e.Content
		case e.Tag == doMAC && len(e.Content) == 8:
			p.mac = e.Content
			continue
		default:
			return parts{}, wrong
		}
		p.covered = append(p.covered, e.Raw...)
	}
	if p.mac == nil || p.status == nil {
		return parts{}, wrong
	}
	return p, nil
}

// Proves reports whether an answer was protected by the keys of a fresh session with the secret, as the answer to its first command: whoever
// made it knows the secret.
func Proves(s Suite, secret, raw []byte) bool {
	c := NewChannel(s, secret, nil)
	first := slices.Clone(c.counter)
	increment(first)
	increment(first)
	a, err := ParseAnswer(raw)
	if err != nil {
		return false
	}
	p, err := openParts(a.Data)
	return err == nil && bytes.Equal(p.mac, c.code(first, nil, p.covered))
}

func increment(counter []byte) {
	for i := len(counter) - 1; i >= 0; i-- {
		if counter[i]++; counter[i] != 0 {
			return
		}
	}
}
