// Package chiptest is the chip of a travel document, for tests and for test mode: files, Basic Access Control, PACE, secure messaging, Chip Authentication and
// Active Authentication, written from ICAO 9303-10 and -11 for the chip's side. It shares no code with the terminal that it tests but the
// standard library: a mistake in one does not hide in the other. Points are those of the standard library and of ProtonMail's brainpool.
package chiptest

import (
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"io"
	"math/big"
	"strings"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
)

// Config says what a chip is. What is zero is not there.
type Config struct {
	Files  map[lds.File][]byte
	Number string // of the document, birth and expiry: what the zone says, YYMMDD
	Birth  string
	Expiry string
	CAN    string // card access number

	PACE       string // object identifier; EF.CardAccess says so
	Curve      int    // of PACE, by number
	Access     []byte // EF.CardAccess instead of the one that follows from PACE
	NoBasic    bool   // no Basic Access Control
	Open       bool   // files are for everybody
	ChipKey    *emrtdtest.Key
	ChipSuite  int // of Chip Authentication: 1 3DES, 2 AES-128, 3 AES-192, 4 AES-256
	ActiveKey  *emrtdtest.Key
	Longest    int  // answer in bytes; EF.ATR/INFO says so; 0 is 256
	Most       int  // bytes that READ BINARY gives at a time; 0 is as many as were asked for
	NoMaster   bool // the master file cannot be selected
	Strict     bool // reading beyond the end of a file is an error
	Blocked    bool // no key is taken any more
	Random     io.Reader
	Nonce      []byte                                     // of PACE, instead of one that is drawn
	Scalars    []*big.Int                                 // of PACE: mapping, agreement; instead of drawn ones
	Challenge  []byte                                     // of Basic Access Control, and half of the secret after it; instead of drawn ones
	Tamper     func(n int, command, answer []byte) []byte // changes the n-th answer since power came on
	EchoesKeys bool                                       // PACE answers with the terminal's own points
}

// Chip is a chip with its state. It is powered by Reset.
type Chip struct {
	Config
	count    int
	document bool   // the application is selected
	current  []byte // file
	granted  bool   // a session of secure messaging is there
	sm       *session
	rnd      []byte
	pace     *paceRun
	chipKey  bool // Chip Authentication was chosen
}

// New returns a chip.
func New(c Config) *Chip {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	chip := &Chip{Config: c}
	chip.Reset()
	return chip
}

// Reset is power off and on.
func (c *Chip) Reset() {
	*c = Chip{Config: c.Config}
}

// ATR is the answer to a reset.
func (c *Chip) ATR() []byte { return []byte{0x3B, 0x80, 0x80, 0x01, 0x01} }

func (c *Chip) draw(n int) []byte {
	out := make([]byte, n)
	if _, err := io.ReadFull(c.Random, out); err != nil {
		panic(err)
	}
	return out
}

// zone returns what the keys of the zone are made of.
func (c *Chip) zone() []byte {
	digit := func(s string) string {
		sum := 0
		for i, r := range s {
			v := 0
			switch {
			case r >= '0' && r <= '9':
				v = int(r - '0')
			case r >= 'A' && r <= 'Z':
				v = int(r-'A') + 10
			}
			sum += v * []int{7, 3, 1}[i%3]
		}
		return s + string(rune('0'+sum%10))
	}
	number := c.Number
	for len(number) < 9 {
		number += "<"
	}
	h := sha1.Sum([]byte(digit(number) + digit(c.Birth) + digit(c.Expiry)))
	return h[:]
}

// Status words.
var (
	ok           = []byte{0x90, 0}
	endOfFile    = []byte{0x62, 0x82}
	failed       = []byte{0x63, 0}
	wrongLength  = []byte{0x67, 0}
	notSatisfied = []byte{0x69, 0x82}
	blocked      = []byte{0x69, 0x83}
	unmet        = []byte{0x69, 0x85}
	badMessaging = []byte{0x69, 0x88}
	badData      = []byte{0x6A, 0x80}
	notFound     = []byte{0x6A, 0x82}
	wrongP1P2    = []byte{0x6A, 0x86}
	noReference  = []byte{0x6A, 0x88}
	beyond       = []byte{0x6B, 0}
	unknown      = []byte{0x6D, 0}
)

// command is a command as it was parsed.
type command struct {
	cla, ins, p1, p2 byte
	data             []byte
	le               int
}

