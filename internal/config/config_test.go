package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDevFillsInWhatIsMissing(t *testing.T) {
	dir, err := filepath.Abs("data/blobs")
	if err != nil {
		t.Fatal(err)
	}
	s := Storage{Dev: true, DataDir: "./data", Database: "postgres://db/bonafide"}
	if err := s.Complete(); err != nil {
		t.Fatal(err)
	}
	want := Storage{Dev: true, DataDir: "./data", Database: "postgres://db/bonafide", Blobs: "file://" + dir, MasterKey: "file:data/master.key"}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestNothingSecretHasADefaultOutsideDev(t *testing.T) {
	full := Storage{Database: "sqlite:x.db", Blobs: "file:///x", MasterKey: "file:/etc/x"}
	tests := map[string]struct {
		leave func(*Storage)
		flag  string
	}{
		"no database":   {func(s *Storage) { s.Database = "" }, "--database"},
		"no blobs":      {func(s *Storage) { s.Blobs = "" }, "--blobs"},
		"no master key": {func(s *Storage) { s.MasterKey = "" }, "--master-key"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := full
			tt.leave(&s)
			if err := s.Complete(); err == nil || !strings.Contains(err.Error(), tt.flag) {
				t.Errorf("got %v, want an error that names %s", err, tt.flag)
			}
		})
	}
	if err := full.Complete(); err != nil {
		t.Errorf("complete settings were refused: %v", err)
	}
}

func TestWhereTheServerAnswers(t *testing.T) {
	tests := map[string]struct {
		in   Listen
		dev  bool
		want Listen
		err  string
	}{
		"dev answers this machine only": {
			in: Listen{}, dev: true, want: Listen{Listen: "127.0.0.1:8080", PublicURL: "http://localhost:8080"}},
		"outside dev every network is answered": {
			in:   Listen{PublicURL: "https://id.example.test", AdminListen: "off"},
			want: Listen{Listen: ":8080", PublicURL: "https://id.example.test"}},
		"everything that is wrong is told at once": {
			in: Listen{PublicURL: "http://id.example.test", TLSCert: "x", TrustedProxy: []string{"ten"}}, err: "must be https: only localhost may do without\n" +
				"--tls-cert and --tls-key go together\n--trusted-proxy"},
		"dev answers on localhost and its port, without metrics": {
			in: Listen{Listen: ":9999"}, dev: true, want: Listen{Listen: ":9999", PublicURL: "http://localhost:9999"}},
		"outside dev metrics are on this machine only": {
			in:   Listen{Listen: ":8080", PublicURL: "https://id.example.test/"},
			want: Listen{Listen: ":8080", PublicURL: "https://id.example.test", AdminListen: "127.0.0.1:9090"}},
		"metrics can be turned off": {
			in: Listen{Listen: ":8080", PublicURL: "https://id.example.test", AdminListen: "off"}, want: Listen{Listen: ":8080", PublicURL: "https://id.example.test"}},
		"outside dev the public address is needed":    {in: Listen{Listen: ":8080"}, err: "--public-url is missing"},
		"the public address is https":                 {in: Listen{PublicURL: "http://id.example.test"}, err: "must be https"},
		"the public address has no path":              {in: Listen{PublicURL: "https://id.example.test/app"}, err: "scheme, host and port"},
		"the public address has no credentials":       {in: Listen{PublicURL: "https://a:b@id.example.test"}, err: "scheme, host and port"},
		"the public address is an address":            {in: Listen{PublicURL: "id.example.test"}, err: "not a web address"},
		"a trusted proxy is a network":                {in: Listen{PublicURL: "https://id.example.test", TrustedProxy: []string{"ten"}}, err: "not a network"},
		"an address without a port cannot be guessed": {in: Listen{Listen: "here"}, dev: true, err: "HOST:PORT"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := tt.in.Complete(tt.dev)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, want an error with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, tt.in); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}
