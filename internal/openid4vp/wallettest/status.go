package wallettest

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/fxamacker/cbor/v2"
)

// StatusList is a status list before it is signed.
type StatusList struct {
	Bits            int
	Size            int            // number of statuses
	Set             map[int64]byte // those that are not 0
	URI             string
	Issued, Expires time.Time
	Signer          *emrtdtest.Holder
}

// NewStatusList returns a list of the issuer in which all are valid.
func (i *Issuer) NewStatusList(bits int) *StatusList {
	return &StatusList{
		Bits: bits, Size: 1000, Set: map[int64]byte{}, URI: ListURI, Issued: Now.Add(-time.Hour), Expires: Now.Add(time.Hour), Signer: i.Signer,
	}
}

// Packed returns the statuses as they stand in a list.
func (l *StatusList) Packed() []byte {
	all := make([]byte, (l.Size*l.Bits+7)/8)
	for index, status := range l.Set {
		at := index * int64(l.Bits)
		all[at/8] |= status << (at % 8)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(all) // to memory
	_ = z.Close()
	return b.Bytes()
}

// JWT returns the signed list.
func (l *StatusList) JWT() []byte {
	return []byte(Token(l.Signer.Key, map[string]any{
		"alg": "ES256", "typ": "statuslist+jwt", "x5c": []string{base64.StdEncoding.EncodeToString(l.Signer.Raw)},
	}, map[string]any{
		"sub": l.URI, "iat": l.Issued.Unix(), "exp": l.Expires.Unix(), "ttl": 3600, "status_list": map[string]any{"bits": l.Bits, "lst": encode(l.Packed())},
	}))
}

// CWT returns the signed list in CBOR.
func (l *StatusList) CWT() []byte {
	payload := cose.Encode(map[int]any{
		2: l.URI, 6: l.Issued.Unix(), 4: l.Expires.Unix(), 65534: 3600, 65533: map[string]any{"bits": l.Bits, "lst": l.Packed()},
	})
	return cose.Encode(cbor.Tag{Number: 18, Content: cbor.RawMessage(Sign1(l.Signer.Key, map[int]any{1: -7, 16: "application/statuslist+cwt"},
		map[int]any{33: l.Signer.Raw}, payload))})
}

// Sign1 returns a COSE_Sign1 without its tag, signed by a key on P-256.
func Sign1(k *emrtdtest.Key, protected, unprotected map[int]any, payload []byte) []byte {
	head := cose.Encode(protected)
	signature := Plain(k.Sign(cose.Encode([]any{"Signature1", head, []byte{}, payload})), 32)
	return cose.Encode([]any{head, unprotected, payload, signature})
}
