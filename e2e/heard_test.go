package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

var updateHeard = flag.Bool("update-heard", false, "write the table of what applicants hear of pictures into docs/")

// mostAsked is how often an applicant is asked for the same thing.
const mostAsked = 2

// wrongRemedies are what nobody who chose a file can do.
var wrongRemedies = []string{"Move closer", "Hold the phone", "tap to focus"}

// kindsByFile are the kinds of document that are in the pictures' file names; others are passports.
var kindsByFile = []struct{ part, kind string }{
	{"usdl", "driving_licence"}, {"_dl", "driving_licence"}, {"license", "driving_licence"}, {"_id_", "id_card"}, {"croID", "id_card"}, {"ro__", "id_card"},
}

func kindOfFile(name string) string {
	for _, k := range kindsByFile {
		if strings.Contains(name, k.part) {
			return k.kind
		}
	}
	return "passport"
}

// TestNobodyIsAskedMoreThanTwiceForTheSameThing uploads each picture of a folder of strangers' documents as somebody who has nothing else,
// and writes down what they hear before the next step opens.
func TestNobodyIsAskedMoreThanTwiceForTheSameThing(t *testing.T) {
	if os.Getenv("BONAFIDE_DATA") == "" {
		t.Skip("BONAFIDE_DATA is not set: no facts/documents")
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("BONAFIDE_DATA"), "facts", "documents", "*.jpg"))
	must(t, err)
	if len(files) == 0 {
		t.Skip("no facts/documents in BONAFIDE_DATA")
	}
	server := served.NewPlace(t).Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	var rows []string
	seen := map[string]int{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(t, err)
		kind := kindOfFile(filepath.Base(file))
		seen[kind]++
		name := fmt.Sprintf("%s %d", strings.ReplaceAll(kind, "_", " "), seen[kind])
		heard := listen(t, open(t, api.createSession(t).URL), kind, raw)
		for code, n := range heard.times() {
			if n > mostAsked {
				t.Errorf("%s: asked %d times for %s", name, n, code)
			}
		}
		for _, r := range heard.remedies {
			for _, wrong := range wrongRemedies {
				if strings.Contains(r, wrong) {
					t.Errorf("%s: told of a file: %s", name, r)
				}
			}
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", name, heard.said(), heard.end))
	}
	table := "# What applicants hear of strangers' pictures\n\n" +
		"<!-- Made by `go test ./e2e -run NobodyIsAskedMoreThanTwice -update-heard` with BONAFIDE_DATA. -->\n\n" +
		"Specimens and invented people of facts/documents, each front uploaded from a file by somebody who has nothing else and sends it again " +
		"whenever it is asked for. Test mode, so specimens count. What is heard comes before the next step opens; several in their order.\n\n" +
		"| document | heard | then |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	t.Log(table)
	if *updateHeard && !t.Failed() {
		must(t, os.WriteFile(filepath.Join("..", "docs", "reference", "heard.md"), []byte(table), 0o600))
	}
}

// hearing is what an applicant is told of a picture that they send again and again.
type hearing struct {
	codes, remedies []string
	end             string
}

func (h hearing) times() map[string]int {
	out := map[string]int{}
	for _, c := range h.codes {
		out[c]++
	}
	return out
}

// said lists the codes, each once with how often.
func (h hearing) said() string {
	if len(h.codes) == 0 {
		return "nothing"
	}
	times := h.times()
	var out []string
	for _, c := range slices.SortedFunc(maps.Keys(times), func(a, b string) int { return slices.Index(h.codes, a) - slices.Index(h.codes, b) }) {
		out = append(out, fmt.Sprintf("`%s` ×%d", c, times[c]))
	}
	return strings.Join(out, ", ")
}

// listen sends a picture until another step is asked for or the session ends, and goes on where it is asked a question.
func listen(t *testing.T, p *applicant, kind string, picture []byte) hearing {
	t.Helper()
	var h hearing
	p.choose(t, kind)
	for try := 1; try <= 8; try++ {
		a := p.sendFile(t, fmt.Sprintf("attempt-%d", try), picture)
		if a.status >= http.StatusInternalServerError {
			t.Fatalf("%d %s", a.status, a.body)
		}
		p.awaitReading(t)
		for p.task.Problem != nil && p.task.Problem.Asks {
			h.hear(p.task)
			p.decodeTask(t, p.post(t, "/v1/applicant/reply", map[string]string{"reply": "continue"}))
			p.awaitReading(t)
		}
		if p.task.Problem != nil && p.task.State == "step" {
			h.hear(p.task)
		}
		if p.task.Step == "choose" {
			p.choose(t, kind)
		}
		if p.task.Step != "document_front" {
			break
		}
	}
	for end := time.Now().Add(time.Minute); p.task.State == "wait" && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		p.decodeTask(t, p.get(t, "/v1/applicant/task"))
	}
	h.end = p.task.State
	if p.task.State == "step" {
		h.end = strings.ReplaceAll(p.task.Step, "_", " ")
	}
	return h
}

func (h *hearing) hear(t task) {
	h.codes, h.remedies = append(h.codes, t.Problem.Code), append(h.remedies, t.Problem.Remedy)
}

func (p *applicant) choose(t *testing.T, kind string) {
	t.Helper()
	p.decodeTask(t, p.do(t, http.MethodPut, "/v1/applicant/steps/choose", "application/json", strings.NewReader(`{"document_kind":"`+kind+`"}`)))
}

// sendFile sends a picture of the front from a file.
func (p *applicant) sendFile(t *testing.T, attempt string, picture []byte) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must(t, form.WriteField("attempt", attempt))
	must(t, form.WriteField("source", "file"))
	part, err := form.CreateFormFile("picture", "picture.jpg")
	must(t, err)
	_, err = part.Write(picture)
	must(t, err)
	must(t, form.Close())
	return p.do(t, http.MethodPut, "/v1/applicant/steps/document_front", form.FormDataContentType(), &body)
}

// awaitReading asks for the task until no picture is being read any more. A machine that is busy may need longer than the flow waits:
// the events say when the reading has come.
func (p *applicant) awaitReading(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		p.task = task{}
		p.decodeTask(t, p.get(t, "/v1/applicant/task"))
		if p.task.Checking == "" {
			return
		}
	}
	t.Fatal("the reading never came")
}
