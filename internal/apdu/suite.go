package apdu

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des" //nolint:gosec // older chips have nothing else
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// Suite is a cipher with the length of its key.
type Suite int

// The suites of ICAO 9303-11 section 9.7.
const (
	TripleDES Suite = iota + 1 // with two keys; its MAC is that of ISO/IEC 9797-1, algorithm 3
	AES128                     // the MAC of these is CMAC, cut to eight bytes
	AES192
	AES256
)

// String implements fmt.Stringer.
func (s Suite) String() string {
	return map[Suite]string{TripleDES: "3DES", AES128: "AES-128", AES192: "AES-192", AES256: "AES-256"}[s]
}

// Block returns the length of a block in bytes.
func (s Suite) Block() int {
	if s == TripleDES {
		return des.BlockSize
	}
	return aes.BlockSize
}

// Use is the counter by which a secret becomes a key for one purpose (ICAO 9303-11 section 9.7.1).
type Use uint32

// The uses.
const (
	ForEncryption Use = 1
	ForMAC        Use = 2
	ForPassword   Use = 3
)

// Derive returns the key that a secret gives for a use: 16, 24 or 32 bytes.
func (s Suite) Derive(secret []byte, use Use) []byte {
	input := binary.BigEndian.AppendUint32(append([]byte{}, secret...), uint32(use))
	switch s {
	case AES192, AES256:
		sum := sha256.Sum256(input)
		if s == AES192 {
			return sum[:24]
		}
		return sum[:]
	case TripleDES:
		sum := sha1.Sum(input)
		for i, b := range sum[:16] { // odd parity
			sum[i] = b&^1 | byte(1^bits.OnesCount8(b>>1)&1)
		}
		return sum[:16]
	default:
		sum := sha1.Sum(input)
		return sum[:16]
	}
}

// cipher returns the block cipher of a key that Derive returned.
func (s Suite) cipher(key []byte) cipher.Block {
	var b cipher.Block
	var err error
	if s == TripleDES {
		b, err = des.NewTripleDESCipher(append(append([]byte{}, key...), key[:8]...)) //nolint:gosec // older chips have nothing else
	} else {
		b, err = aes.NewCipher(key)
	}
	if err != nil {
		panic("apdu: a derived key has the length of none: " + err.Error())
	}
	return b
}

// Encrypt returns whole blocks in cipher block chaining.
func (s Suite) Encrypt(key, iv, plain []byte) []byte {
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(s.cipher(key), iv).CryptBlocks(out, plain)
	return out
}

// Decrypt undoes Encrypt.
func (s Suite) Decrypt(key, iv, secret []byte) []byte {
	out := make([]byte, len(secret))
	cipher.NewCBCDecrypter(s.cipher(key), iv).CryptBlocks(out, secret)
	return out
}

// Zero is the vector of zeros that nonces and the keys of Basic Access Control are encrypted with.
func (s Suite) Zero() []byte { return make([]byte, s.Block()) }

// Pad appends 80 and zeros up to the end of a block (ISO/IEC 9797-1, padding method 2).
func Pad(b []byte, block int) []byte {
	out := append(append([]byte{}, b...), 0x80)
	for len(out)%block != 0 {
		out = append(out, 0)
	}
	return out
}

// unpad undoes Pad.
func unpad(b []byte) ([]byte, bool) {
	for i := len(b) - 1; i >= 0; i-- {
		switch b[i] {
		case 0:
		case 0x80:
			return b[:i:i], true
		default:
			return nil, false
		}
	}
	return nil, false
}

// MAC returns the eight bytes of a message authentication code. For TripleDES the message is padded; CMAC pads by itself where the message
// is no whole blocks.
func (s Suite) MAC(key, message []byte) []byte {
	if s == TripleDES {
		return retailMAC(key, Pad(message, des.BlockSize))
	}
	return cmac(s.cipher(key), message)[:8]
}

// retailMAC is algorithm 3 of ISO/IEC 9797-1 over whole blocks.
func retailMAC(key, message []byte) []byte {
	first, errFirst := des.NewCipher(key[:8])   //nolint:gosec // older chips have nothing else
	second, errSecond := des.NewCipher(key[8:]) //nolint:gosec // as above
	if errFirst != nil || errSecond != nil {
		panic("apdu: a derived key has the length of none")
	}
	sum := make([]byte, des.BlockSize)
	for ; len(message) > 0; message = message[des.BlockSize:] {
		xor(sum, message)
		first.Encrypt(sum, sum)
	}
	second.Decrypt(sum, sum)
	first.Encrypt(sum, sum)
	return sum
}

// cmac is the code of NIST SP 800-38B, sixteen bytes.
func cmac(b cipher.Block, message []byte) []byte {
	size := b.BlockSize()
	last := make([]byte, size)
	b.Encrypt(last, last)
	double(last)
	if len(message) == 0 || len(message)%size != 0 {
		double(last)
		message = Pad(message, size)
	}
	sum := make([]byte, size)
	for ; len(message) > size; message = message[size:] {
		xor(sum, message)
		b.Encrypt(sum, sum)
	}
	xor(sum, message)
	xor(sum, last)
	b.Encrypt(sum, sum)
	return sum
}

// double multiplies by x in the field of 2 to the power of 128.
func double(b []byte) {
	carry := byte(0)
	for i := len(b) - 1; i >= 0; i-- {
		b[i], carry = b[i]<<1|carry, b[i]>>7
	}
	b[len(b)-1] ^= carry * 0x87
}

func xor(into, with []byte) {
	for i := range into {
		into[i] ^= with[i]
	}
}
