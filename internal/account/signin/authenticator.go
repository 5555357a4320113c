package signin

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

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The parameters that authenticator apps agree on (RFC 6238 with the six digits of RFC 4226), and the drift of clocks
// that is accepted, in periods either way.
const (
	codePeriod = 30 * time.Second
	codeDigits = otp.DigitsSix
	maxDrift   = 1
)

// RecoveryCodes is how many recovery codes a member gets at a time. Each works once.
const RecoveryCodes = 10

// Authenticators manages authenticator apps and accepts their codes, and recovery codes in their place.
type Authenticators struct {
	store    UserStore
	hasher   Hasher
	attempts *attempts
	source
}

// AppSetup is what an authenticator app has to know.
type AppSetup struct {
	Secret string // base32, to be typed
	URI    string // otpauth://…, to be shown as a QR code
}

// Begin draws the secret of a new app. It replaces the present one once Confirm has seen a code of it. The app shows
// issuer as the name of the deployment. Problems: auth.invalid (the password), auth.too_many_failures.
func (s *Authenticators) Begin(ctx context.Context, u account.User, pass, issuer string) (AppSetup, error) {
	if err := s.attempts.confirm(ctx, s.hasher, u, pass); err != nil {
		return AppSetup{}, err
	}
	key, err := totp.Generate(totp.GenerateOpts{
		Issuer: strings.ReplaceAll(issuer, ":", " "), AccountName: strings.ReplaceAll(u.Email, ":", " "),
		Period: uint(codePeriod / time.Second), Digits: codeDigits, Rand: s.random,
	})
	if err != nil {
		return AppSetup{}, fmt.Errorf("draw a second factor: %w", err)
	}
	_, err = s.store.ChangeUser(ctx, u.ID, func(u *account.User) error {
		u.Factor.Pending = key.Secret()
		return nil
	})
	return AppSetup{Secret: key.Secret(), URI: key.URL()}, err
}

// Confirm puts the new app into use and returns new recovery codes, which cannot be had again. Problems:
// auth.second_factor (the code is wrong), request.malformed (there is no new app).
func (s *Authenticators) Confirm(ctx context.Context, id idv.UserID, code string) ([]string, error) {
	codes, hashes, err := newRecoveryCodes(s.random)
	if err != nil {
		return nil, err
	}
	_, err = s.store.ChangeUser(ctx, id, func(u *account.User) error {
		if u.Factor.Pending == "" {
			return problem.New(problem.RequestMalformed).Saying("Begin with a new second factor.")
		}
		step, ok := s.stepOf(u.Factor.Pending, code)
		if !ok {
			return wrongCode()
		}
		u.Factor = account.Factor{Secret: u.Factor.Pending, LastStep: step, Recovery: hashes, Passkeys: u.Factor.Passkeys}
		return nil
	}, account.AuditRecord(id, "user.factor_added"))
	return codes, err
}

// Remove removes the app. Passkeys stay, and the recovery codes with them. Problems: auth.invalid (the password),
// auth.second_factor (the code), auth.too_many_failures.
func (s *Authenticators) Remove(ctx context.Context, u account.User, pass, code string) error {
	if err := s.attempts.confirm(ctx, s.hasher, u, pass); err != nil {
		return err
	}
	if u.Factor.On() {
		if err := s.attempts.takeCode(ctx, u); err != nil {
			return err
		}
	}
	_, err := s.store.ChangeUser(ctx, u.ID, func(u *account.User) error {
		if u.Factor.On() {
			if err := s.redeemFrom(&u.Factor, code); err != nil {
				return err
			}
		}
		u.Factor.Secret, u.Factor.Pending, u.Factor.LastStep = "", "", 0
		if !u.Factor.On() {
			u.Factor = account.Factor{}
		}
		return nil
	}, account.AuditRecord(u.ID, "user.factor_removed"))
	if err != nil || !u.Factor.On() {
		return err
	}
	return s.attempts.accept(ctx, u, (*account.Attempts).AcceptCode)
}

// askFactor asks for what a member has: the field of the answer is /one_time_code with an authenticator app, else /passkey.
func askFactor(f account.Factor) error {
	if f.App() {
		return problem.New(problem.AuthSecondFactor).At("/one_time_code").Saying("A code of the authenticator app, or a recovery code.")
	}
	return problem.New(problem.AuthSecondFactor).At("/passkey").Saying("A passkey, or a recovery code.")
}

// redeem uses up a code of a member, and counts a wrong one. Changes of members come one after the other, so that of two requests
// with the same code only one succeeds. Problems: auth.second_factor, auth.too_many_failures.
func (s *Authenticators) redeem(ctx context.Context, u account.User, code string) error {
	if strings.TrimSpace(code) == "" {
		return askFactor(u.Factor)
	}
	if err := s.attempts.takeCode(ctx, u); err != nil {
		return err
	}
	if _, err := s.store.ChangeUser(ctx, u.ID, func(u *account.User) error { return s.redeemFrom(&u.Factor, code) }); err != nil {
		return err
	}
	return s.attempts.accept(ctx, u, (*account.Attempts).AcceptCode)
}

// redeemFrom uses up a one-time code or a recovery code. Problems: auth.second_factor.
func (s *Authenticators) redeemFrom(f *account.Factor, code string) error {
	if step, ok := s.stepOf(f.Secret, code); ok && step > f.LastStep {
		f.LastStep = step
		return nil
	}
	i := slices.Index(f.Recovery, account.Digest(compactCode(code)))
	if i < 0 {
		return wrongCode()
	}
	f.Recovery = slices.Delete(slices.Clone(f.Recovery), i, i+1)
	return nil
}

// stepOf returns the time step that a code belongs to, and false for a wrong code. An empty secret has no codes.
func (s *Authenticators) stepOf(secret, code string) (step int64, ok bool) {
	if secret == "" {
		return 0, false
	}
	code = compactCode(code)
	present := s.now().Unix() / int64(codePeriod/time.Second)
	for step := present - maxDrift; step <= present+maxDrift; step++ {
		want, err := totp.GenerateCodeCustom(secret, time.Unix(step*int64(codePeriod/time.Second), 0), totp.ValidateOpts{
			Period: uint(codePeriod / time.Second), Digits: codeDigits,
		})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}

// newRecoveryCodes returns RecoveryCodes codes of 80 bits, sixteen characters in groups of four, and their digests.
func newRecoveryCodes(random io.Reader) (codes, hashes []string, err error) {
	for range RecoveryCodes {
		var raw [10]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return nil, nil, fmt.Errorf("draw a recovery code: %w", err)
		}
		plain := strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
		codes = append(codes, plain[:4]+"-"+plain[4:8]+"-"+plain[8:12]+"-"+plain[12:])
		hashes = append(hashes, account.Digest(plain))
	}
	return codes, hashes, nil
}

// compactCode returns a code in lower case, without the spaces and hyphens that people type between its groups.
func compactCode(code string) string {
	return strings.ToLower(strings.NewReplacer("-", "", " ", "", "\u00a0", "").Replace(code))
}

func wrongCode() error {
	return problem.New(problem.AuthSecondFactor).At("/one_time_code").Saying("The code is wrong, or it was used before.")
}
