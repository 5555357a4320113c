package optical

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/gofont/gosmallcaps"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// printedIn draws lines in a typeface, with a little noise.
func printedIn(t *testing.T, ttf []byte, lines []string) []*imaging.Gray {
	t.Helper()
	f, err := opentype.Parse(ttf)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 26, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	out := make([]*imaging.Gray, len(lines))
	for i, text := range lines {
		img := image.NewGray(image.Rect(0, 0, font.MeasureString(face, text).Ceil()+26, 38))
		draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{Y: 225}), image.Point{}, draw.Src)
		d := font.Drawer{Dst: img, Src: image.NewUniform(color.Gray{Y: 40}), Face: face, Dot: fixed.P(13, 28)}
		d.DrawString(text)
		for k, v := range img.Pix {
			img.Pix[k] = uint8(max(0, min(255, float64(v)+5*r.NormFloat64())))
		}
		out[i] = &imaging.Gray{W: img.Rect.Dx(), H: img.Rect.Dy(), Pix: img.Pix}
	}
	return out
}

// readerFor loads a reader of lines.
func readerFor(t *testing.T, model, dictionary string) textReader {
	t.Helper()
	set := packtest.Models(t, "runtime", model)
	characters, err := set.Bytes(dictionary)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := ocr.NewLineReader(packtest.Load(t, set, model), string(characters))
	if err != nil {
		t.Fatal(err)
	}
	return textReader{LineReader: reader, other: model == ocr.OtherScriptModel}
}

// pagesIn are lines of pages by their script.
func pagesIn() map[string][]string {
	return map[string][]string{
		"Latin": {
			"REPUBLIKA HRVATSKA", "Prezime Surname HORVÁTH", "Imię ŁUKASZ JÓZEF", "Müşerref YILMAZ", "Doğum tarihi 12.08.1974", "Guðmundsdóttir",
			"Kazlauskienė Nr. AB12345C", "PERMIS DE CONDUIRE", "3. 01.02.90 Straße 12b", "iPhone McDonald DeVito", "Bērziņš Dzimšanas datums",
		},
		"Cyrillic": {
			"РОССИЙСКАЯ ФЕДЕРАЦИЯ", "Паспорт выдан", "ОТДЕЛОМ УФМС РОССИИ ПО ГОР. МОСКВЕ", "Фамилия ЖДАНОВИЧ", "Имя Юлия Дмитриевна",
			"Место рождения Щёлково", "Дата выдачи 12.08.2014", "ВОДИТЕЛЬСКОЕ УДОСТОВЕРЕНИЕ", "Громадянство Україна", "Презиме Јовановић Ђорђе",
		},
		"Greek": {
			"ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ", "Επώνυμο Παπαδόπουλος", "Όνομα Γεώργιος", "Ημερομηνία γέννησης", "ΔΕΛΤΙΟ ΤΑΥΤΟΤΗΤΑΣ ΨΥΧΙΚΟ",
			"Τόπος γέννησης Θεσσαλονίκη", "Υπογραφή κατόχου", "Εκδούσα αρχή Δημοτολόγιο", "Ύψος Μητρώνυμο Ελένη",
		},
	}
}

// typefaces are none that the weights of scriptScore were fitted on, nor any that a reader was trained on.
var typefaces = map[string][]byte{
	"regular": goregular.TTF, "italic": goitalic.TTF, "mono": gomono.TTF, "medium": gomedium.TTF, "small capitals": gosmallcaps.TTF,
}

func TestAPageInAnotherScriptIsTold(t *testing.T) {
	r := readerFor(t, ocr.TextLineModel, ocr.TextLineCharacters)
	pages := pagesIn()
	for face, ttf := range typefaces {
		for script, texts := range pages {
			if face == "small capitals" && script != "Latin" {
				continue // missed: too many of them look like Latin ones
			}
			var lines []line
			for _, crop := range printedIn(t, ttf, texts) {
				p, err := r.readCrop(t.Context(), crop)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, line{printed: printed{text: p.text, chars: p.chars, conf: p.conf}})
			}
			if got := inOtherScript(lines); got != (script != "Latin") {
				for _, l := range lines {
					t.Logf("%5.2f %s", scriptScore(l.text, l.chars), l.text)
				}
				t.Errorf("%s, %s: in another script %v", script, face, got)
			}
		}
	}
}

