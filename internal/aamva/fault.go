package aamva

import "strconv"

// FaultReason is what a card gets wrong although it can be read.
type FaultReason string

// The reasons of a fault.
const (
	FaultHeader     FaultReason = "header"     // control characters of the header are missing or others
	FaultFileType   FaultReason = "file type"  // AAMVA in a version after 1, or ANSI in version 1
	FaultVersion    FaultReason = "version"    // not 1 to 10
	FaultDigits     FaultReason = "digits"     // the header has more or fewer digits than its version
	FaultDirectory  FaultReason = "directory"  // the header counts its subfiles wrong
	FaultIssuer     FaultReason = "issuer"     // an issuer number that AAMVA does not list
	FaultState      FaultReason = "state"      // an address in another state than the issuer's; genuine cards have one, if rarely
	FaultOffset     FaultReason = "offset"     // a subfile does not begin where the directory says
	FaultLength     FaultReason = "length"     // a subfile is not as long as the directory says
	FaultDesignator FaultReason = "designator" // a subfile does not begin with its type
	FaultTerminator FaultReason = "terminator" // nothing ends a subfile
	FaultSeparator  FaultReason = "separator"  // other or more line ends between elements than one line feed
	FaultCase       FaultReason = "case"       // lower-case element codes
	FaultElement    FaultReason = "element"    // text in a subfile that is no element
	FaultTwice      FaultReason = "twice"      // an element stands twice; the first counts
	FaultOrder      FaultReason = "order"      // a date in the order of the other country
	FaultDate       FaultReason = "date"       // no day
	FaultName       FaultReason = "name"       // a full name that nothing divides into family and given names
	FaultMissing    FaultReason = "missing"    // a mandatory element is missing
)

// Fault says where a card deviates from the standard.
type Fault struct {
	Where  string // subfile type or element code; empty for the header
	Reason FaultReason
	By     int // for offset, length and directory: how many it is off
}

// String is the fault as one word pair, as evidence shows it.
func (f Fault) String() string {
	s := string(f.Reason)
	if f.Where != "" {
		s += " " + f.Where
	}
	if f.By != 0 {
		s += " by " + strconv.Itoa(f.By)
	}
	return s
}

// Tolerance is by how many characters offsets and lengths of issued cards were
// seen to be off. What is off further is read too, but Payload.Sound is false.
const Tolerance = 3

// Sound reports whether offsets and lengths are right within the tolerance,
// every date exists in the order of its country, and the holder's name, number and dates are there.
func (p Payload) Sound() bool {
	for _, f := range p.Faults {
		switch f.Reason {
		case FaultOffset, FaultLength:
			if f.By > Tolerance || f.By < -Tolerance {
				return false
			}
		case FaultDate, FaultOrder:
			return false
		case FaultMissing:
			if vital[f.Where] {
				return false
			}
		}
	}
	return true
}

// fault notes each deviation once.
func (p *Payload) fault(where string, why FaultReason, by int) {
	f := Fault{where, why, by}
	for _, old := range p.Faults {
		if old == f {
			return
		}
	}
	p.Faults = append(p.Faults, f)
}
