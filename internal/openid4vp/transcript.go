package openid4vp

import (
	"crypto/sha256"
	"encoding/base64"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/jose"
)

// Transcript returns the SessionTranscript that a device authenticates: OpenID4VP 1.0 annexes B.2.6.1 (redirect) and B.2.6.2 (browser),
// ISO/IEC 18013-7 annex C. It is made of the request alone.
func (r *Request) Transcript() ([]byte, error) {
	key, err := r.public()
	if err != nil {
		return nil, err
	}
	var thumbprint []byte // null where the answer is not encrypted
	if key != nil {
		thumbprint = jose.Thumbprint(key)
	}
	switch {
	case r.Mode == ISOMDoc:
		info, err := r.EncryptionInfo()
		return handover("dcapi", []any{base64.RawURLEncoding.EncodeToString(info), r.Origin}), err
	case r.Mode.browser():
		return handover("OpenID4VPDCAPIHandover", []any{r.Origin, r.Nonce, thumbprint}), nil
	}
	return handover("OpenID4VPHandover", []any{r.ClientID, r.Nonce, thumbprint, r.ResponseURI}), nil
}

func handover(name string, info []any) []byte {
	sum := sha256.Sum256(cose.Encode(info))
	return cose.Encode([]any{nil, nil, []any{name, sum[:]}})
}
