package e2e

import (
	"bytes"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

// Fifty people send 14 MiB at the same moment to a server that gives 96 MiB to that. Each of them comes back as the page
// would, and each is answered in the end.
func TestFiftyLargePicturesAtOnceStayWithinTheMemoryForThem(t *testing.T) {
	const people, most = 50, 96 << 20
	s := served.NewPlace(t, "--picture-mb", strconv.Itoa(most>>20)).Serve(t)
	api := client{url: s.URL, bearer: s.Key}
	picture := bytes.Repeat([]byte("no picture"), 14<<20/10)
	var senders []*applicant
	for range people {
		senders = append(senders, open(t, api.createSession(t).URL))
	}
	senders[0].send(t, "document_front", "attempt-0", picture) // what one needs is part of what was there before
	before := s.PeakMemory(t)

	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for _, p := range senders {
		all.Go(func() {
			code := p.persist(t, picture)
			mu.Lock()
			codes[code]++
			mu.Unlock()
		})
	}
	all.Wait()
	if codes["capture.not_an_image"] != people {
		t.Errorf("the answers are %v, want capture.not_an_image for each of %d", codes, people)
	}
	grown := s.PeakMemory(t) - before
	t.Logf("%d MiB more at the most, for %d MiB sent at once", grown>>20, people*len(picture)>>20)
	if grown > 4*most {
		t.Errorf("it took %d MiB more, want at most four times the bound of %d MiB", grown>>20, most>>20)
	}
}

// persist sends a picture as one attempt until the answer is another than busy, and answers its code.
func (p *applicant) persist(t *testing.T, picture []byte) string {
	t.Helper()
	body, contentType := pictureForm(t, picture)
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Second) {
		a, err := p.try(http.MethodPut, "/v1/applicant/steps/document_front", contentType, bytes.NewReader(body))
		if err != nil {
			return err.Error()
		}
		if a.status != http.StatusServiceUnavailable {
			_, code, _ := strings.Cut(string(a.body), `"code":"`)
			code, _, _ = strings.Cut(code, `"`)
			return code
		}
	}
	return "no turn in two minutes"
}

// pictureForm is the form of a picture's first attempt.
func pictureForm(t *testing.T, picture []byte) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	must(t, form.WriteField("attempt", "attempt-1"))
	part, err := form.CreateFormFile("picture", "picture.jpg")
	must(t, err)
	_, err = part.Write(picture)
	must(t, err)
	must(t, form.Close())
	return b.Bytes(), form.FormDataContentType()
}

func TestAHundredPicturesOf50MegapixelsAtOnceAreAnswered(t *testing.T) {
	const people, most = 100, 1200 << 20 // 700 MB of open pictures and what is not collected yet
	s := served.NewPlace(t).Serve(t)
	api := client{url: s.URL, bearer: s.Key}
	var picture bytes.Buffer
	must(t, jpeg.Encode(&picture, image.NewYCbCr(image.Rect(0, 0, 10_000, 5_000), image.YCbCrSubsampleRatio420), nil))
	var senders []*applicant
	for range people {
		senders = append(senders, open(t, api.createSession(t).URL))
	}
	senders[0].send(t, "document_front", "attempt-0", picture.Bytes())
	before := s.PeakMemory(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	body, contentType := pictureForm(t, picture.Bytes())
	for _, p := range senders[1:] {
		all.Go(func() {
			a, err := p.try(http.MethodPut, "/v1/applicant/steps/document_front", contentType, bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			codes[a.status]++
			mu.Unlock()
		})
	}
	all.Wait()
	if codes[422] == 0 || codes[422]+codes[503] != people-1 {
		t.Errorf("the answers are %v, want capture.blurred for some and unavailable for the others", codes)
	}
	peak := s.PeakMemory(t)
	t.Logf("%v; %d MiB at the most, %d MiB with one picture", codes, peak>>20, before>>20)
	if peak > most {
		t.Errorf("it took %d MiB, want at most %d MiB", peak>>20, most>>20)
	}
}
