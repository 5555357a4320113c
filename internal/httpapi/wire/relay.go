package wire

import (
	"encoding/hex"
	"strings"

	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Limits of messages from the phone in a relay.
const (
	MostRelayMessage = 512 << 10 // bytes of one
	MostRelayBytes   = 16 << 20  // of all in a connection
	MostRelayCount   = 2000      // messages in a connection
)

// RelaySent is a message from the phone.
type RelaySent struct {
	Type string `json:"type" enum:"start,again,answers,lost"`

	// Of start.
	Key           *RelayKey `json:"key"`
	LongestAnswer int       `json:"longest_answer"`

	// Of answers and lost.
	ID      int      `json:"id"`
	Answers []string `json:"answers"`
}

// RelayKey is what opens a chip.
type RelayKey struct {
	Number string `json:"document_number"`
	Birth  string `json:"date_of_birth"`
	Expiry string `json:"date_of_expiry"`
	CAN    string `json:"can"`
}

// ChipKey returns the key; zero, which means that of the page, where none was sent.
func (m RelaySent) ChipKey() applicant.ChipKey {
	if m.Key == nil {
		return applicant.ChipKey{}
	}
	return applicant.ChipKey{Number: m.Key.Number, Birth: m.Key.Birth, Expiry: m.Key.Expiry, CAN: m.Key.CAN}
}

// Raw returns the answers of the chip; false if one of them is not hexadecimal.
func (m RelaySent) Raw() ([][]byte, bool) {
	var out [][]byte
	for _, a := range m.Answers {
		raw, err := hex.DecodeString(a)
		if err != nil {
			return nil, false
		}
		out = append(out, raw)
	}
	return out, true
}

// RelayReady is the server's first message.
type RelayReady struct {
	Type string   `json:"type"`
	Page bool     `json:"page"` // the zone on the page opens the chip: nothing need be typed
	Kept []string `json:"kept"` // files that an earlier connection read
}

// RelayCommands are commands for the chip.
type RelayCommands struct {
	Type     string   `json:"type"`
	ID       int      `json:"id"`
	Commands []string `json:"commands"` // in hexadecimal
	Reading  string   `json:"reading"`  // file; empty before there is access
	Read     int      `json:"read"`     // bytes, and of how many; 0 before it is known
	Of       int      `json:"of"`
}

// RelayStopped says that the read stopped, and how it goes on.
type RelayStopped struct {
	Type    string              `json:"type"` // stopped, or failed where it does not go on
	Next    applicant.RelayGoes `json:"next"`
	Problem *Problem            `json:"problem"`
}

// RelayDone is the server's last message.
type RelayDone struct {
	Type string `json:"type"`
	Task Task   `json:"task"`
}

// HexCommands writes commands for a phone.
func HexCommands(commands [][]byte) []string {
	out := make([]string, len(commands))
	for i, c := range commands {
		out[i] = strings.ToUpper(hex.EncodeToString(c))
	}
	return out
}
