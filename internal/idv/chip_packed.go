package idv

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Limits of what is read from one chip: EF.COM, EF.SOD and the data groups that are taken.
const (
	MostChipFiles    = 8
	MostChipBytes    = 3 << 20
	MostChipResponse = 1 << 10 // of Active Authentication: an RSA signature of 8192 bits
)

// ErrNotChip means that bytes are no packed ChipRead.
var ErrNotChip = errors.New("not the packed files of a chip")

// ChipMediaType is the media type of a packed ChipRead.
const ChipMediaType = "application/vnd.bonafide.chip"

// ChipRead is what was read from one chip, by an app or by the server over a relay.
type ChipRead struct {
	Files     []ChipFile
	Challenge []byte // that the server had issued, ChipChallengeBytes; empty where the chip was not asked
	Response  []byte // of the chip to it
	// Agreement is a run of Chip Authentication that the server led over a relay; nil where it led none. Nothing that is sent sets it.
	Agreement  *ChipAgreement
	Relayed    bool // the server read the chip itself
	ReceivedAt time.Time
}

// ChipAgreement is a run of Chip Authentication, from which it can be computed again (emrtd.Agreement).
type ChipAgreement struct {
	Protocol string `json:"protocol"` // object identifier
	KeyID    int    `json:"key_id"`   // of the chip's key; -1 where there is one
	Secret   []byte `json:"secret"`   // the server's private key, made for this run alone
	Answer   []byte `json:"answer"`   // the chip's first answer under the key that was agreed on; empty where there was none
}

// ChipFile is one file as it was read.
type ChipFile struct {
	Name  string // EF.COM, EF.SOD, DG1 to DG16
	Bytes []byte
}

// A packed read is: chipMagic, the length of the head (4 bytes, big endian), the head as JSON, the files one after another.
const (
	chipMagic        = "bonafide chip 1\n"
	mostChipHeadSize = 16 << 10
)

type chipHead struct {
	ReceivedAt time.Time      `json:"received_at"`
	Challenge  []byte         `json:"challenge,omitempty"`
	Response   []byte         `json:"response,omitempty"`
	Agreement  *ChipAgreement `json:"agreement,omitempty"`
	Relayed    bool           `json:"relayed,omitempty"`
	Files      []struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	} `json:"files"`
}

// PackChip makes the bytes of a capture of kind ChipFiles.
func PackChip(r ChipRead) ([]byte, error) {
	h := chipHead{ReceivedAt: r.ReceivedAt.UTC(), Challenge: r.Challenge, Response: r.Response, Agreement: r.Agreement, Relayed: r.Relayed}
	size := 0
	for _, f := range r.Files {
		h.Files = append(h.Files, struct {
			Name string `json:"name"`
			Size int    `json:"size"`
		}{f.Name, len(f.Bytes)})
		size += len(f.Bytes)
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("pack the files of a chip: %w", err)
	}
	if len(head) > mostChipHeadSize || len(r.Files) > MostChipFiles || size > MostChipBytes {
		return nil, fmt.Errorf("pack the files of a chip: %d files of %d bytes", len(r.Files), size)
	}
	out := make([]byte, 0, len(chipMagic)+4+len(head)+size)
	out = append(out, chipMagic...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(head))) //nolint:gosec // bounded above
	out = append(out, head...)
	for _, f := range r.Files {
		out = append(out, f.Bytes...)
	}
	return out, nil
}

// OpenChip reads what PackChip wrote. The files share b's memory. ErrNotChip if it is something else, is cut off, or holds more than
// MostChipFiles.
func OpenChip(b []byte) (ChipRead, error) {
	var h chipHead
	if len(b) < len(chipMagic)+4 || string(b[:len(chipMagic)]) != chipMagic {
		return ChipRead{}, ErrNotChip
	}
	b = b[len(chipMagic):]
	size := binary.BigEndian.Uint32(b)
	b = b[4:]
	if size > mostChipHeadSize || int(size) > len(b) {
		return ChipRead{}, fmt.Errorf("%w: the head is cut off", ErrNotChip)
	}
	if err := json.Unmarshal(b[:size], &h); err != nil {
		return ChipRead{}, fmt.Errorf("%w: the head cannot be read", ErrNotChip)
	}
	if len(h.Files) > MostChipFiles {
		return ChipRead{}, fmt.Errorf("%w: %d files", ErrNotChip, len(h.Files))
	}
	out, rest := ChipRead{Challenge: h.Challenge, Response: h.Response, Agreement: h.Agreement, Relayed: h.Relayed, ReceivedAt: h.ReceivedAt}, b[size:]
	for _, f := range h.Files {
		if f.Size < 0 || f.Size > len(rest) {
			return ChipRead{}, fmt.Errorf("%w: a file is cut off", ErrNotChip)
		}
		out.Files = append(out.Files, ChipFile{Name: f.Name, Bytes: rest[:f.Size:f.Size]})
		rest = rest[f.Size:]
	}
	if len(rest) > 0 {
		return ChipRead{}, fmt.Errorf("%w: %d bytes too many", ErrNotChip, len(rest))
	}
	return out, nil
}
