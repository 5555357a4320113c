package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
	"github.com/tink-crypto/tink-go/v2/streamingaead"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Purpose is what a keyset encrypts.
type Purpose string

// The purposes. The first two exist once a session, the last once a deployment.
const (
	Pictures   Purpose = "pictures" // captures, derived pictures, face templates
	Facts      Purpose = "facts"    // claims, reports, the integrator's data, audit digests
	Deployment Purpose = "deployment"
)

// parts are the Tink keysets of each purpose: streams for blobs, aead for columns, prf for keyed digests.
var parts = map[Purpose]map[string]func() *tinkpb.KeyTemplate{
	Pictures:   {"stream": streamingaead.AES256GCMHKDF1MBKeyTemplate, "aead": aead.AES256GCMKeyTemplate},
	Facts:      {"aead": aead.AES256GCMKeyTemplate, "prf": prf.HMACSHA256PRFKeyTemplate},
	Deployment: {"aead": aead.AES256GCMKeyTemplate, "prf": prf.HMACSHA256PRFKeyTemplate},
}

// Keyset encrypts the data of one owner and purpose. It is safe for concurrent use.
type Keyset struct {
	owner   string
	purpose Purpose
	aead    tink.AEAD
	stream  tink.StreamingAEAD
	prf     *prf.Set
}

// NewKeyset returns a new keyset for an owner (a session's id; any fixed word for the deployment), and the same wrapped by
// the master key.
func (m *Master) NewKeyset(owner string, p Purpose) (*Keyset, []byte, error) {
	handles := map[string]*keyset.Handle{}
	for _, part := range slices.Sorted(maps.Keys(parts[p])) { // in order, so that keys depend on the randomness alone
		h, err := keyset.NewHandle(parts[p][part]())
		if err != nil {
			return nil, nil, fmt.Errorf("draw keyset %s: %w", p, err)
		}
		handles[part] = h
	}
	raw, err := m.wrap(owner, p, handles)
	if err != nil {
		return nil, nil, err
	}
	k, err := newKeyset(owner, p, handles)
	return k, raw, err
}

func (m *Master) wrap(owner string, p Purpose, handles map[string]*keyset.Handle) ([]byte, error) {
	wrapped := map[string][]byte{}
	for _, part := range slices.Sorted(maps.Keys(handles)) {
		var buf bytes.Buffer
		if err := handles[part].WriteWithAssociatedData(keyset.NewBinaryWriter(&buf), m.aead, associatedData(owner, p, part)); err != nil {
			return nil, fmt.Errorf("wrap keyset %s: %w", p, err)
		}
		wrapped[part] = buf.Bytes()
	}
	raw, err := json.Marshal(wrapped)
	if err != nil {
		return nil, fmt.Errorf("wrap keyset %s: %w", p, err)
	}
	return raw, nil
}

// Open unwraps a keyset. It returns ErrDestroyed for no bytes, and ErrWrongMaster for a keyset that none of the master keys has
// wrapped.
func (m *Master) Open(owner string, p Purpose, wrapped []byte) (*Keyset, error) {
	handles, err := m.unwrap(owner, p, wrapped)
	if err != nil {
		return nil, err
	}
	return newKeyset(owner, p, handles)
}

// OpenColumns is Open for columns alone: it unwraps one part of the keys, which takes half the time. The keyset neither covers blobs nor makes
// digests.
func (m *Master) OpenColumns(owner string, p Purpose, wrapped []byte) (*Keyset, error) {
	if len(wrapped) == 0 {
		return nil, fmt.Errorf("keyset %s: %w", p, ErrDestroyed)
	}
	raw, err := columnsOf(wrapped)
	if err != nil {
		return nil, fmt.Errorf("read keyset %s: %w", p, err)
	}
	for _, key := range append([]*Master{m}, m.others...) {
		h, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(raw)), key.aead, associatedData(owner, p, "aead"))
		if err == nil {
			return newKeyset(owner, p, map[string]*keyset.Handle{"aead": h})
		}
	}
	return nil, fmt.Errorf("open keyset %s: %w", p, ErrWrongMaster)
}

// columnsOf takes the part for columns out of what wrap made: a JSON object of base64, in which nothing is escaped. Decoding all of it would
// take as long as the rest of opening.
func columnsOf(wrapped []byte) ([]byte, error) {
	_, rest, begins := bytes.Cut(wrapped, []byte(`"aead":"`))
	text, _, ends := bytes.Cut(rest, []byte(`"`))
	if !begins || !ends {
		return nil, errors.New("it has no part for columns")
	}
	return base64.StdEncoding.AppendDecode(nil, text)
}

// Rewrap returns a keyset that any of the master keys has wrapped, wrapped by the first of them. The keyset stays the same, so
// that what it covers is not touched. Errors are those of Open.
func (m *Master) Rewrap(owner string, p Purpose, wrapped []byte) ([]byte, error) {
	handles, err := m.unwrap(owner, p, wrapped)
	if err != nil {
		return nil, err
	}
	return m.wrap(owner, p, handles)
}

