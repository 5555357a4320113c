package session

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// WalletChannel is how a request reaches a wallet, and its answer the server.
type WalletChannel string

// The channels.
const (
	WalletSameDevice  WalletChannel = "same_device"  // a link to a wallet on this device; the answer counts once its code came back here
	WalletCrossDevice WalletChannel = "cross_device" // a code for a wallet on another device; nothing shows whose wallet answers
	WalletBrowser     WalletChannel = "browser"      // the browser's Digital Credentials API
)

// WalletChannels returns every channel.
func WalletChannels() []WalletChannel {
	return []WalletChannel{WalletSameDevice, WalletCrossDevice, WalletBrowser}
}

// WalletState is the state of a request to a wallet.
type WalletState string

// The states. A request is answered once: whatever the answer, it leaves WalletOpen for good.
const (
	WalletOpen     WalletState = "open"
	WalletAnswered WalletState = "answered" // and waits for the browser that asked
	WalletTaken    WalletState = "taken"    // what was presented is evidence
	WalletFailed   WalletState = "failed"   // the wallet answered with an error, or with nothing that could be opened
	WalletEnded    WalletState = "ended"    // another request replaced it, or the person went on without
)

// WalletStates returns every state.
func WalletStates() []WalletState {
	return []WalletState{WalletOpen, WalletAnswered, WalletTaken, WalletFailed, WalletEnded}
}

// WalletRequestRow is a request to a wallet as it is kept. Secrets are kept as their hashes.
type WalletRequestRow struct {
	ID        idv.WalletRequestID
	Session   idv.SessionID
	Handle    string // hash of the secret in its addresses
	Channel   WalletChannel
	State     WalletState
	Problem   string // code with which it failed; empty otherwise
	Code      string // hash of the response code; empty before an answer
	Sealed    *WalletSealed
	MadeAt    time.Time
	ExpiresAt time.Time
	EndedAt   time.Time // zero while it is open or waits for the browser
}

// WalletSealed is the part of a request that is sealed with the session's key. It is gone when the request has ended.
type WalletSealed struct {
	Requests []json.RawMessage `json:"requests"`         // openid4vp.Request: one by redirect, one for each protocol by the browser's API
	Answer   *idv.WalletAnswer `json:"answer,omitempty"` // that waits for the browser
}

// WalletReader reads requests to wallets.
type WalletReader interface {
	WalletRequest(ctx context.Context, id idv.WalletRequestID) (WalletRequestRow, error)
	// WalletRequestByHandle returns the request with the hash of a secret in its addresses.
	WalletRequestByHandle(ctx context.Context, hash string) (WalletRequestRow, error)
	// WalletRequestByCode returns the request with the hash of a response code.
	WalletRequestByCode(ctx context.Context, hash string) (WalletRequestRow, error)
	// WalletRequests lists those of a session, in the order of making, without their sealed parts.
	WalletRequests(ctx context.Context, id idv.SessionID) ([]WalletRequestRow, error)
}

// WalletWriter writes requests to wallets.
type WalletWriter interface {
	AddWalletRequest(ctx context.Context, r WalletRequestRow) error
	// SaveWalletRequest writes state, problem, code, end and the sealed part.
	SaveWalletRequest(ctx context.Context, r WalletRequestRow) error
	// EndWalletRequests ends those of a session that are open or wait for their browser, and removes their sealed parts.
	EndWalletRequests(ctx context.Context, id idv.SessionID, at time.Time) error
	// ExpireWalletRequests does the same with those of all sessions whose time is over.
	ExpireWalletRequests(ctx context.Context, at time.Time) error
}
