package emrtdtest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/binary"
	"image"
	"image/jpeg"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Zone is ICAO's specimen of Utopia.
var Zone = []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"}

// DG1 returns the zone.
func DG1(lines ...string) []byte {
	return tlv.Encode(0x61, tlv.Encode(0x5F1F, []byte(strings.Join(lines, ""))))
}

// Portrait returns a picture of nobody.
func Portrait() []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 48, 64)), nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// DG2 returns a picture in a record of ISO/IEC 19794-5.
func DG2(picture []byte) []byte {
	face := make([]byte, 32, 32+len(picture))
	binary.BigEndian.PutUint32(face, uint32(32+len(picture)))
	face = append(face, picture...)
	record := append([]byte("FAC\x00010\x00"), 0, 0, 0, 0, 0, 1)
	binary.BigEndian.PutUint32(record[8:], uint32(len(record)+len(face)))
	return biometric(tlv.Encode(0x5F2E, record, face))
}

// DG2Block returns a picture in a block of ISO/IEC 39794-5.
func DG2Block(picture []byte) []byte {
	flat := tlv.Encode(0xA0, tlv.Encode(0x80, picture), tlv.Encode(0xA1, tlv.Encode(0xA0, tlv.Encode(0x80, []byte{2}))))
	representation := tlv.Encode(tlv.Sequence, tlv.Encode(0x80, []byte{0}), tlv.Encode(0xA1, tlv.Encode(0xA0, flat)))
	block := tlv.Encode(0x65, tlv.Encode(0xA0, tlv.Encode(0x80, []byte{3})), tlv.Encode(0xA1, representation))
	return biometric(tlv.Encode(0x7F2E, tlv.Encode(0xA1, block)))
}

func biometric(data []byte) []byte {
	header := tlv.Encode(0xA1, tlv.Encode(0x87, []byte{1, 1}), tlv.Encode(0x88, []byte{0, 8}))
	return tlv.Encode(0x75, tlv.Encode(0x7F61, tlv.Encode(tlv.Integer, []byte{1}), tlv.Encode(0x7F60, header, data)))
}

// DG11 returns additional details of a person.
func DG11() []byte {
	return tlv.Encode(0x6B, tlv.Encode(0x5C, []byte{0x5F, 0x0E, 0x5F, 0x2B, 0x5F, 0x11, 0xA0}),
		tlv.Encode(0x5F0E, []byte("ERIKSSON<<ÅNNA<MARIA")), tlv.Encode(0x5F2B, []byte{0x19, 0x74, 0x08, 0x12}),
		tlv.Encode(0x5F11, []byte("ZENITH<UTOPIA")), tlv.Encode(0xA0, tlv.Encode(0x02, []byte{1}), tlv.Encode(0x5F0F, []byte("SMITH<<ANNA"))))
}

// DG12 returns additional details of the document.
func DG12() []byte {
	return tlv.Encode(0x6C, tlv.Encode(0x5C, []byte{0x5F, 0x19, 0x5F, 0x26}),
		tlv.Encode(0x5F19, []byte("PASSPORT OFFICE")), tlv.Encode(0x5F26, []byte("20300401")))
}

// DG14 says how Active Authentication signs; with an algorithm of BSI TR-03111 ("0.4.0.127.0.7.1.1.4.1.3").
func DG14(algorithm string) []byte {
	return tlv.Encode(0x6E, tlv.Encode(tlv.Set,
		tlv.Encode(tlv.Sequence, OID("2.23.136.1.1.5"), Int(big.NewInt(1)), OID(algorithm))))
}

// DG15 returns the key of Active Authentication.
func DG15(k *Key) []byte { return tlv.Encode(0x6F, k.Info()) }

// COM lists the data groups of the files.
func COM(files map[lds.File][]byte) []byte {
	var tags []byte
	for _, f := range slices.Sorted(maps.Keys(files)) {
		if numbers[f] > 0 {
			tags = append(tags, files[f][0])
		}
	}
	return tlv.Encode(0x60, tlv.Encode(0x5F01, []byte("0107")), tlv.Encode(0x5F36, []byte("040000")), tlv.Encode(0x5C, tags))
}

// Answer answers a challenge of Active Authentication: RSA by ISO/IEC 9796-2, a curve with r and s side by side.
func (k *Key) Answer(challenge []byte) []byte {
	h := k.hash.New()
	if k.ecdsa != nil {
		h.Write(challenge)
		r, s, err := ecdsa.Sign(rand.Reader, k.ecdsa, h.Sum(nil))
		if err != nil {
			panic(err)
		}
		size := (k.ecdsa.Params().N.BitLen() + 7) / 8
		return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...)
	}
	trailer := []byte{map[int]byte{20: 0x33, 28: 0x38, 32: 0x34, 48: 0x36, 64: 0x35}[k.hash.Size()], 0xCC}
	if k.hash.Size() == 20 {
		trailer = []byte{0xBC}
	}
	own := make([]byte, k.rsa.Size()-1-k.hash.Size()-len(trailer))
	_, _ = rand.Read(own)
	h.Write(own)
	h.Write(challenge)
	message := slices.Concat([]byte{0x6A}, own, h.Sum(nil), trailer)
	return new(big.Int).Exp(new(big.Int).SetBytes(message), k.rsa.D, k.rsa.N).FillBytes(make([]byte, k.rsa.Size()))
}

// Chip returns the files of a passport of Utopia without EF.SOD: EF.COM, DG1, DG2, DG11, DG12.
func Chip() map[lds.File][]byte {
	files := map[lds.File][]byte{"DG1": DG1(Zone...), "DG2": DG2(Portrait()), "DG11": DG11(), "DG12": DG12()}
	files[lds.COM] = COM(files)
	return files
}
