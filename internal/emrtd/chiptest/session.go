package chiptest

import (
	"bytes"
)

// session is secure messaging on the chip's side.
type session struct {
	suite    int
	enc, mac []byte
	ssc      []byte
}

func newSession(suite int, secret, ssc []byte) *session {
	if ssc == nil {
		ssc = make([]byte, block(suite, kdf(suite, secret, 1)).BlockSize())
	}
	return &session{suite: suite, enc: kdf(suite, secret, 1), mac: kdf(suite, secret, 2), ssc: ssc}
}

func (s *session) tick() {
	for i := len(s.ssc) - 1; i >= 0; i-- {
		s.ssc[i]++
		if s.ssc[i] != 0 {
			return
		}
	}
}

func (s *session) size() int { return len(s.ssc) }

func (s *session) iv() []byte {
	iv := make([]byte, s.size())
	if s.suite > 1 {
		block(s.suite, s.enc).Encrypt(iv, s.ssc)
	}
	return iv
}

// code is over the counter and whole blocks; that of 3DES pads by itself.
func (s *session) code(message []byte) []byte {
	in := append(append([]byte(nil), s.ssc...), message...)
	if s.suite > 1 {
		in = pad(in, s.size())
	}
	return mac(s.suite, s.mac, in)
}

// open reads a protected command.
func (s *session) open(cmd command) (command, bool) {
	s.tick()
	all, fits := objects(cmd.data)
	if !fits || len(all) == 0 || all[len(all)-1].tag != 0x8E {
		return cmd, false
	}
	message := pad([]byte{cmd.cla, cmd.ins, cmd.p1, cmd.p2}, s.size())
	for _, o := range all[:len(all)-1] {
		message = append(message, o.raw...)
	}
	if !bytes.Equal(s.code(message), all[len(all)-1].content) {
		return cmd, false
	}
	out := command{cla: cmd.cla &^ 0x0C, ins: cmd.ins, p1: cmd.p1, p2: cmd.p2}
	secret := find(all, 0x87)
	if secret != nil {
		if secret[0] != 1 {
			return cmd, false
		}
		secret = secret[1:]
	} else {
		secret = find(all, 0x85)
	}
	if secret != nil {
		if len(secret)%s.size() != 0 {
			return cmd, false
		}
		if out.data = unpad(cbc(block(s.suite, s.enc), s.iv(), secret, false)); out.data == nil {
			return cmd, false
		}
	}
	if le := find(all, 0x97); le != nil {
		for _, b := range le {
			out.le = out.le<<8 | int(b)
		}
		if out.le == 0 {
			out.le = 1 << (8 * len(le))
		}
	}
	return out, true
}

// seal protects an answer.
func (s *session) seal(answer []byte, odd bool) []byte {
	s.tick()
	data, status := answer[:len(answer)-2], answer[len(answer)-2:]
	var body []byte
	if len(data) > 0 {
		secret := cbc(block(s.suite, s.enc), s.iv(), pad(data, s.size()), true)
		if odd {
			body = do(0x85, secret)
		} else {
			body = do(0x87, append([]byte{1}, secret...))
		}
	}
	body = append(body, do(0x99, status)...)
	body = append(body, do(0x8E, s.code(body))...)
	return append(body, status...)
}
