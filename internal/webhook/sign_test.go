package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

func TestASignatureIsThatOfTheStandard(t *testing.T) {
	// The vector that the libraries of Standard Webhooks are tested with.
	secret := Secret{Value: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
	got, err := sign([]Secret{secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestDuringARotationBothSecretsSign(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	secrets := []Secret{{Value: "whsec_bmV3"}, {Value: "whsec_b2xk", Until: now.Add(time.Hour)}}
	for name, tt := range map[string]struct {
		at   time.Time
		want int
	}{
		"before the end": {now, 2},
		"at the end":     {now.Add(time.Hour), 1},
		"after the end":  {now.Add(2 * time.Hour), 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := sign(validSecrets(secrets, tt.at), "evt_1", tt.at, []byte("{}"))
			if n := len(strings.Fields(got)); err != nil || n != tt.want {
				t.Errorf("got %d signatures (%q), %v, want %d", n, got, err, tt.want)
			}
		})
	}
	if _, err := sign(nil, "evt_1", now, nil); err == nil {
		t.Error("without a secret something was signed")
	}
}

func TestASecretHasTheFormOfTheStandard(t *testing.T) {
	s, err := newSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	encoded, ok := strings.CutPrefix(s.Value, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(raw) < 24 || len(raw) > 64 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

func TestTheTriesSpanThreeDays(t *testing.T) {
	if MaxAttempts() != 16 || Span() < 71*time.Hour || Span() > 72*time.Hour {
		t.Errorf("%d tries over %s", MaxAttempts(), Span())
	}
	s := New(nil, Options{})
	for i, p := range pauses {
		for range 50 {
			got, err := s.pause(i)
			if err != nil || got < p*9/10 || got > p*11/10 {
				t.Fatalf("pause %d: got %s, %v, want %s give or take a tenth", i, got, err, p)
			}
		}
	}
}