// parse reads a command; ok is false where its lengths do not fit.
func parse(raw []byte) (c command, fits bool) {
	if len(raw) < 4 {
		return c, false
	}
	c = command{cla: raw[0], ins: raw[1], p1: raw[2], p2: raw[3]}
	body := raw[4:]
	expected := func(b []byte) int {
		n := 0
		for _, x := range b {
			n = n<<8 | int(x)
		}
		if n == 0 {
			n = 1 << (8 * len(b))
		}
		return n
	}
	switch {
	case len(body) == 0:
		return c, true
	case len(body) == 1:
		c.le = expected(body)
		return c, true
	case body[0] != 0:
		n := int(body[0])
		if len(body) < 1+n || len(body) > 2+n {
			return c, false
		}
		c.data = body[1 : 1+n]
		if len(body) == 2+n {
			c.le = expected(body[1+n:])
		}
		return c, true
	case len(body) == 3:
		c.le = expected(body[1:])
		return c, true
	case len(body) > 3:
		n := int(body[1])<<8 | int(body[2])
		if len(body) != 3+n && len(body) != 5+n {
			return c, false
		}
		c.data = body[3 : 3+n]
		if len(body) == 5+n {
			c.le = expected(body[3+n:])
		}
		return c, true
	}
	return c, false
}

// Transmit answers a command.
func (c *Chip) Transmit(raw []byte) []byte {
	answer := c.answer(raw)
	if c.Tamper != nil {
		answer = c.Tamper(c.count, raw, bytes.Clone(answer))
	}
	c.count++
	return answer
}

func (c *Chip) answer(raw []byte) []byte {
	cmd, fits := parse(raw)
	if !fits {
		return wrongLength
	}
	if cmd.cla&0x0C != 0x0C {
		if c.sm != nil { // a command in the clear ends the session
			c.sm, c.granted = nil, false
		}
		return c.execute(cmd)
	}
	if c.sm == nil {
		return badMessaging
	}
	plain, opened := c.sm.open(cmd)
	if !opened {
		c.sm, c.granted = nil, false
		return badMessaging
	}
	session := c.sm // Chip Authentication changes the session after its answer
	answer := c.execute(plain)
	return session.seal(answer, plain.ins&1 == 1)
}

func (c *Chip) execute(cmd command) []byte {
	switch cmd.ins {
	case 0xA4:
		return c.choose(cmd)
	case 0xB0, 0xB1:
		return c.read(cmd)
	case 0x84:
		return c.challenge(cmd)
	case 0x82:
		return c.mutual(cmd)
	case 0x22:
		return c.environment(cmd)
	case 0x86:
		return c.general(cmd)
	case 0x88:
		return c.internal(cmd)
	}
	return unknown
}

// groups are the identifiers of files.
var groups = map[uint16]lds.File{
	0x011E: lds.COM, 0x011D: lds.SOD, 0x0101: "DG1", 0x0102: "DG2", 0x0103: "DG3", 0x010B: "DG11", 0x010C: "DG12", 0x010E: "DG14", 0x010F: "DG15",
}

func (c *Chip) choose(cmd command) []byte {
	c.current = nil
	switch {
	case cmd.p1 == 0 && bytes.Equal(cmd.data, []byte{0x3F, 0}):
		if c.NoMaster {
			return wrongP1P2
		}
		c.document = false
		return ok
	case cmd.p1 == 4:
		if !bytes.Equal(cmd.data, []byte{0xA0, 0, 0, 2, 0x47, 0x10, 1}) || len(c.Files) == 0 {
			return notFound
		}
		c.document = true
		return ok
	case cmd.p1 != 2 || len(cmd.data) != 2:
		return wrongP1P2
	}
	id := uint16(cmd.data[0])<<8 | uint16(cmd.data[1])
	switch {
	case !c.document && id == 0x011C:
		c.current = c.access()
	case !c.document && id == 0x2F01 && c.Longest > 0:
		length := func(n int) []byte { return do(0x02, []byte{byte(n >> 8), byte(n)}) }
		c.current = do(0x7F66, append(length(c.Longest), length(c.Longest)...))
	case c.document:
		if !c.granted && !c.Open {
			return notSatisfied
		}
		c.current = c.Files[groups[id]]
	}
	if c.current == nil {
		return notFound
	}
	return ok
}

func (c *Chip) access() []byte {
	if c.Access != nil || c.PACE == "" {
		return c.Access
	}
	return emrtdtest.Access(emrtdtest.PACEInfo(c.PACE, c.Curve))
}

func (c *Chip) read(cmd command) []byte {
	if c.current == nil {
		return unmet
	}
	at, limit := int(cmd.p1)<<8|int(cmd.p2), cmd.le
	odd := cmd.ins == 0xB1
	if odd {
		all, fits := objects(cmd.data)
		offset := find(all, 0x54)
		if !fits || offset == nil {
			return badData
		}
		at = int(new(big.Int).SetBytes(offset).Int64())
		limit -= 4
	} else if at > 0x7FFF {
		return wrongP1P2
	}
	if at > len(c.current) {
		return beyond
	}
	rest, status := c.current[at:], ok
	if len(rest) < limit {
		if c.Strict {
			return wrongLength
		}
		status = endOfFile
		limit = len(rest)
	}
	if c.Most > 0 && limit > c.Most {
		limit = c.Most
	}
	out := rest[:limit]
	if odd {
		out = do(0x53, out)
	}
	return append(bytes.Clone(out), status...)
}

// suiteOf returns the last arc of an object identifier.
func suiteOf(oid string) int {
	return int(oid[strings.LastIndex(oid, ".")+1] - '0')
}
