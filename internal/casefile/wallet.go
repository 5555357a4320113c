package casefile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Wallet is what a wallet presented, with the request that it answered, and what was found about it then. With both, anybody who has the
// file can prove it again.
type Wallet struct {
	At     time.Time   `json:"at"`
	File   string      `json:"file"` // of the archive: an idv.WalletAnswer as JSON
	SHA256 idv.Digest  `json:"sha256"`
	Found  *idv.Wallet `json:"found"` // null if nobody could look at it
}

// ReadWallet is the answer of a wallet in a case file.
type ReadWallet struct {
	idv.WalletAnswer
	Found idv.Wallet
}

// Wallets reads the answers of wallets that were looked at from a file for which Verify holds.
func Wallets(r io.ReaderAt, size int64) ([]ReadWallet, error) {
	var content struct {
		Wallets []Wallet `json:"wallets"`
	}
	files, err := readContent(r, size, &content)
	if err != nil {
		return nil, err
	}
	var out []ReadWallet
	for _, w := range content.Wallets {
		if w.Found == nil {
			continue
		}
		raw, err := partBytes(files, w.File)
		if err != nil {
			return nil, err
		}
		read := ReadWallet{Found: *w.Found}
		if err := json.Unmarshal(raw, &read.WalletAnswer); err != nil {
			return nil, fmt.Errorf("%w: %s is not the answer of a wallet", audit.ErrTampered, w.File)
		}
		out = append(out, read)
	}
	return out, nil
}

// addWallets adds the answers of wallets to the manifest, and their digests to the content.
func (d *Draft) addWallets(ctx context.Context, c *Content, m *Manifest) error {
	for i := range c.Wallets {
		w := &c.Wallets[i]
		raw, err := d.open[w.File](ctx)
		if err != nil {
			return err
		}
		part := partOf(w.File, raw)
		w.SHA256 = idv.Digest(part.SHA256)
		m.Parts, d.pictures = append(m.Parts, part), append(d.pictures, w.File)
	}
	return nil
}
