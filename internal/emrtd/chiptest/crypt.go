package chiptest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
)

// kdf is the key derivation function of ICAO 9303-11 section 9.7.1; suite is the last arc of a protocol.
func kdf(suite int, secret []byte, counter uint32) []byte {
	var c [4]byte
	binary.BigEndian.PutUint32(c[:], counter)
	in := append(append([]byte(nil), secret...), c[:]...)
	if suite >= 3 {
		h := sha256.Sum256(in)
		return h[:map[int]int{3: 24, 4: 32}[suite]]
	}
	h := sha1.Sum(in)
	return h[:16] // a chip need not set parity: DES ignores it
}

func block(suite int, key []byte) cipher.Block {
	var b cipher.Block
	if suite == 1 {
		k := make([]byte, 24)
		copy(k, key)
		copy(k[16:], key)
		b, _ = des.NewTripleDESCipher(k)
	} else {
		b, _ = aes.NewCipher(key)
	}
	return b
}

// cbc is cipher block chaining by hand.
func cbc(b cipher.Block, iv, in []byte, encrypt bool) []byte {
	n := b.BlockSize()
	prev := append([]byte(nil), iv...)
	out := make([]byte, 0, len(in))
	for at := 0; at+n <= len(in); at += n {
		x := make([]byte, n)
		if encrypt {
			for i := range x {
				x[i] = in[at+i] ^ prev[i]
			}
			b.Encrypt(x, x)
			prev = x
		} else {
			b.Decrypt(x, in[at:at+n])
			for i := range x {
				x[i] ^= prev[i]
			}
			prev = in[at : at+n]
		}
		out = append(out, x...)
	}
	return out
}

func pad(b []byte, n int) []byte {
	out := append(append([]byte(nil), b...), 0x80)
	return append(out, make([]byte, (n-len(out)%n)%n)...)
}

func unpad(b []byte) []byte {
	at := len(b) - 1
	for at >= 0 && b[at] == 0 {
		at--
	}
	if at < 0 || b[at] != 0x80 {
		return nil
	}
	return b[:at]
}

// mac returns eight bytes. 3DES pads its message; AES takes any length.
func mac(suite int, key, message []byte) []byte {
	if suite == 1 {
		message = pad(message, 8)
		single, _ := des.NewCipher(key[:8])
		other, _ := des.NewCipher(key[8:16])
		chain := cbc(single, make([]byte, 8), message, true)
		last := chain[len(chain)-8:]
		other.Decrypt(last, last)
		single.Encrypt(last, last)
		return last
	}
	return cmac(block(suite, key), message)[:8]
}

// cmac follows RFC 4493, with the subkeys as numbers.
func cmac(b cipher.Block, message []byte) []byte {
	l := make([]byte, 16)
	b.Encrypt(l, l)
	k1 := shift(l)
	n := (len(message) + 15) / 16
	whole := n > 0 && len(message)%16 == 0
	if n == 0 {
		n = 1
	}
	padded := append([]byte(nil), message...)
	key := k1
	if !whole {
		padded = append(padded, 0x80)
		padded = append(padded, make([]byte, n*16-len(padded))...)
		key = shift(k1)
	}
	for i := range 16 {
		padded[(n-1)*16+i] ^= key[i]
	}
	chain := cbc(b, make([]byte, 16), padded, true)
	return chain[len(chain)-16:]
}

func shift(in []byte) []byte {
	n := new(big.Int).Lsh(new(big.Int).SetBytes(in), 1)
	if n.BitLen() > 128 {
		n.SetBit(n, 128, 0)
		n.Xor(n, big.NewInt(0x87))
	}
	return n.FillBytes(make([]byte, 16))
}

// do writes a data object.
func do(tag int, content []byte) []byte {
	var out []byte
	if tag > 0xFF {
		out = append(out, byte(tag>>8))
	}
	out = append(out, byte(tag))
	switch n := len(content); {
	case n < 128:
		out = append(out, byte(n))
	case n < 256:
		out = append(out, 0x81, byte(n))
	default:
		out = append(out, 0x82, byte(n>>8), byte(n))
	}
	return append(out, content...)
}

// object is one data object with a tag of one byte.
type object struct {
	tag     byte
	content []byte
	raw     []byte
}

// objects reads data objects; ok is false where they are broken.
func objects(in []byte) (out []object, ok bool) {
	for len(in) > 0 {
		if len(in) < 2 {
			return nil, false
		}
		n, at := int(in[1]), 2
		if n&0x80 != 0 {
			bytes := n & 0x7F
			if bytes == 0 || bytes > 2 || len(in) < 2+bytes {
				return nil, false
			}
			n = 0
			for _, b := range in[2 : 2+bytes] {
				n = n<<8 | int(b)
			}
			at += bytes
		}
		if len(in) < at+n {
			return nil, false
		}
		out = append(out, object{in[0], in[at : at+n], in[:at+n]})
		in = in[at+n:]
	}
	return out, true
}

func find(all []object, tag byte) []byte {
	for _, o := range all {
		if o.tag == tag {
			return o.content
		}
	}
	return nil
}