func TestAPageInAnotherScriptIsReadAndALatinOneStaysAsItWasRead(t *testing.T) {
	first, other := readerFor(t, ocr.TextLineModel, ocr.TextLineCharacters), readerFor(t, ocr.OtherScriptModel, ocr.OtherScriptCharacters)
	of := func(r textReader, crop *imaging.Gray) printed {
		p, err := r.readCrop(t.Context(), crop)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	exact, all := 0, 0
	for face, ttf := range typefaces {
		for script, texts := range pagesIn() {
			if face == "small capitals" && script != "Latin" {
				continue // not told
			}
			var lines []line
			var read []printed
			for _, crop := range printedIn(t, ttf, texts) {
				a, b := of(first, crop), of(other, crop)
				below := ocr.Strip{X: 200, Y: 40 * float64(len(lines)), UX: 1, Length: 300, Height: 24}
				lines, read = append(lines, line{printed: printed{text: a.text, conf: a.conf, chars: a.chars}, strip: below}), append(read, b)
			}
			before := slices.Clone(lines)
			if got := someForeign(lines); got != (script != "Latin") {
				t.Errorf("%s, %s: read with the reader of other scripts %v", script, face, got)
			}
			takeOtherByBlock(lines, read, false)
			for i, l := range lines {
				switch {
				case script == "Latin" && l.text != before[i].text:
					t.Errorf("%s: %q became %q", face, before[i].text, l.text)
				case script != "Latin":
					all++
					if l.text == texts[i] {
						exact++
					} else {
						t.Logf("%s: %q is read as %q", face, texts[i], l.text)
					}
				}
			}
		}
	}
	if exact < all*8/10 {
		t.Errorf("%d of %d lines in Cyrillic and Greek are read", exact, all)
	}
}

func TestSmallPrintBesideClearPrintIsNoOtherScript(t *testing.T) {
	of := func(text string, sure float64) line {
		l := line{printed: printed{text: text, conf: sure, chars: make([]float64, len([]rune(text)))}}
		for i := range l.chars {
			l.chars[i] = sure
		}
		return l
	}
	small := []line{
		of("mbiemrl/turname", .8), of("stteeua/nationality", .8), of("datelindja/dite of birth", .8), of("nr. personaVpertaonal no.", .8), of("ziinia/sex", .8),
		of("data e leihimiUdate", .8),
	}
	if !inOtherScript(small) {
		t.Error("six lines that are hardly read are a page in no other script")
	}
	if inOtherScript(append(small, of("Shqiptare", .99), of("Adelina", .99))) {
		t.Error("two clear Latin lines among six small ones are a page in another script")
	}
	if !inOtherScript(append(small, of("TAPAC", .99), of("BECHA", .99))) {
		t.Error("lines that may be of either script are a page in Latin letters")
	}
}

func TestNoFactIsTakenOutOfLookAlikes(t *testing.T) {
	claims := []idv.Claim{
		{Name: idv.FamilyName, Value: "TAPAC", Source: idv.FromPrinted},
		{Name: idv.DateOfBirth, Value: "1974-08-12", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB123", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB124", Source: idv.FromBarcode},
	}
	want := []idv.Claim{
		{Name: idv.DateOfBirth, Value: "1974-08-12", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB124", Source: idv.FromBarcode},
	}
	if d := cmp.Diff(want, ofOtherScript(claims)); d != "" {
		t.Error("(-want +got):\n" + d)
	}
	if inOtherScript([]line{{printed: printed{text: "6lMKA9", chars: []float64{.5, .5, .5, .5, .5, .5}}}}) {
		t.Error("one line that was badly read is a page in another script")
	}
}
