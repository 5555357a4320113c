package lists

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// databaseBeside makes a database for one list, beside the given one. A database that all lists shared would make each process compile all
// of them, as a server does, and a run would take as long as the number of lists times their size.
func databaseBeside(ctx context.Context, given string, format watchlist.Format) (made string, drop func() error, err error) {
	at, err := url.Parse(given)
	if err != nil {
		return "", nil, fmt.Errorf("read the address of the database: %w", err)
	}
	name := fmt.Sprintf("lists_%s_%d", strings.ReplaceAll(string(format), "-", "_"), os.Getpid())
	if err := order(ctx, given, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	at.Path = "/" + name
	drop = func() error {
		return order(context.WithoutCancel(ctx), given, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
	return at.String(), drop, nil
}

func order(ctx context.Context, where, statement string) error {
	db, err := database.Open(ctx, where, database.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if _, err = db.Write.ExecContext(ctx, statement); err != nil {
		err = fmt.Errorf("%s: %w", statement, err)
	}
	return errors.Join(err, db.Close())
}
