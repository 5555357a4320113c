package screening

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// SpeedOptions say how much is measured.
type SpeedOptions struct {
	Names    int // of the index
	Searches int
	Subjects int // who are screened again
	Changed  int // entries that changed
	Runs     int // of build and start and list: the fastest counts
	Seed     uint64
	List     int // bytes of SDN.XML
}

// Took is how long something took, in seconds.
type Took struct {
	Processor float64 `json:"processor_s"`
	Wall      float64 `json:"wall_s"`
}

// Speed is what lists of full size cost.
type Speed struct {
	People      int             `json:"people"`
	Names       int             `json:"names"`
	IndexBytes  int64           `json:"index_bytes"`
	Build       Took            `json:"build"`            // reading is not in it, compiling, writing and syncing are
	BuildPeak   int64           `json:"build_peak_bytes"` // resident, above what was there before; pages of files are not in it
	Start       Took            `json:"start"`            // check the digest and map the file
	Resident    int64           `json:"resident_bytes"`   // above what was there before, after the searches
	Mapped      int64           `json:"mapped_bytes"`     // pages of the index in memory, which the system may take back
	Search      bench.Quantiles `json:"search_processor_ms"`
	SearchWall  bench.Quantiles `json:"search_wall_ms"`
	Found       bench.Rate      `json:"found"`                 // of the searches for somebody who is in the index, misspelt or in another script
	Literal     bench.Quantiles `json:"written_alike_wall_ms"` // to compare every name letter by letter
	ListBytes   int64           `json:"list_bytes"`
	ListEntries int             `json:"list_entries"`
	List        Took            `json:"list"` // parse SDN.XML
	ListPeak    int64           `json:"list_peak_bytes"`
	Delta       Took            `json:"delta"`
	Subjects    int             `json:"subjects"`
	Changed     int             `json:"changed"`
	Searched    int             `json:"subjects_searched"` // whom the probe could not rule out
}

