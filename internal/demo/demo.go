// Package demo fills a deployment with invented sessions, so that its console can be seen, shown and measured with something
// in it. It tells stories: who came, how far they got, what the checks found and what people decided. Each story is played
// through the same use cases as a real session, by a clock of its own and an engine that finds what the story says; so
// keys, indexes, events, cases and the audit log are as they are after real use. Nobody in it exists, everything is of test
// mode, and no story makes an account, a password or an API key.
//
// The same seed tells the same stories, whenever it is told. Ids, links and keys are drawn anew each time.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
)

// ErrLive refuses a deployment that has sessions of real people.
var ErrLive = errors.New("this deployment holds live sessions: demo data is only for one that holds none")

// Brief is the number of sessions above which they get no pictures, checks or claims: rows enough for lists, the queue and
// figures, written many at a time.
const Brief = 2000

// Person is an invented holder of a document.
type Person struct {
	Surname, GivenNames string
	Sex                 string // F, M or X
	Born                time.Time
}

// Options say what is made. People and Sessions are required.
type Options struct {
	Sessions int
	Days     int // over how many days before now they are spread; 90 for 0
	Seed     uint64
	People   func(seed int64) Person // the same person for the same seed
	Log      *slog.Logger

	// Staff are the members in whose names is decided, and Officer who sets legal holds. Without any, they are invented as well: ids
	// of nobody.
	Staff   []review.Reviewer
	Officer idv.UserID

	// Specimens are played with real pictures and a real engine, as the newest sessions; none without Engine.
	Specimens []Specimen
	Engine    session.Engine

	Progress func(done, all int) // after each session, or each batch of them; may be nil
}

// DefaultDays is how far back the sessions reach.
const DefaultDays = 90

// Summary counts what was made.
type Summary struct {
	Sessions int
	States   map[idv.SessionState]int // of test mode, afterwards: with what was there before
	Brief    bool
}

// Fill makes the sessions. The store has to tell time by the same clock, which stands at now afterwards. Problems: ErrLive.
func Fill(ctx context.Context, st session.Store, pictures session.Pictures, clock *Clock, o Options) (Summary, error) {
	live, err := st.CountStates(ctx, idv.Live)
	if err != nil {
		return Summary{}, err
	}
	for _, n := range live {
		if n > 0 {
			return Summary{}, ErrLive
		}
	}
	if o.Days <= 0 {
		o.Days = DefaultDays
	}
	if len(o.Staff) == 0 {
		o.invent(clock.Now())
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	now := clock.Now()
	out := Summary{Sessions: o.Sessions, Brief: o.Sessions > Brief}
	stories := makeStories(o, now)
	if out.Brief {
		err = write(ctx, st, clock, stories, o)
	} else {
		out.Sessions += len(o.Specimens)
		err = newPlayers(st, pictures, clock, o).play(ctx, stories, o.Specimens)
	}
	clock.Set(now)
	if err != nil {
		return Summary{}, fmt.Errorf("make demo data: %w", err)
	}
	if err := keep(ctx, st, pictures, clock); err != nil {
		return Summary{}, fmt.Errorf("keep demo data: %w", err)
	}
	out.States, err = st.CountStates(ctx, idv.Test)
	return out, err
}

// keep sets that test sessions of this deployment stay for longer than a day: else everything would be gone tomorrow.
func keep(ctx context.Context, st session.Store, pictures session.Pictures, clock *Clock) error {
	s := services.New(st, pictures, nil, services.Options{Now: clock.Now})
	return s.Retention.ChangeRetention(ctx, func(set idv.RetentionSetting) idv.RetentionSetting {
		set.Demo = idv.DemoRetention
		return set
	})
}

// makeStories draws the stories, oldest first.
func makeStories(o Options, now time.Time) []story {
	out := make([]story, 0, o.Sessions)
	for i := range o.Sessions {
		r := rand.New(rand.NewPCG(o.Seed, uint64(i))) //nolint:gosec // stories are to be the same for the same seed
		out = append(out, invent(r, i, o, now))
	}
	slices.SortStableFunc(out, func(a, b story) int { return a.at.Compare(b.at) })
	return out
}
