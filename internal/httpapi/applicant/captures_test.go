package applicant

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func FuzzReadForm(f *testing.F) {
	part := "--b\r\nContent-Disposition: form-data; name=\"attempt\"\r\n\r\nattempt-01\r\n--b\r\nContent-Disposition: form-data; " +
		"name=\"picture\"; filename=\"../../x\"\r\nContent-Type: image/jpeg\r\n\r\nabc\r\n--b--\r\n"
	for _, seed := range []string{
		part, "", "--b--", "--b\r\n\r\n", part[:60],
		"--b\r\nContent-Disposition: form-data; name=\"attempt\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=00\r\n--b--",
	} {
		f.Add([]byte(seed), "multipart/form-data; boundary=b")
	}
	run := "--b\r\nContent-Disposition: form-data; name=\"attempt\"\r\n\r\nattempt-01\r\n--b\r\nContent-Disposition: form-data; " +
		"name=\"run\"\r\n\r\n{}\r\n--b\r\nContent-Disposition: form-data; name=\"frame\"\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; " +
		"name=\"frame\"\r\n\r\ndef\r\n--b--\r\n"
	f.Add([]byte(run), "multipart/form-data; boundary=b")
	f.Add([]byte(part), "multipart/form-data")
	f.Add([]byte(part), "text/html")
	f.Fuzz(func(t *testing.T, body []byte, media string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "/", bytes.NewReader(body))
		if err != nil {
			t.Skip("no request can carry that: ", err)
		}
		r.Header["Content-Type"] = []string{media}
		got, err := edge.ReadForm(r, stepFields)
		if err != nil {
			if _, ok := problem.As(err); !ok {
				t.Fatalf("refused with %v, which is no row of the catalogue", err)
			}
			return
		}
		frames := 0
		for _, frame := range got.Lists["frame"] {
			frames += len(frame)
		}
		if !stepFields["attempt"].Pattern.MatchString(got.Text["attempt"]) || len(got.Files) > 1 || len(got.Files["picture"])+frames > len(body) {
			t.Fatalf("%q became %+v", body, got)
		}
	})
}
