package chip

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"

// read is a chip of Utopia, with who signed for it.
func read(t testing.TB) (idv.ChipRead, *emrtdtest.Holder) {
	t.Helper()
	authority := emrtdtest.NewAuthority("UT", kind, 1)
	files := emrtdtest.Chip()
	files[lds.SOD] = authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -1, 0)})
	opened, err := Open(slices.Collect(maps.Values(files)))
	if err != nil {
		t.Fatal(err)
	}
	return idv.ChipRead{Files: opened, ReceivedAt: emrtdtest.Now}, authority
}

// found is what trusting an authority finds about a read.
func found(t *testing.T, r idv.ChipRead, authority *emrtdtest.Holder) (*emrtd.Report, idv.Chip) {
	t.Helper()
	store := new(trust.Store)
	if err := store.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT", Source: "by post"}); err != nil {
		t.Fatal(err)
	}
	report, err := verify(r, store)
	if err != nil {
		t.Fatal(err)
	}
	return report, Describe(r, report)
}

func TestAFindingIsProvedAgainByItsAnchorAlone(t *testing.T) {
	t.Parallel()
	r, authority := read(t)
	_, got := found(t, r, authority)
	if !got.Authentic || got.NotACopy || got.Revocation != idv.RevocationNotChecked || len(got.Path) != 2 || got.Anchor.Source != "by post" {
		t.Fatalf("found %+v", got)
	}
	if said, err := Prove(r, got); err != nil || len(said) != 3 {
		t.Errorf("proved %q, %v", said, err)
	}
	for name, change := range map[string]func(*idv.ChipRead, *idv.Chip){
		"a data group that was changed": func(r *idv.ChipRead, _ *idv.Chip) {
			r.Files = slices.Clone(r.Files)
			r.Files[slices.IndexFunc(r.Files, func(f idv.ChipFile) bool { return f.Name == "DG1" })].Bytes = emrtdtest.DG1(emrtdtest.Zone[0], emrtdtest.Zone[1])[:60]
		},
		"a finding without an anchor": func(_ *idv.ChipRead, c *idv.Chip) { c.Path = c.Path[:1] },
		"a finding with another anchor": func(_ *idv.ChipRead, c *idv.Chip) {
			other := emrtdtest.NewAuthority("UT", kind, 7)
			c.Path = []idv.ChipIssuer{c.Path[0], {SHA256: idv.Digest(other.Cert.Fingerprint()), DER: other.Raw}}
		},
		"a finding with an anchor that is none": func(_ *idv.ChipRead, c *idv.Chip) {
			c.Path = []idv.ChipIssuer{c.Path[0], {DER: []byte("a letter")}}
		},
		"a finding that says more than was shown": func(_ *idv.ChipRead, c *idv.Chip) { c.NotACopy = true },
	} {
		t.Run(name, func(t *testing.T) {
			r, c := r, got
			change(&r, &c)
			if said, err := Prove(r, c); !errors.Is(err, ErrNotProved) {
				t.Errorf("proved %q, %v", said, err)
			}
		})
	}
	if said, err := Prove(r, idv.Chip{}); err != nil || len(said) != 1 {
		t.Errorf("a chip that was not found authentic: %q, %v", said, err)
	}
}

func TestWhatAChipStates(t *testing.T) {
	t.Parallel()
	r, authority := read(t)
	report, _ := found(t, r, authority)
	say := func(change func(*emrtd.Report)) map[idv.ClaimName]string {
		c := *report
		person := *report.Person
		c.Person = &person
		change(&c)
		out := map[idv.ClaimName]string{}
		for _, claim := range claims(&c, emrtdtest.Now) {
			out[claim.Name] = claim.Value
		}
		return out
	}
	for name, tt := range map[string]struct {
		change func(*emrtd.Report)
		of     idv.ClaimName
		want   string
	}{
		"a name in full":                       {func(*emrtd.Report) {}, idv.GivenNames, "ÅNNA MARIA"},
		"a name in another script":             {func(r *emrtd.Report) { r.Person.Name = "ЭРИКССОН, АННА МАРИЯ" }, idv.FamilyName, "ERIKSSON"},
		"a name of somebody else":              {func(r *emrtd.Report) { r.Person.Name = "SMITH, JOHN" }, idv.FamilyName, "ERIKSSON"},
		"a name without a comma":               {func(r *emrtd.Report) { r.Person.Name = "ANNA ERIKSSON" }, idv.GivenNames, "ANNA MARIA"},
		"a birth of a hundred years before":    {func(r *emrtd.Report) { r.Person.Birth = "18740812" }, idv.DateOfBirth, "1874-08-12"},
		"a birth that is no day":               {func(r *emrtd.Report) { r.Person.Birth = "19741399" }, idv.DateOfBirth, "1974-08-12"},
		"another birth than the zone's":        {func(r *emrtd.Report) { r.Person.Birth = "19740813" }, idv.DateOfBirth, "1974-08-12"},
		"a personal number of the zone":        {func(*emrtd.Report) {}, idv.PersonalNumber, "ZE184226B"},
		"a personal number of its own":         {func(r *emrtd.Report) { r.Person.PersonalNumber = "740812-0001" }, idv.PersonalNumber, "740812-0001"},
		"a zone alone":                         {func(r *emrtd.Report) { r.Person, r.Issue = nil, nil }, idv.GivenNames, "ANNA MARIA"},
		"no zone":                              {func(r *emrtd.Report) { r.Zone = nil }, idv.FamilyName, ""},
		"a document that does not expire":      {func(r *emrtd.Report) { z := mrz.Document{Surname: "ERIKSSON"}; r.Zone = &z }, idv.DateOfExpiry, ""},
		"who issued it":                        {func(*emrtd.Report) {}, idv.Authority, "PASSPORT OFFICE"},
		"when it was issued, if that is a day": {func(r *emrtd.Report) { r.Issue = &lds.Issue{Date: "2030"} }, idv.DateOfIssue, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, say(tt.change)[tt.of]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.of, diff)
			}
		})
	}
}

// FuzzOpen opens anything in place of one file: what is taken can be packed and verified.
func FuzzOpen(f *testing.F) {
	r, _ := read(f)
	for i := range r.Files {
		f.Add(r.Files[i].Bytes, uint8(i))
	}
	f.Fuzz(func(t *testing.T, raw []byte, at uint8) {
		var files [][]byte
		for i, file := range r.Files {
			if i == int(at)%len(r.Files) {
				files = append(files, raw)
			} else {
				files = append(files, file.Bytes)
			}
		}
		opened, err := Open(files)
		if err != nil {
			if p, ok := problem.As(err); !ok || p.Kind.Severity != problem.None {
				t.Fatalf("refused by %v, which is no problem of the sender", err)
			}
			return
		}
		report, err := verify(idv.ChipRead{Files: opened, ReceivedAt: emrtdtest.Now}, new(trust.Store))
		if err != nil || report.Authentic {
			t.Fatalf("taken and then %v, authentic for nobody's trust: %v", err, report)
		}
	})
}
