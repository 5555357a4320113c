package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// User is a member of the deployment.
type User struct {
	ID           idv.UserID
	Name         string
	Email        string // as it was written
	Normal       string // Email as it is looked up
	PasswordHash string // argon2id
	Roles        []Role
	CreatedAt    time.Time
	LastLoginAt  time.Time
	DisabledAt   time.Time // zero while the member may sign in
	SessionsFrom time.Time // console sessions that began before do not count any more
	Factor       Factor
	Subject      Subject // who vouches for them; empty where nobody does
}

// Subject is what an identity provider calls somebody (OpenID Connect Core §2: issuer and sub, together unique for ever).
type Subject struct {
	Issuer string `json:"issuer"`
	ID     string `json:"id"`
}

// Key is an API key. The key itself is shown once and not kept.
type Key struct {
	ID         idv.KeyID
	Name       string
	Mode       idv.Mode
	Scopes     []Permission
	Prefix     string // its first characters, to tell keys apart
	Hash       string // hex SHA-256
	CreatedAt  time.Time
	LastUsedAt time.Time
	ExpiresAt  time.Time // zero for never
	RevokedAt  time.Time
	CreatedBy  idv.UserID // empty for keys made by the program itself
}

// May reports whether the key carries a scope.
func (k Key) May(p Permission) bool {
	for _, s := range k.Scopes {
		if s == p {
			return true
		}
	}
	return false
}

// Store keeps members, keys and setup tokens. Reads answer problem not_found where nothing is there. What is done is written to
// the audit log in the transaction of the change: both or neither.
type Store interface {
	CountUsers(ctx context.Context) (int, error)
	UserByEmail(ctx context.Context, normal string) (User, error)
	User(ctx context.Context, id idv.UserID) (User, error)
	UserBySubject(ctx context.Context, of Subject) (User, error)
	// AddMember keeps a new member. Problems: auth.invalid when a member has the address or subject.
	AddMember(ctx context.Context, u User, done ...audit.Record) error
	// AddOwner adds the first member and forgets the setup token with that hash, both or neither. Problems:
	// auth.invalid when the token is not there or expired, auth.forbidden when there is a member already.
	AddOwner(ctx context.Context, u User, tokenHash string, now time.Time, done ...audit.Record) error
	SeenUser(ctx context.Context, id idv.UserID, at time.Time, done ...audit.Record) error
	// Users answers every member, the oldest first.
	Users(ctx context.Context) ([]User, error)
	// ChangeUser changes one member under the team's lock: what change answers as an error undoes it. A change that
	// leaves no owner who may sign in is auth.forbidden.
	ChangeUser(ctx context.Context, id idv.UserID, change func(*User) error, done ...audit.Record) (User, error)
	// ChangeUserAndKeys does the same and revokes every key that the member made and that works, both or neither.
	ChangeUserAndKeys(ctx context.Context, id idv.UserID, at time.Time, change func(*User) error, done ...audit.Record) (User, error)
	Ceremonies

	AddInvitation(ctx context.Context, i Invitation, done ...audit.Record) error
	// Invitations answers those that can still be taken up at that time, the newest first.
	Invitations(ctx context.Context, now time.Time) ([]Invitation, error)
	InvitationByHash(ctx context.Context, hash string, now time.Time) (Invitation, error)
	RevokeInvitation(ctx context.Context, id idv.InvitationID, done ...audit.Record) error
	// TakeInvitation makes a member of an invitation, which is gone then: of two who take it, one does. Problems:
	// auth.invalid when it is gone or expired, or its address is a member's by now.
	TakeInvitation(ctx context.Context, hash string, u User, now time.Time, done ...audit.Record) error
	// SetSetupToken replaces whatever setup token there was.
	SetSetupToken(ctx context.Context, hash string, expires time.Time) error

	// AddKey keeps a key, with an audit entry.
	AddKey(ctx context.Context, k Key) error
	APIKey(ctx context.Context, id idv.KeyID) (Key, error)
	// Keys lists the keys of a mode, newest first.
	Keys(ctx context.Context, mode idv.Mode) ([]Key, error)
	// ReplaceKey keeps a key that takes the place of another, and ends that one, both or neither.
	ReplaceKey(ctx context.Context, k Key, old idv.KeyID, oldEnds time.Time) error
	// RevokeKey ends a key now; one that was revoked before stays so.
	RevokeKey(ctx context.Context, id idv.KeyID, at time.Time) error
	KeyByHash(ctx context.Context, hash string) (Key, error)
	SeenKey(ctx context.Context, id idv.KeyID, at time.Time) error
}

// Options of a Service. The zero value works.
type Options struct {
	Now    func() time.Time // time.Now
	Random io.Reader        // crypto/rand
	// PublicURL is where people reach this server; passkeys belong to its host. Empty for no passkeys.
	PublicURL string
	Brand     string // what the deployment is called where a browser asks; Bonafide if empty
	SSO       SSO    // single sign-on; the zero value is none
	// HashMemory is the memory of one password hash in KiB; 64 MiB if zero. Only tests make it smaller.
	HashMemory uint32
}

// Service is everything that is done with members and keys. It is safe for concurrent use.
type Service struct {
	store  Store
	now    func() time.Time
	random io.Reader
	hasher hasher
	origin origin
	sso    SSO
}

// New makes a Service.
func New(store Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return &Service{store: store, now: o.Now, random: o.Random, hasher: newHasher(o.HashMemory), origin: originOf(o.PublicURL, o.Brand), sso: o.SSO}
}

// moment is now, as exactly as every database keeps it.
func (s *Service) moment() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// secret draws 256 random bits as 43 characters of base64url.
func (s *Service) secret() (string, error) {
	var raw [32]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// digest is what is kept of a secret with 256 random bits.
func digest(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// Normal is an e-mail address as it is looked up: NFC, case folded, without spaces around it.
func Normal(email string) string {
	return cases.Fold().String(norm.NFC.String(strings.TrimSpace(email)))
}
