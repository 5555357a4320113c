package edge

import (
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/google/go-cmp/cmp"
)

func TestACallWritesOnlyWhatItChanged(t *testing.T) {
	type values map[string]any
	day := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	s := loginStore{codec: scs.GobCodec{}}
	encode := func(v values) []byte {
		t.Helper()
		raw, err := s.codec.Encode(day, v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for name, tt := range map[string]struct{ read, mine, now, want values }{
		"a call that changed nothing": {
			read: values{userKey: "ada"}, mine: values{userKey: "ada"}, now: values{userKey: "ada", provedKey: int64(7)},
			want: values{userKey: "ada", provedKey: int64(7)},
		},
		"a call that put something": {
			read: values{userKey: "ada"}, mine: values{userKey: "ada", browserKey: "b"}, now: values{userKey: "ada", provedKey: int64(7)},
			want: values{userKey: "ada", provedKey: int64(7), browserKey: "b"},
		},
		"a call that took something away": {
			read: values{userKey: "ada", browserKey: "b"}, mine: values{userKey: "ada"}, now: values{userKey: "ada", browserKey: "b", provedKey: int64(7)},
			want: values{userKey: "ada", provedKey: int64(7)},
		},
		"a proof that is older than the one that stands": {
			read: values{provedKey: int64(1)}, mine: values{provedKey: int64(5)}, now: values{provedKey: int64(7)},
			want: values{provedKey: int64(7)},
		},
		"a proof that is newer": {
			read: values{provedKey: int64(1)}, mine: values{provedKey: int64(9)}, now: values{provedKey: int64(7)},
			want: values{provedKey: int64(9)},
		},
	} {
		raw, err := s.merge(encode(tt.read), encode(tt.mine), encode(tt.now))
		if err != nil {
			t.Fatal(err)
		}
		_, got, err := s.codec.Decode(raw)
		if diff := cmp.Diff(map[string]any(tt.want), got); diff != "" || err != nil {
			t.Errorf("%s (-want +got): %v\n%s", name, err, diff)
		}
	}
	if _, err := s.merge([]byte("x"), encode(nil), encode(nil)); err == nil {
		t.Error("a session that cannot be read is merged")
	}
}