func (m *Master) unwrap(owner string, p Purpose, wrapped []byte) (map[string]*keyset.Handle, error) {
	if len(wrapped) == 0 {
		return nil, fmt.Errorf("keyset %s: %w", p, ErrDestroyed)
	}
	var in map[string][]byte
	if err := json.Unmarshal(wrapped, &in); err != nil {
		return nil, fmt.Errorf("read keyset %s: %w", p, err)
	}
	for _, key := range append([]*Master{m}, m.others...) {
		if handles := key.handles(owner, p, in); handles != nil {
			return handles, nil
		}
	}
	return nil, fmt.Errorf("open keyset %s: %w", p, ErrWrongMaster)
}

// handles returns the parts of a keyset, nil where this key has not wrapped all of them.
func (m *Master) handles(owner string, p Purpose, in map[string][]byte) map[string]*keyset.Handle {
	out := map[string]*keyset.Handle{}
	for part := range parts[p] {
		h, err := keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(in[part])), m.aead, associatedData(owner, p, part))
		if err != nil {
			return nil
		}
		out[part] = h
	}
	return out
}

func newKeyset(owner string, p Purpose, handles map[string]*keyset.Handle) (*Keyset, error) {
	k := &Keyset{owner: owner, purpose: p}
	var err error
	for part, h := range handles {
		switch part {
		case "aead":
			k.aead, err = aead.New(h)
		case "stream":
			k.stream, err = streamingaead.New(h)
		case "prf":
			k.prf, err = prf.NewPRFSet(h)
		}
		if err != nil {
			return nil, fmt.Errorf("use keyset %s: %w", p, err)
		}
	}
	return k, nil
}

// Seal encrypts the value of a column of one of the owner's rows. An empty value stays empty.
func (k *Keyset) Seal(column string, plain []byte) ([]byte, error) {
	if len(plain) == 0 {
		return nil, nil
	}
	sealed, err := k.aead.Encrypt(plain, associatedData(k.owner, k.purpose, column))
	if err != nil {
		return nil, fmt.Errorf("seal %s: %w", column, err)
	}
	return sealed, nil
}

// Unseal decrypts what Seal encrypted for the same owner, purpose and column.
func (k *Keyset) Unseal(column string, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	plain, err := k.aead.Decrypt(sealed, associatedData(k.owner, k.purpose, column))
	if err != nil {
		return nil, fmt.Errorf("unseal %s: %w", column, err)
	}
	return plain, nil
}

// Digest returns a keyed digest of b, 64 hex characters: the same for the same label and bytes, and meaningless
// without the keyset. It serves as a blind index and for the audit log.
func (k *Keyset) Digest(label string, b []byte) (string, error) {
	if k.prf == nil {
		return "", fmt.Errorf("keyset %s makes no digests", k.purpose)
	}
	sum, err := k.prf.ComputePrimaryPRF(append(associatedData(k.owner, k.purpose, label), b...), 32)
	if err != nil {
		return "", fmt.Errorf("digest %s: %w", label, err)
	}
	return hex.EncodeToString(sum), nil
}

// sealBlob encrypts a whole blob in segments of 1 MB.
func (k *Keyset) sealBlob(w io.Writer, name string, plain []byte) error {
	if k.stream == nil {
		return fmt.Errorf("keyset %s covers no blobs", k.purpose)
	}
	enc, err := k.stream.NewEncryptingWriter(w, associatedData(k.owner, k.purpose, name))
	if err != nil {
		return fmt.Errorf("seal blob: %w", err)
	}
	if _, err := enc.Write(plain); err != nil {
		return fmt.Errorf("seal blob: %w", err)
	}
	if err := enc.Close(); err != nil {
		return fmt.Errorf("seal blob: %w", err)
	}
	return nil
}

func (k *Keyset) unsealBlob(r io.Reader, name string) ([]byte, error) {
	if k.stream == nil {
		return nil, fmt.Errorf("keyset %s covers no blobs", k.purpose)
	}
	dec, err := k.stream.NewDecryptingReader(r, associatedData(k.owner, k.purpose, name))
	if err != nil {
		return nil, fmt.Errorf("unseal blob: %w: %w", ErrDamaged, err)
	}
	plain, err := io.ReadAll(dec)
	if err != nil {
		return nil, fmt.Errorf("unseal blob: %w: %w", ErrDamaged, err)
	}
	return plain, nil
}

// associatedData encodes the parts of associated data. Different parts never give the same bytes.
func associatedData(owner string, p Purpose, place string) []byte {
	var out []byte
	for _, s := range []string{"bonafide", owner, string(p), place} {
		out = append(out, byte(len(s)>>8), byte(len(s)))
		out = append(out, s...)
	}
	return out
}
