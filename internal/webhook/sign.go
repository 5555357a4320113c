package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// The headers of a delivery (Standard Webhooks 1.0.0, "Webhook metadata").
const (
	HeaderID        = "webhook-id"        // the event's id; the same at every attempt
	HeaderTimestamp = "webhook-timestamp" // Unix time of this attempt
	HeaderSignature = "webhook-signature" // v1,BASE64 by each valid secret, separated by spaces
)

// secretPrefix and secretBytes are the form of a symmetric secret: whsec_ and base64 of 24 to 64 bytes.
const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// Secret signs what is sent to an endpoint.
type Secret struct {
	Value string    `json:"value"` // whsec_ and base64
	Until time.Time `json:"until"` // when it stops signing; zero for the newest
}

func newSecret(r io.Reader) (Secret, error) {
	var raw [secretBytes]byte
	if _, err := io.ReadFull(r, raw[:]); err != nil {
		return Secret{}, fmt.Errorf("draw a secret: %w", err)
	}
	return Secret{Value: secretPrefix + base64.StdEncoding.EncodeToString(raw[:])}, nil
}

// validSecrets returns the secrets that still sign, newest first.
func validSecrets(secrets []Secret, now time.Time) []Secret {
	var out []Secret
	for _, s := range secrets {
		if s.Until.IsZero() || now.Before(s.Until) {
			out = append(out, s)
		}
	}
	return out
}

// sign returns the value of the signature header: HMAC-SHA256 of id.timestamp.body, by each secret.
func sign(secrets []Secret, id idv.EventID, at time.Time, body []byte) (string, error) {
	var out []string
	for _, s := range secrets {
		encoded, ok := strings.CutPrefix(s.Value, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || err != nil {
			return "", errors.New("sign a webhook: the secret has another form")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(string(id) + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		out = append(out, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	if len(out) == 0 {
		return "", errors.New("sign a webhook: there is no valid secret")
	}
	return strings.Join(out, " "), nil
}
