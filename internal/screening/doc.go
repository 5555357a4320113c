// Package screening looks for the person of a session on the watchlists of the deployment, and says what it found so that a reviewer
// can follow it: the name as listed beside the name as read, word by word, and which facts agree, differ or are not known.
//
// A check of it passes or is undecided, and never fails: an entry of a list may be the person, and whether it is, people decide.
// Whatever keeps it from looking, from a list that is missing to a name that cannot be searched for, is a reason of its own.
package screening

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// ErrNotReady means that the lists are being compiled for the first time since the server started.
var ErrNotReady = errors.New("the watchlists are not compiled yet")

// Source answers what is searched.
type Source interface {
	// Snapshot returns the compiled lists as they are now. The caller releases them. It returns ErrNotReady where there are lists in
	// use and none is compiled.
	Snapshot(ctx context.Context) (*Snapshot, error)
}

// Index searches compiled lists (nameindex.Index).
type Index interface {
	Search(q nameindex.Query) (nameindex.Result, error)
	Literal(q nameindex.Query, least float64) (hits []nameindex.LiteralHit, all int, err error)
	Digest() string
}

// Snapshot is what is searched at a moment. Its index stays usable until it is released.
type Snapshot struct {
	Index   Index // nil where no list is in use
	Lists   []List
	release func()
}

// NewSnapshot returns a Snapshot. release may be nil.
func NewSnapshot(index Index, lists []List, release func()) *Snapshot {
	return &Snapshot{Index: index, Lists: lists, release: release}
}

// Release says that the caller is done.
func (s *Snapshot) Release() {
	if s.release != nil {
		s.release()
	}
}

// List is a list of a snapshot.
type List struct {
	Name      string
	Title     string
	Topics    []idv.ScreeningTopic // that the list covers
	SHA256    string               // of the version that is compiled
	Published string               // YYYY-MM-DD; empty where it does not say so
	Old       bool                 // beyond its age limit
	Held      bool                 // a newer version of it is held
}

// listedFor reports whether an entry is listed for a topic. One entry can be listed for several.
func listedFor(e watchlist.Entity, topic idv.ScreeningTopic) bool {
	is := func(t string) idv.ScreeningTopic {
		switch root, rest, _ := strings.Cut(t, "."); {
		case root == "sanction":
			return idv.TopicSanctions
		case root == "role" && (rest == "pep" || strings.HasPrefix(rest, "pep.") || rest == "rca"):
			return idv.TopicPEP
		}
		return idv.TopicWatch
	}
	if len(e.Topics) == 0 {
		return topic == idv.TopicWatch
	}
	return slices.ContainsFunc(e.Topics, func(t string) bool { return is(t) == topic })
}

// topicOf returns the gravest topic that an entry is listed for.
func topicOf(e watchlist.Entity) idv.ScreeningTopic {
	for _, t := range idv.ScreeningTopics() {
		if listedFor(e, t) {
			return t
		}
	}
	return idv.TopicWatch
}

// associate reports whether an entry is of a relative or close associate of a politically exposed person, and of no such person.
func associate(topics []string) bool {
	return slices.Contains(topics, "role.rca") && !slices.Contains(topics, "role.pep")
}
