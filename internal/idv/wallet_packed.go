package idv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// MostWalletBytes is the largest answer of a wallet that is taken, in bytes as it was sent.
const MostWalletBytes = 2 << 20

// WalletMediaType is the media type of a packed WalletAnswer.
const WalletMediaType = "application/vnd.bonafide.wallet"

// ErrNotWallet means that bytes are no packed WalletAnswer.
var ErrNotWallet = errors.New("not the packed answer of a wallet")

// WalletAnswer is what a wallet presented, decrypted, with the request that it answers.
type WalletAnswer struct {
	ReceivedAt    time.Time           `json:"received_at"`
	SameDevice    bool                `json:"same_device"`
	Request       json.RawMessage     `json:"request"`       // openid4vp.Request without its private key
	Presentations map[string][]string `json:"presentations"` // by identifier in the query; bytes of mobile documents by ISO/IEC 18013-7 are base64url
}

const walletMagic = "bonafide wallet 1\n"

// PackWallet makes the bytes of a capture of kind WalletData.
func PackWallet(a WalletAnswer) ([]byte, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("pack the answer of a wallet: %w", err)
	}
	return append([]byte(walletMagic), raw...), nil
}

// OpenWallet reads what PackWallet wrote; ErrNotWallet if it is something else.
func OpenWallet(b []byte) (WalletAnswer, error) {
	raw, ok := bytes.CutPrefix(b, []byte(walletMagic))
	if !ok {
		return WalletAnswer{}, ErrNotWallet
	}
	var a WalletAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return WalletAnswer{}, fmt.Errorf("%w: it cannot be read", ErrNotWallet)
	}
	return a, nil
}
