package origin

import (
	"bytes"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// day is when the files of the tests were built, and hour their reader's clock an hour later.
var day = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

// homeNet, farNet and sixNet are address ranges of documentation (RFC 5737, RFC 3849).
const (
	homeNet = "192.0.2.0/24"
	farNet  = "198.51.100.0/24"
	sixNet  = "2001:db8::/32"
)

type record = mmdbtype.Map

// written is a database of records by their networks.
func written(t testing.TB, built time.Time, records map[string]record) []byte {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{
		DatabaseType: "Test-Networks", RecordSize: 24, BuildEpoch: built.Unix(), IncludeReservedNetworks: true, DisableIPv4Aliasing: true,
	})
	must(t, err)
	for network, r := range records {
		_, of, err := net.ParseCIDR(network)
		must(t, err)
		must(t, tree.Insert(of, r))
	}
	var out bytes.Buffer
	_, err = tree.WriteTo(&out)
	must(t, err)
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func iso(code string) record { return record{"country": record{"iso_code": mmdbtype.String(code)}} }

var (
	countries = map[string]record{homeNet: iso("DE"), farNet: iso("XK"), sixNet: iso("FR")}
	systems   = map[string]record{homeNet: {"autonomous_system_number": mmdbtype.Uint32(64500)}}
	anonymous = map[string]record{farNet: {"is_anonymous": mmdbtype.Bool(true), "is_hosting_provider": mmdbtype.Bool(true)}}
)

// files are files with the contents, in that order, read an hour after day.
func files(t *testing.T, contents ...[]byte) *Files {
	t.Helper()
	var paths []string
	for i, content := range contents {
		path := filepath.Join(t.TempDir(), string(rune('a'+i))+".mmdb")
		must(t, os.WriteFile(path, content, 0o600))
		paths = append(paths, path)
	}
	return New(paths, Options{Now: func() time.Time { return day.Add(time.Hour) }, Log: slog.New(slog.DiscardHandler)})
}

func TestWhatFilesSayOfAnAddress(t *testing.T) {
	t.Parallel()
	hidden := idv.NetworkOrigin{Country: "RKS", Hosting: true, Anonymous: true, Gaps: idv.OriginGaps{ASN: idv.OriginUnlisted}}
	all := files(t, written(t, day, countries), written(t, day, systems), written(t, day, anonymous))
	for name, tt := range map[string]struct {
		address string
		want    idv.NetworkOrigin
	}{
		"every file answers":                      {"192.0.2.7", idv.NetworkOrigin{Country: "DEU", ASN: 64500}},
		"an address in the form of IPv6":          {"::ffff:192.0.2.7", idv.NetworkOrigin{Country: "DEU", ASN: 64500}},
		"an anonymous data centre in Kosovo":      {"198.51.100.9", hidden},
		"an address of version 6 with a zone":     {"2001:db8::9%eth0", idv.NetworkOrigin{Country: "FRA", Gaps: idv.OriginGaps{ASN: idv.OriginUnlisted}}},
		"an address that no file lists":           {"203.0.113.1", idv.NetworkOrigin{Gaps: idv.OriginGaps{Country: idv.OriginUnlisted, ASN: idv.OriginUnlisted}}},
		"an address of this machine is not known": {"127.0.0.1", idv.UnreadOrigin(idv.OriginNoAddress)},
		"an address of a private network":         {"10.2.3.4", idv.UnreadOrigin(idv.OriginNoAddress)},
		"an address behind a provider":            {"100.64.9.9", idv.UnreadOrigin(idv.OriginNoAddress)},
		"a link-local address":                    {"fe80::1", idv.UnreadOrigin(idv.OriginNoAddress)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, all.Look(netip.MustParseAddr(tt.address))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCase55WhatCannotBeAskedIsAGap(t *testing.T) {
	t.Parallel()
	good, kinds := written(t, day, countries), written(t, day, anonymous)
	broken := []byte("<html>404</html>")
	old := func(of map[string]record) []byte { return written(t, day.AddDate(0, 0, -91), of) }
	none, unread := idv.OriginNoFile, idv.OriginBroken
	for name, tt := range map[string]struct {
		files [][]byte
		want  idv.NetworkOrigin
	}{
		"without a file":    {nil, idv.UnreadOrigin(idv.OriginNoFile)},
		"a file of nothing": {[][]byte{written(t, day, map[string]record{homeNet: {"city": mmdbtype.String("Utopia")}})}, idv.UnreadOrigin(unread)},
		"no database":       {[][]byte{broken}, idv.UnreadOrigin(unread)},
		"a file that was cut off": {
			[][]byte{good[:len(good)/2]}, idv.UnreadOrigin(unread),
		},
		"what a broken file might answer is not known, and what another says counts": {
			[][]byte{broken, good}, idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: unread, Kind: unread}},
		},
		"one of two lists of kinds is broken": {
			[][]byte{good, kinds, broken}, idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: unread, Kind: unread}},
		},
		"a file of 91 days": {
			[][]byte{old(countries), kinds}, idv.NetworkOrigin{Gaps: idv.OriginGaps{Country: idv.OriginOld, ASN: none}},
		},
		"one of two lists of kinds is old": {
			[][]byte{good, kinds, old(anonymous)}, idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: none, Kind: idv.OriginOld}},
		},
		"a list of data centres alone does not say who hides": {
			[][]byte{good, written(t, day, map[string]record{farNet: {"is_hosting": mmdbtype.Bool(true)}})},
			idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: none, Kind: none}},
		},
		"a list of data centres and one of what hides people": {
			[][]byte{
				good, written(t, day, map[string]record{farNet: {"is_hosting": mmdbtype.Bool(true)}}),
				written(t, day, map[string]record{farNet: {"is_vpn": mmdbtype.Bool(true)}}),
			},
			idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: none}},
		},
		"no list of kinds": {[][]byte{good}, idv.NetworkOrigin{Country: "DEU", Gaps: idv.OriginGaps{ASN: none, Kind: none}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := files(t, tt.files...).Look(netip.MustParseAddr("192.0.2.7"))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if got := files(t, good).Look(netip.Addr{}); got != idv.UnreadOrigin(idv.OriginNoAddress) {
		t.Errorf("without an address: %+v", got)
	}
}

func TestRecordsOfMakersInUse(t *testing.T) {
	t.Parallel()
	yes := mmdbtype.Bool(true)
	for name, tt := range map[string]struct {
		record record
		want   said
	}{
		"GeoLite2-Country": {record{"country": record{"iso_code": mmdbtype.String("DE")}, "registered_country": record{"iso_code": mmdbtype.String("US")}},
			said{answers: answers{country: true}, state: "DEU"}},
		"GeoIP2-Country, registered only":       {record{"registered_country": record{"iso_code": mmdbtype.String("US")}}, said{}},
		"a retired flag of a file of countries": {record{"traits": record{"is_anonymous_proxy": yes}}, said{anonymous: true}},
		"GeoIP2-Enterprise": {
			record{
				"country": record{"iso_code": mmdbtype.String("FR")},
				"traits":  record{"autonomous_system_number": mmdbtype.Uint32(64501), "user_type": mmdbtype.String("hosting")},
			},
			said{answers: answers{country: true, asn: true, centre: true}, state: "FRA", system: 64501, hosting: true},
		},
		"GeoIP2-Anonymous-IP": {record{"is_anonymous": yes, "is_tor_exit_node": yes}, said{answers: answers{hides: true}, anonymous: true}},
		"GeoIP2-ISP":          {record{"autonomous_system_number": mmdbtype.Uint32(64500)}, said{answers: answers{asn: true}, system: 64500}},
		"DB-IP with hosting":  {record{"traits": record{"is_hosting_provider": yes}}, said{answers: answers{centre: true}, hosting: true}},
		"IPinfo lite": {record{"asn": mmdbtype.String("AS64500"), "country": mmdbtype.String("Germany"), "country_code": mmdbtype.String("DE")},
			said{answers: answers{country: true, asn: true}, state: "DEU", system: 64500}},
		"IPinfo country": {record{"country": mmdbtype.String("CH")}, said{answers: answers{country: true}, state: "CHE"}},
		"IPinfo privacy": {record{"hosting": mmdbtype.String("true"), "relay": mmdbtype.String("true")},
			said{answers: answers{centre: true, hides: true}, hosting: true, anonymous: true}},
		"IPLocate privacy": {
			record{"is_vpn": mmdbtype.Bool(false), "is_hosting": yes}, said{answers: answers{centre: true, hides: true}, hosting: true},
		},
		"a flag with a word that is none": {record{"vpn": mmdbtype.String("NordVPN"), "is_hosting": mmdbtype.String("maybe")}, said{}},
		"IP2Proxy, Tor":                   {record{"proxy_type": mmdbtype.String("TOR")}, said{answers: answers{centre: true, hides: true}, anonymous: true}},
		"IP2Proxy, hosting":               {record{"proxy_type": mmdbtype.String("DCH")}, said{answers: answers{centre: true, hides: true}, hosting: true}},
		"IP2Proxy, a crawler":             {record{"proxy_type": mmdbtype.String("SES")}, said{answers: answers{centre: true, hides: true}}},
		"a country that is none, and fields of other types": {
			record{"country": record{"iso_code": mmdbtype.String("EU")}, "asn": mmdbtype.Bool(true), "is_vpn": record{}}, said{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := parse(written(t, day, map[string]record{homeNet: tt.record, farNet: iso("DE")}))
			must(t, err)
			got, err := db.look(netip.MustParseAddr("192.0.2.1"))
			must(t, err)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(said{}, answers{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAFileIsReadAgainWhenItChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "networks.mmdb")
	now := day.Add(time.Hour)
	var log bytes.Buffer
	f := New([]string{path}, Options{Now: func() time.Time { return now }, Log: slog.New(slog.NewTextHandler(&log, nil))})
	country := func() (string, idv.OriginGap) {
		o := f.Look(netip.MustParseAddr("192.0.2.7"))
		return o.Country, o.Gaps.Country
	}
	change := func(content []byte) {
		t.Helper()
		must(t, os.WriteFile(path, content, 0o600))
		now = now.Add(lookAgain)
		must(t, os.Chtimes(path, now, now))
		f.refresh(t.Context())
	}
	if c, gap := country(); c != "" || gap != idv.OriginBroken {
		t.Errorf("before it is there: %q %q", c, gap)
	}
	change(written(t, day, countries))
	if c, _ := country(); c != "DEU" {
		t.Errorf("once it is there: %q", c)
	}
	change(written(t, day, map[string]record{homeNet: iso("FR")}))
	if c, _ := country(); c != "FRA" {
		t.Errorf("after a new one: %q", c)
	}
	change([]byte("half a file"))
	o := f.Look(netip.MustParseAddr("192.0.2.7"))
	if want := (idv.OriginGaps{Country: idv.OriginBroken, ASN: idv.OriginNoFile, Kind: idv.OriginNoFile}); o.Country != "" || o.Gaps != want {
		t.Errorf("a broken one, which answered countries before: %+v", o)
	}
	change(written(t, day, countries))
	now = day.AddDate(0, 0, 91)
	if c, gap := country(); c != "" || gap != idv.OriginOld {
		t.Errorf("after 91 days: %q %q", c, gap)
	}
	if got := f.Examine(); len(got) != 1 || !got[0].Old || !slices.Equal(got[0].Answers, []string{"country"}) {
		t.Errorf("its condition: %+v", got)
	}
	if strings.Contains(log.String(), "192.0.2") {
		t.Error("the log names an address")
	}
}

// FuzzFile: whatever a file holds, it is refused or answers, and nothing panics.
func FuzzFile(f *testing.F) {
	whole := written(f, day, map[string]record{homeNet: {
		"country": record{"iso_code": mmdbtype.String("DE")}, "asn": mmdbtype.Uint32(64500), "is_vpn": mmdbtype.Bool(true),
	}})
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(bytes.Replace(whole, []byte("iso_code"), []byte("iso_cod\xff"), 1))
	f.Add([]byte("\xab\xcd\xefMaxMind.com"))
	for i := 0; i < len(whole); i += 7 {
		bent := bytes.Clone(whole)
		bent[i] ^= 0xff
		f.Add(bent)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		db, err := parse(content)
		if err != nil {
			return
		}
		if db.answers.none() {
			t.Error("a file that answers nothing is taken")
		}
		for _, a := range []string{"192.0.2.7", "2001:db8::1", "0.0.0.0"} {
			if s, err := db.look(netip.MustParseAddr(a)); err == nil && s.country != (s.state != "") {
				t.Errorf("%s: %+v", a, s)
			}
		}
	})
}
