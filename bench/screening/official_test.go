package screening

import (
	"bytes"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/watchlist"
)

func TestAnInventedListIsReadWholeInItsFormatAndIsTheSameAgain(t *testing.T) {
	t.Parallel()
	published := time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC)
	for format := range OfficialSizes() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			var one, two bytes.Buffer
			o := Official{Format: format, Bytes: 200_000, Seed: 7, Day: published, Nameless: 10}
			n, err := WriteOfficial(&one, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := WriteOfficial(&two, o); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
				t.Errorf("the same options make %d and %d bytes, %v", one.Len(), two.Len(), err)
			}
			s, err := watchlist.Read(&one, watchlist.Options{}, func(c watchlist.Change, _ watchlist.Format) error {
				if len(c.Entity.Births) != 1 || !c.Entity.Births[0].Known() || c.Entity.Kind != watchlist.Person {
					t.Errorf("an entry is %+v", c.Entity)
				}
				return nil
			})
			if err != nil || s.Format != format || s.Entities+s.Rejected != n || s.Rejected != n/10 {
				t.Errorf("of %d entries: %+v, %v", n, s, err)
			}
			if format != watchlist.FtM && !s.Published.Truncate(24*time.Hour).Equal(published) {
				t.Errorf("published %s", s.Published)
			}
		})
	}
}
