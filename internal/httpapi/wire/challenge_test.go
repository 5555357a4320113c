package wire

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func FuzzReadRun(f *testing.F) {
	for _, seed := range []string{
		`{"challenge":"chl_1.ab","times_ms":[0,100],"camera":{"label":"front","frame_rate":29.97,"hints":["a"]}}`,
		`{"challenge":"chl_1.ab","times_ms":[0,100],"light_ms":[600,1900]}`,
		`{}`, ``, `[]`, `{"passed":true}`, `{"camera":{"verdict":1}}`, `{"times_ms":[1e400]}`, `{"times_ms":[0.5]}`, `{"Challenge":"x"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if _, err := ReadFrameRun(raw); err != nil {
			if _, ok := problem.As(err); !ok {
				t.Fatalf("refused with %v, which is no row of the catalogue", err)
			}
		}
	})
}
