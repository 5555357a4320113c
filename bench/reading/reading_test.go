package reading

import (
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// card is an invented card with a label before each value.
func card() Picture {
	p := Picture{Name: "card", Good: true, Truth: map[idv.ClaimName]facts.Truth{
		idv.FamilyName:     {Name: idv.FamilyName, Value: "MUSTERFRAU", Printed: "MUSTERFRAU"},
		idv.DateOfBirth:    {Name: idv.DateOfBirth, Value: "1964-08-12", Printed: "12.08.1964"},
		idv.DocumentNumber: {Name: idv.DocumentNumber, Value: "L01X00T47", Printed: "L01X00T47"},
	}}
	p.Page = reading.Page{Width: 1000, Height: 700, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	for i, text := range []string{"Surname: MUSTERFRAU", "Date of birth: 12.08.1964", "Document number: L01X00T47"} {
		length := float64(len(text)) * 16
		p.Page.Lines = append(p.Page.Lines, reading.Line{Text: text, Strip: reading.Strip{X: 100 + length/2, Y: 100 + 50*float64(i), Length: length, Height: 30}})
	}
	return p
}

func TestAFitOfWitnessesHeedsWhatTheyAreRightAbout(t *testing.T) {
	var pictures []Picture
	for _, issued := range []string{"03.04.2021", "17.09.2019", "30.11.2024"} {
		p := card()
		day, err := time.Parse("02.01.2006", issued)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{"Xuqor: " + issued, "Vamir: " + day.AddDate(10, 0, -1).Format("02.01.2006")} {
			length := float64(len(text)) * 16
			p.Page.Lines = append(p.Page.Lines, reading.Line{Text: text, Strip: reading.Strip{X: 100 + length/2, Y: 300 + 50*float64(i), Length: length, Height: 30}})
		}
		p.Truth[idv.DateOfIssue] = facts.Truth{Name: idv.DateOfIssue, Value: day.Format(time.DateOnly), Printed: issued}
		p.Truth[idv.DateOfExpiry] = facts.Truth{Name: idv.DateOfExpiry, Value: day.AddDate(10, 0, -1).Format(time.DateOnly), Printed: issued}
		pictures = append(pictures, p)
	}
	first, last := 0.0, 0.0
	w := FitWitnesses(&reading.Model{}, pictures, func(round int, loss float64) {
		if round == 0 {
			first = loss
		}
		last = loss
	})
	if last >= first {
		t.Errorf("the loss went from %f to %f", first, last)
	}
	if term, none := w["pair issue expiry term"], w["pair issue expiry no term"]; term <= 0 || none >= term {
		t.Errorf("a term counts %f, none %f", term, none)
	}
}

func TestTheModelThatShipsReadsACard(t *testing.T) {
	s := ScoreOf([]Picture{card()}, func(p reading.Page) []idv.Claim {
		return reading.ReadWith(p, reading.Fitted(), reading.Limits{}).Claims
	})
	if want := (Count{Exact: 3}); s.All != want {
		t.Errorf("got %+v, want %+v: %+v", s.All, want, s.Misses)
	}
}

func TestAWholeBlurLeavesValuesAndNoLabel(t *testing.T) {
	p := Blur(card(), 1, 7)
	for i, value := range []string{"MUSTERFRAU", "12.08.1964", "L01X00T47"} {
		got := p.Page.Lines[i].Text
		if !strings.HasSuffix(got, ": "+value) || len(got) != len(card().Page.Lines[i].Text) {
			t.Errorf("line %d is %q", i, got)
		}
	}
	if got := p.Page.Lines[0].Text; strings.HasPrefix(got, "Surname") {
		t.Errorf("the label is %q", got)
	}
	if got, want := Blur(card(), 0, 7).Page.Lines[0].Text, card().Page.Lines[0].Text; got != want {
		t.Errorf("without a blur: %q, want %q", got, want)
	}
}

func TestEveryAblationSwitchesSomethingOff(t *testing.T) {
	m := reading.Fitted()
	for _, a := range ablations[1:] {
		covered := a.free != (reading.Free{})
		for name := range m.Weights {
			covered = covered || a.covers(name)
		}
		for _, name := range m.Nets[0].Witnesses {
			covered = covered || a.covers(name)
		}
		if !covered {
			t.Errorf("%q switches off no feature that has a weight", a.name)
		}
	}
}

func TestAFitOfKindsTellsWhatItWasFittedTo(t *testing.T) {
	p := card()
	p.WantKind, p.WantIssuer = idv.IDCard, "FRA"
	for i, text := range []string{"CARTE D'IDENTITÉ", "RÉPUBLIQUE FRANÇAISE"} {
		p.Page.Lines = append(p.Page.Lines, reading.Line{Text: text, Strip: reading.Strip{X: 300, Y: 20 + 40*float64(i), Length: 300, Height: 40}})
	}
	blank := card()
	blank.WantKind, blank.WantIssuer = "", "FRA"
	pictures := []Picture{p, blank}
	w := FitIdentity(pictures)
	got := ScoreIdentity(pictures, w, .5)
	if want := (Told{Right: 1, Open: 1}); got.Issuer.Right != want.Right || got.Issuer.Open != want.Open || got.Issuer.Wrong != 0 {
		t.Errorf("issuers: got %+v, want %+v", got.Issuer, want)
	}
	if got.Kind.Right != 1 || got.Kind.Wrong+got.Kind.Open != 0 {
		t.Errorf("kinds: got %+v, want one right", got.Kind)
	}
}

func TestABlurOfLabelsLeavesWhatIsNone(t *testing.T) {
	p := card()
	labels := make([][]int8, len(p.Page.Lines))
	for i, l := range p.Page.Lines {
		labels[i] = make([]int8, len([]rune(l.Text)))
		for k := range strings.Index(l.Text, ":") {
			labels[i][k] = 1
		}
	}
	for i, l := range BlurLabels(p, labels, 1, 7).Page.Lines {
		label, value, _ := strings.Cut(l.Text, ":")
		wantLabel, wantValue, _ := strings.Cut(p.Page.Lines[i].Text, ":")
		if label == wantLabel || len(label) != len(wantLabel) || value != wantValue {
			t.Errorf("%q became %q", p.Page.Lines[i].Text, l.Text)
		}
	}
}

func TestAGarbledPageStatesNothing(t *testing.T) {
	p := Garbled(card(), 7)
	if len(p.Truth) != 0 || len(card().Truth) == 0 {
		t.Errorf("truth %v", p.Truth)
	}
	for i, l := range p.Page.Lines {
		if was := card().Page.Lines[i].Text; l.Text == was || len([]rune(l.Text)) != len(was) {
			t.Errorf("%q became %q", was, l.Text)
		}
	}
}
