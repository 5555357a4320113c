// Package nameindex finds the people of watchlists by name.
//
// [Build] compiles lists into one file, which is written beside the old one and put in its place when it is whole. [Open] checks
// the file's digest and maps it, so that a start costs no more than reading it once. A search looks up each word of a name by
// its consonants, with one more or fewer, ranks the names that share the rarest words, and compares the best of them whole.
//
// The file holds what the lists hold and nothing of who was searched for.
package nameindex

import (
	"encoding/binary"
	"errors"
)

// Errors of an index.
var (
	ErrDamaged = errors.New("nameindex: the index is damaged or of another version: add a list to rebuild it")
	ErrBroken  = errors.New("nameindex: the search broke off")
)

// magic ends the file: name and version of the format.
const magic = "BFNAMES3"

// The sections of the file, in the order in which they are written.
const (
	sectionEntities    = "entities"     // JSON, one after the other
	sectionEntityAt    = "entity_at"    // u64 each, one more than entities
	sectionTokens      = "tokens"       // folded words, sorted
	sectionTokenAt     = "token_at"     // u32
	sectionSounds      = "sounds"       // of the tokens
	sectionSoundAt     = "sound_at"     // u32
	sectionCounts      = "counts"       // u32: names with the token's sound
	sectionPostings    = "postings"     // u32: names of each token
	sectionPostingAt   = "posting_at"   // u32
	sectionKeys        = "keys"         // keys of tokens, sorted
	sectionKeyAt       = "key_at"       // u32
	sectionKeyTokens   = "key_tokens"   // u32
	sectionKeyTokenAt  = "key_token_at" // u32
	sectionNear        = "near"         // u32 pairs, sorted: digest of a key with a letter left out, key
	sectionNames       = "names"        // u32: token, with its role above
	sectionNameAt      = "name_at"      // u32
	sectionNameEntity  = "name_entity"  // u32 pairs: entity, number of the name there
	sectionNumbers     = "numbers"      // u32 pairs, sorted: digest of a document's number, entity
	roleShift          = 30
	tokenMask          = 1<<roleShift - 1
	bytesOfU32         = 4
	leastNearKey       = 3
	mostCandidates     = 200     // names that are compared whole
	mostPostings       = 3 << 20 // names looked at before only those with a rarer word are
	defaultLimit       = 20
	mostTokensOfAQuery = 24
)

// List is a list that is in the index.
type List struct {
	Name    string `json:"name"`
	Version string `json:"version"` // digest of the file that was added
}

// footer describes the file.
type footer struct {
	Lists       []List               `json:"lists"`
	Names       int                  `json:"names"`
	Entities    int                  `json:"entities"`
	Equivalents [][2]string          `json:"equivalents"`
	Sections    map[string][2]uint64 `json:"sections"` // offset and length in bytes
}

// u32s is a mapped array.
type u32s []byte

func (a u32s) len() int { return len(a) / bytesOfU32 }

func (a u32s) at(i int) uint32 { return binary.LittleEndian.Uint32(a[i*bytesOfU32:]) }
