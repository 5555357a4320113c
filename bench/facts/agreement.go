package facts

import (
	"bufio"
	"context"
	_ "embed" // the list
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// legible is what a person reads on the pictures of passporteye-27 beside the machine-readable zone: a file, then for
// each of the compared facts 1 if it is printed there and can be read.
//
//go:embed passporteye-27.tsv
var legible string

// compared are the facts of the list, in the order of its columns.
var compared = []idv.ClaimName{idv.FamilyName, idv.GivenNames, idv.DocumentNumber, idv.DateOfBirth, idv.DateOfExpiry}

// Agreement is what `bonafide bench facts --agreement` answers: how the print of photographed pages, as it was read,
// agrees with what is transcribed of their machine-readable zones, where a person can read both.
type Agreement struct {
	Pages   int                          `json:"pages"`   // with at least one fact that a person can read
	Whole   bench.Rate                   `json:"whole"`   // pages on which every such fact was read and agrees
	Against bench.Rate                   `json:"against"` // pages on which a printed fact was read that contradicts the truth
	Facts   map[idv.ClaimName]FactAgrees `json:"facts"`
	All     FactAgrees                   `json:"all"`
	Verdict map[idv.PrintedZone]int      `json:"printed_zone"` // what the reader itself said, all pictures
	Files   []FileAgrees                 `json:"files"`
}

// FactAgrees adds up one fact over the pages where a person can read it.
type FactAgrees struct {
	Agrees  bench.Rate `json:"agrees"`
	Differs bench.Rate `json:"differs"`
	Filled  bench.Rate `json:"filled_from_zone"` // print that agrees was found, but not read surely enough to spell it
	NotRead bench.Rate `json:"not_read"`
}

// FileAgrees is one picture: which facts agree, differ and were not read. It says nothing of what they are.
type FileAgrees struct {
	Name        string          `json:"file"`
	Agrees      []idv.ClaimName `json:"agrees"`
	Differs     []idv.ClaimName `json:"differs"`
	Filled      []idv.ClaimName `json:"filled_from_zone"`
	NotRead     []idv.ClaimName `json:"not_read"`
	PrintedZone idv.PrintedZone `json:"printed_zone"`
}

// RunAgreement reads the pictures of a folder with truth.tsv (file, line1..3) that the person's list names. An empty
// list means passporteye-27's.
func RunAgreement(ctx context.Context, dir, list string, r *optical.Reader, progress func(done, total int)) (*Agreement, error) {
	zones, err := readZones(filepath.Join(dir, "truth.tsv"))
	if err != nil {
		return nil, err
	}
	text := legible
	if list != "" {
		raw, err := os.ReadFile(list)
		if err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		text = string(raw)
	}
	out := &Agreement{Facts: map[idv.ClaimName]FactAgrees{}, Verdict: map[idv.PrintedZone]int{}}
	rows := strings.Split(strings.TrimSpace(text), "\n")[1:]
	for i, row := range rows {
		f, err := agreementOf(ctx, dir, strings.Split(strings.TrimSpace(row), "\t"), zones, r)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, f)
		if progress != nil {
			progress(i+1, len(rows))
		}
	}
	out.settle()
	return out, nil
}

func agreementOf(ctx context.Context, dir string, row []string, zones map[string][]string, r *optical.Reader) (FileAgrees, error) {
	out := FileAgrees{
		Name: row[0], Agrees: []idv.ClaimName{}, Differs: []idv.ClaimName{}, Filled: []idv.ClaimName{}, NotRead: []idv.ClaimName{},
		PrintedZone: idv.PrintedNotOnPage,
	}
	want, err := mrz.Parse(zones[row[0]])
	if err != nil {
		return out, fmt.Errorf("bench facts: %s: %w", row[0], err)
	}
	raw, err := bench.OpenPicture(dir, row[0])
	if err != nil {
		return out, err
	}
	img, _, err := imaging.Open(raw, imaging.Limits{})
	if err != nil {
		return out, fmt.Errorf("bench facts: %s: %w", row[0], err)
	}
	page, err := r.Read(ctx, img)
	if err != nil {
		return out, fmt.Errorf("bench facts: %s: %w", row[0], err)
	}
	if page.MRZ != nil {
		out.PrintedZone = page.MRZ.PrintedZone
	}
	for i, name := range compared {
		if len(row) <= i+1 || row[i+1] != "1" {
			continue
		}
		at := slices.IndexFunc(page.Claims, func(c idv.Claim) bool { return c.Name == name && c.Source == idv.FromPrinted })
		switch {
		case at < 0:
			out.NotRead = append(out.NotRead, name)
		case slices.Contains(page.Filled, name):
			out.Filled = append(out.Filled, name)
		case states(name, page.Claims[at].Value, want):
			out.Agrees = append(out.Agrees, name)
		default:
			out.Differs = append(out.Differs, name)
		}
	}
	return out, nil
}

// states reports whether a printed value is what the zone's transcription says.
func states(name idv.ClaimName, printed string, want mrz.Document) bool {
	today := time.Now()
	cut := max(0, want.NameCutAt)
	switch name {
	case idv.FamilyName:
		return icao.SameNameBare(printed, want.Surname, 0) || cut > 0 && icao.SameNameBare(printed, want.Surname, cut)
	case idv.GivenNames:
		return icao.SameNameBare(printed, want.GivenNames, 0) || cut > 0 && icao.SameNameBare(printed, want.GivenNames, cut)
	case idv.DocumentNumber:
		return signs(printed) == signs(want.Number)
	case idv.DateOfBirth:
		return len(printed) > 2 && printed[2:] == want.Birth(today).String()[2:] // the zone's years have two digits
	}
	return len(printed) > 2 && printed[2:] == want.Expiry(today).String()[2:]
}

func (a *Agreement) settle() {
	count := map[idv.ClaimName]counts{}
	whole, against := 0, 0
	for _, f := range a.Files {
		a.Verdict[f.PrintedZone]++
		for k, names := range [4][]idv.ClaimName{f.Agrees, f.Differs, f.Filled, f.NotRead} {
			for _, name := range names {
				n := count[name]
				n[k]++
				count[name] = n
			}
		}
		if len(f.Agrees)+len(f.Differs)+len(f.Filled)+len(f.NotRead) == 0 {
			continue
		}
		a.Pages++
		if len(f.Differs)+len(f.Filled)+len(f.NotRead) == 0 {
			whole++
		}
		if len(f.Differs) > 0 {
			against++
		}
	}
	a.Whole, a.Against = bench.RateOf(whole, a.Pages), bench.RateOf(against, a.Pages)
	var all counts
	for name, n := range count {
		a.Facts[name] = factAgrees(n)
		all = counts{all[0] + n[0], all[1] + n[1], all[2] + n[2], all[3] + n[3]}
	}
	a.All = factAgrees(all)
}

func factAgrees(n counts) FactAgrees {
	o := outcome(n, 0)
	return FactAgrees{o.Exact, o.Wrong, o.Filled, o.Missing}
}

func readZones(path string) (map[string][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bench facts: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	out := map[string][]string{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		parts := strings.Split(strings.TrimRight(s.Text(), "\r"), "\t")
		if len(parts) >= 3 {
			out[parts[0]] = slices.DeleteFunc(parts[1:], func(l string) bool { return l == "" })
		}
	}
	return out, s.Err()
}
