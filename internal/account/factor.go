package account

import (
	"context"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// What authenticator apps agree on (RFC 6238 with RFC 4226's six digits), and one step of drift either way.
const (
	factorPeriod = 30 * time.Second
	factorDrift  = 1
	factorDigits = otp.DigitsSix
	// RecoveryCodes is how many are given at a time; each works once.
	RecoveryCodes = 10
)

// Factor is what a member signs in with besides the password: a time-based one-time password (RFC 6238), passkeys, and
// recovery codes for when telephone and key are gone.
type Factor struct {
	Secret   string   `json:"secret,omitempty"`    // base32; empty while there is none
	Pending  string   `json:"pending,omitempty"`   // drawn, but no code of it was shown yet
	LastStep int64    `json:"last_step,omitempty"` // of the newest code that was used: none works twice
	Recovery []string `json:"recovery,omitempty"`  // hex SHA-256 of the recovery codes that were not used

	Passkeys []Passkey `json:"passkeys,omitempty"`
}

// On reports whether signing in with the password asks for more.
func (f Factor) On() bool { return f.App() || len(f.Passkeys) > 0 }

// App reports whether an authenticator app is set up.
func (f Factor) App() bool { return f.Secret != "" }

// NewFactor is what an authenticator app has to know.
type NewFactor struct {
	Secret string // base32, to be typed
	URI    string // otpauth://…, to be drawn as a QR code
}

// BeginFactor draws a secret for a member, which asks for nothing until a code of it was shown. issuer names the
// deployment in the app. Problems: auth.invalid (the password).
func (s *Service) BeginFactor(ctx context.Context, u User, password, issuer string) (NewFactor, error) {
	if err := s.confirm(ctx, u, password); err != nil {
		return NewFactor{}, err
	}
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: strings.ReplaceAll(issuer, ":", " "), AccountName: strings.ReplaceAll(u.Email, ":", " "),
		Period: uint(factorPeriod / time.Second), Digits: factorDigits, Rand: s.random,
	})
	if err != nil {
		return NewFactor{}, fmt.Errorf("draw a second factor: %w", err)
	}
	_, err = s.store.ChangeUser(ctx, u.ID, func(u *User) error {
		u.Factor.Pending = key.Secret()
		return nil
	})
	return NewFactor{Secret: key.Secret(), URI: key.URL()}, err
}

// ConfirmFactor switches the drawn factor on and answers its recovery codes this once. Problems: auth.second_factor
// (the code), request.malformed (nothing was drawn).
func (s *Service) ConfirmFactor(ctx context.Context, id idv.UserID, code string) ([]string, error) {
	codes, hashes, err := s.recoveryCodes()
	if err != nil {
		return nil, err
	}
	_, err = s.store.ChangeUser(ctx, id, func(u *User) error {
		if u.Factor.Pending == "" {
			return problem.New(problem.RequestMalformed).Saying("Begin with a new second factor.")
		}
		step, ok := s.matches(u.Factor.Pending, code)
		if !ok {
			return wrongCode()
		}
		u.Factor = Factor{Secret: u.Factor.Pending, LastStep: step, Recovery: hashes, Passkeys: u.Factor.Passkeys}
		return nil
	}, about(id, "user.factor_added"))
	return codes, err
}

// RemoveFactor switches the authenticator app off; passkeys stay, and the recovery codes with them. Problems: auth.invalid (the password), auth.second_factor (the code).
func (s *Service) RemoveFactor(ctx context.Context, u User, password, code string) error {
	if err := s.confirm(ctx, u, password); err != nil {
		return err
	}
	_, err := s.store.ChangeUser(ctx, u.ID, func(u *User) error {
		if u.Factor.On() {
			if err := s.use(&u.Factor, code); err != nil {
				return err
			}
		}
		u.Factor.Secret, u.Factor.Pending, u.Factor.LastStep = "", "", 0
		if !u.Factor.On() {
			u.Factor = Factor{}
		}
		return nil
	}, about(u.ID, "user.factor_removed"))
	return err
}

// passFactor uses up a code. That happens under the team's lock: of two who send one code, one passes.
func (s *Service) passFactor(ctx context.Context, id idv.UserID, code string) error {
	if strings.TrimSpace(code) == "" {
		return problem.New(problem.AuthSecondFactor)
	}
	_, err := s.store.ChangeUser(ctx, id, func(u *User) error { return s.use(&u.Factor, code) })
	return err
}

// use takes a code that was not used before.
func (s *Service) use(f *Factor, code string) error {
	if step, ok := s.matches(f.Secret, code); ok && step > f.LastStep {
		f.LastStep = step
		return nil
	}
	i := slices.Index(f.Recovery, digest(plainCode(code)))
	if i < 0 {
		return wrongCode()
	}
	f.Recovery = slices.Delete(slices.Clone(f.Recovery), i, i+1)
	return nil
}

// matches finds the step of time that a code belongs to. An empty secret has no codes.
func (s *Service) matches(secret, code string) (step int64, ok bool) {
	if secret == "" {
		return 0, false
	}
	code = plainCode(code)
	present := s.now().Unix() / int64(factorPeriod/time.Second)
	for step := present - factorDrift; step <= present+factorDrift; step++ {
		want, err := totp.GenerateCodeCustom(secret, time.Unix(step*int64(factorPeriod/time.Second), 0), totp.ValidateOpts{
			Period: uint(factorPeriod / time.Second), Digits: factorDigits,
		})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}

// recoveryCodes draws codes of 80 bits: sixteen characters in groups of four.
func (s *Service) recoveryCodes() (codes, hashes []string, err error) {
	for range RecoveryCodes {
		var raw [10]byte
		if _, err := io.ReadFull(s.random, raw[:]); err != nil {
			return nil, nil, fmt.Errorf("draw a recovery code: %w", err)
		}
		plain := strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
		codes = append(codes, plain[:4]+"-"+plain[4:8]+"-"+plain[8:12]+"-"+plain[12:])
		hashes = append(hashes, digest(plain))
	}
	return codes, hashes, nil
}

// plainCode is a code without what people put between its groups.
func plainCode(code string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "", "\u00a0", "").Replace(code))
}

func wrongCode() error {
	return problem.New(problem.AuthSecondFactor).At("/one_time_code").Saying("The code is wrong, or it was used before.")
}
