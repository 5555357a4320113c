package config

import (
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/origin"
)

// Origins say from which country and kind of network an address is.
type Origins struct {
	NetworkFile   []string      `help:"Databases of networks in the MaxMind DB format (.mmdb): of countries, systems, data centres, VPNs." placeholder:"FILE"`
	NetworkMaxAge time.Duration `help:"How old such a database may be. An older one answers nothing, and workflows that ask refer." default:"2160h"`
}

// Files reads the files. One that cannot be read is logged, and what it would answer is not checked.
func (n Origins) Files(now func() time.Time, log *slog.Logger) *origin.Files {
	return origin.New(n.NetworkFile, origin.Options{MaxAge: n.NetworkMaxAge, Now: now, Log: log})
}