// MeasureSpeed invents people and measures what screening against them costs. Files are made in a temporary folder.
func MeasureSpeed(o SpeedOptions, progress func(string)) (*Speed, error) {
	dir, err := os.MkdirTemp("", "screening-speed-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	r := &Speed{Subjects: o.Subjects, Changed: o.Changed}
	path := filepath.Join(dir, "names.index")
	for _, part := range []struct {
		what string
		run  func() error
	}{
		{"list", func() error { return r.list(o, filepath.Join(dir, "sdn.xml")) }},
		{"build", func() error { return r.build(o, path) }},
		{"start", func() error { return r.start(o, path) }},
		{"search", func() error { return r.search(o, path) }},
		{"written alike", func() error { return r.literal(o, path) }},
		{"delta", func() error { return r.delta(o, path) }},
	} {
		progress(part.what)
		if err := part.run(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// timed runs f, and keeps its time if it is the fastest so far.
func timed(best *Took, f func() error) error {
	start, used := time.Now(), bench.Processor()
	err := f()
	t := Took{(bench.Processor() - used).Seconds(), time.Since(start).Seconds()}
	if best.Wall == 0 || t.Processor < best.Processor {
		*best = t
	}
	return err
}

// build compiles the index.
func (r *Speed) build(o SpeedOptions, path string) error {
	for range o.Runs {
		base := bench.SettledMemory()
		peak := bench.WatchMemory()
		var invented Took // of the people, which is not what is measured
		var took Took
		err := timed(&took, func() error {
			b, err := nameindex.NewBuilder(path)
			if err != nil {
				return err
			}
			b.List(nameindex.List{Name: "invented", Version: "1"})
			v, all := newInventor(o.Seed), 0
			for id := 0; all < o.Names; id++ {
				start, used := time.Now(), bench.Processor()
				e := v.entity(id)
				invented.Processor += (bench.Processor() - used).Seconds()
				invented.Wall += time.Since(start).Seconds()
				all += len(e.Names)
				if err := b.Add(e); err != nil {
					return err
				}
			}
			_, err = b.Close()
			return err
		})
		if err != nil {
			return err
		}
		took.Wall, took.Processor = took.Wall-invented.Wall, took.Processor-invented.Processor
		if most := peak() - base; r.BuildPeak == 0 || most < r.BuildPeak {
			r.BuildPeak = most
		}
		if r.Build.Wall == 0 || took.Processor < r.Build.Processor {
			r.Build = took
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("look at the index: %w", err)
	}
	r.IndexBytes = info.Size()
	return nil
}

// start opens the index.
func (r *Speed) start(o SpeedOptions, path string) error {
	for range o.Runs {
		err := timed(&r.Start, func() error {
			x, err := nameindex.Open(path)
			if err != nil {
				return err
			}
			r.People, r.Names = x.Size()
			return x.Close()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// wanted is somebody who is searched for.
type wanted struct {
	query nameindex.Query
	id    string // of the entry, or empty for nobody's
}

// queries are half for people of the index, under a name that was misspelt, shortened or written in its own script, and half for others.
func queries(o SpeedOptions, n, people int) []wanted {
	step := max(1, min(97, 2*people/(n+1)))
	v, strangers, hand := newInventor(o.Seed), newInventor(o.Seed+1), newInventor(o.Seed+2)
	var out []wanted
	for id := 0; len(out) < n; id++ {
		e := v.entity(id)
		if id%step != 0 {
			continue
		}
		text := e.Names[hand.draw.IntN(len(e.Names))].Text
		out = append(out, wanted{nameindex.Query{Names: []names.Name{names.Parse(hand.mangle(text))}, Birth: e.Births[0]}, e.ID})
		other := strangers.entity(id)
		out = append(out, wanted{nameindex.Query{Names: []names.Name{names.Parse(other.Names[0].Text)}, Birth: other.Births[0]}, ""})
	}
	return out
}

// search looks for people one after the other. The first hundred are not counted: they read the index into memory.
func (r *Speed) search(o SpeedOptions, path string) error {
	base := bench.SettledMemory()
	x, err := nameindex.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	all := queries(o, o.Searches, r.People)
	cpu, wall := make([]float64, len(all)), make([]float64, len(all))
	found, of := 0, 0
	for run := range o.Runs {
		for i, w := range all {
			start, used := time.Now(), bench.Processor()
			answer, err := x.Search(w.query)
			if err != nil {
				return err
			}
			c, t := ms(bench.Processor()-used), ms(time.Since(start))
			if run == 0 || c < cpu[i] {
				cpu[i] = c
			}
			if run == 0 || t < wall[i] {
				wall[i] = t
			}
			if run == 0 && w.id != "" {
				of++
				for _, h := range answer.Hits {
					if h.Entity.ID == w.id {
						found++
						break
					}
				}
			}
		}
	}
	r.Found = bench.RateOf(found, of)
	r.Search, r.SearchWall = bench.QuantilesOf(cpu[min(len(cpu), 100):]), bench.QuantilesOf(wall[min(len(wall), 100):])
	r.Resident = bench.SettledMemory() - base
	_, r.Mapped = bench.Memory()
	return nil
}

// literal compares every name with those of some people.
func (r *Speed) literal(o SpeedOptions, path string) error {
	x, err := nameindex.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	var wall []float64
	for _, w := range queries(o, min(o.Searches, 40), r.People) {
		start := time.Now()
		if _, _, err := x.Literal(w.query, writtenFrom); err != nil {
			return err
		}
		wall = append(wall, ms(time.Since(start)))
	}
	r.Literal = bench.QuantilesOf(wall)
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// delta screens subjects against entries that changed, as monitoring does: a probe rules out most, the rest are searched for. The store
// is not in it.
func (r *Speed) delta(o SpeedOptions, path string) error {
	x, err := nameindex.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }()
	v, strangers := newInventor(o.Seed), newInventor(o.Seed+3)
	var changed []watchlist.Entity
	for id := 0; len(changed) < o.Changed; id++ {
		if e := v.entity(id); id%101 == 0 {
			changed = append(changed, e)
		}
	}
	var subjects []nameindex.Query
	for id := range o.Subjects {
		e := strangers.entity(id)
		subjects = append(subjects, nameindex.Query{Names: []names.Name{names.Parse(e.Names[0].Text)}, Birth: e.Births[0]})
	}
	return timed(&r.Delta, func() error {
		probe := x.Probe(changed)
		for _, q := range subjects {
			if !probe.May(q, alarming) {
				continue
			}
			r.Searched++
			if _, err := x.Search(q); err != nil {
				return err
			}
		}
		return nil
	})
}

// alarming are the bands that open a hit as workflows begin.
func alarming(b names.Band) bool { return b.Rank() >= names.BandPossible.Rank() }

// FullList is the size of SDN.XML in 2025, in bytes.
const FullList = 28_000_000

// list parses a list of OFAC's size and format.
func (r *Speed) list(o SpeedOptions, path string) error {
	if err := writeList(o, path); err != nil {
		return err
	}
	for range o.Runs {
		base := bench.SettledMemory()
		peak := bench.WatchMemory()
		entries := 0
		err := timed(&r.List, func() error {
			file, err := os.Open(path)
			if err != nil {
				return fmt.Errorf("open the list: %w", err)
			}
			defer func() { _ = file.Close() }()
			s, err := watchlist.Read(file, watchlist.Options{}, func(watchlist.Change, watchlist.Format) error {
				entries++
				return nil
			})
			r.ListBytes = s.Bytes
			return err
		})
		if err != nil {
			return err
		}
		r.ListEntries = entries
		if most := peak() - base; r.ListPeak == 0 || most < r.ListPeak {
			r.ListPeak = most
		}
	}
	return nil
}

func writeList(o SpeedOptions, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make a list: %w", err)
	}
	defer func() { _ = file.Close() }()
	out := bufio.NewWriter(file)
	_, _ = io.WriteString(out, `<?xml version="1.0" standalone="yes"?>`+"\n"+`<sdnList xmlns="https://example.test/ofac">`+
		`<publshInformation><Publish_Date>02/27/2026</Publish_Date></publshInformation>`+"\n")
	v, written := newInventor(o.Seed+4), 0
	for id := 1; written < o.List; id++ {
		n, err := io.WriteString(out, ofacEntry(v, id))
		if err != nil {
			return fmt.Errorf("write a list: %w", err)
		}
		written += n
	}
	_, _ = io.WriteString(out, "</sdnList>\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write a list: %w", err)
	}
	return nil
}

// ofacEntry is an entry as SDN.XML has it, with spaces and elements that nobody reads.
func ofacEntry(v *inventor, id int) string {
	e := v.entity(id)
	var b strings.Builder
	fmt.Fprintf(&b, "  <sdnEntry>\n    <uid>%d</uid>\n    <firstName>%s</firstName>\n    <lastName>%s</lastName>\n    <sdnType>Individual</sdnType>\n"+
		"    <programList>\n      <program>INVENTED</program>\n    </programList>\n    <akaList>\n", id, e.Names[0].Given, e.Names[0].Family)
	for i := range 1 + v.draw.IntN(5) {
		n := v.name(scripts[v.draw.IntN(len(scripts))])
		fmt.Fprintf(&b, "      <aka>\n        <uid>%d</uid>\n        <type>a.k.a.</type>\n        <category>strong</category>\n"+
			"        <lastName>%s</lastName>\n        <firstName>%s</firstName>\n      </aka>\n", id*10+i, n.family, n.given)
	}
	fmt.Fprintf(&b, "    </akaList>\n    <addressList>\n      <address>\n        <uid>%d</uid>\n        <city>Somewhere</city>\n"+
		"        <country>Nowhere</country>\n      </address>\n    </addressList>\n"+
		"    <dateOfBirthList>\n      <dateOfBirthItem>\n        <uid>%d</uid>\n        <dateOfBirth>%s</dateOfBirth>\n"+
		"        <mainEntry>true</mainEntry>\n      </dateOfBirthItem>\n    </dateOfBirthList>\n    <idList>\n      <id>\n        <uid>%d</uid>\n"+
		"        <idType>Passport</idType>\n        <idNumber>X%07d</idNumber>\n        <idCountry>Nowhere</idCountry>\n      </id>\n    </idList>\n  </sdnEntry>\n",
		id, id, e.Births[0].From.Format("02 Jan 2006"), id, id)
	return b.String()
}
