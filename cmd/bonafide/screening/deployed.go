package screening

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/masterkey"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/store"
)

// Deployed keeps watchlists: in a folder, for trying out, and in a deployment.
type Deployed struct {
	Lists
	Status   listsStatus   `cmd:"" help:"Show the watchlists of a deployment: versions, age, sizes, and what is held and why."`
	Import   listsImport   `cmd:"" help:"Import a version of a watchlist into a deployment, of any size. A list of that name is made if there is none."`
	Activate listsActivate `cmd:"" help:"Use a version of a watchlist of a deployment that waits, is held, or was in use before."`
}

// listsStatus is `bonafide lists status`.
type listsStatus struct {
	config.Storage
	config.Log
}

// Run implements the command.
func (c *listsStatus) Run(ctx context.Context, use masterkey.Use, out io.Writer) error {
	return use(ctx, &c.Storage, c.Log, func(st *store.Store) error {
		k := lists.New(st, lists.Options{})
		all, err := k.Lists(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			_, err = fmt.Fprintln(out, "There are no watchlists. Import one with: bonafide lists import FILE --list NAME")
			return err
		}
		versions, err := k.Versions(ctx, "")
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "LIST\tTOPICS\tVERSION\tSTATE\tPUBLISHED\tADDED\tENTRIES\tPEOPLE\tNOT READABLE\tWHY")
		for _, l := range all {
			for _, v := range versions {
				if v.List == l.ID {
					_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", l.Name, words(l.Topics), v.ID, stateOf(l, v), day(v.Summary.Published),
						day(v.AddedAt), v.Summary.Entities, v.Summary.Persons, v.Summary.Rejected, words(v.Why))
				}
			}
		}
		return table.Flush()
	})
}

func stateOf(l lists.List, v lists.Version) string {
	if v.State == lists.Active && l.Old(v, time.Now()) {
		return "active, old"
	}
	return string(v.State)
}

func words[T ~string](in []T) string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return strings.Join(out, ",")
}

// listsImport is `bonafide lists import`.
type listsImport struct {
	config.Storage
	config.Log
	File   string               `arg:"" help:"The file as its publisher offers it. Its format is found from its content."`
	List   string               `required:"" help:"The list's name." placeholder:"NAME"`
	Topic  []idv.ScreeningTopic `help:"For a new list: what it covers: sanctions, pep, watch." default:"sanctions" enum:"sanctions,pep,watch"`
	MaxAge time.Duration        `help:"For a new list: the age after which sessions go to review; 0 for never." default:"168h"`
}

// Run answers 0 where the version is in use, 4 where it is held or waits.
func (c *listsImport) Run(ctx context.Context, use masterkey.Use, out io.Writer) error {
	file, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("open the list: %w", err)
	}
	defer func() { _ = file.Close() }()
	var v lists.Version
	err = use(ctx, &c.Storage, c.Log, func(st *store.Store) error {
		k := lists.New(st, lists.Options{})
		id, err := c.listOf(ctx, k)
		if err != nil {
			return err
		}
		v, err = k.Import(ctx, id, lists.Command, file)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s, %d entries, %d people, %d not readable%s; %d added, %d changed, %d removed %s\n", v.ID, v.State, v.Summary.Entities,
		v.Summary.Persons, v.Summary.Rejected, atRows(v.Summary.RejectedRows), v.Changes.Added, v.Changes.Changed, v.Changes.Removed, words(v.Why))
	if err == nil && v.State != lists.Active {
		return Undecided
	}
	return err
}

func (c *listsImport) listOf(ctx context.Context, k *lists.Keeper) (idv.WatchlistID, error) {
	all, err := k.Lists(ctx)
	if err != nil {
		return "", err
	}
	for _, l := range all {
		if l.Name == c.List {
			return l.ID, nil
		}
	}
	l, err := k.Create(ctx, c.List, lists.Settings{Topics: c.Topic, MaxAge: c.MaxAge})
	return l.ID, err
}

// listsActivate is `bonafide lists activate`.
type listsActivate struct {
	config.Storage
	config.Log
	Version idv.WatchlistVersionID `arg:"" help:"Id of a version, as bonafide lists status shows it."`
}

// Run implements the command.
func (c *listsActivate) Run(ctx context.Context, use masterkey.Use, out io.Writer) error {
	return use(ctx, &c.Storage, c.Log, func(st *store.Store) error {
		v, err := lists.New(st, lists.Options{}).Activate(ctx, c.Version)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s is in use: %d entries.\n", v.ID, v.Summary.Entities)
		return err
	})
}
