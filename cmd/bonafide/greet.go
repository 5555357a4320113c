package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// greet says how to begin: the setup link while there is no owner, and with --dev an API key and two sessions to try, one
// that asks for liveness and one that takes pictures.
func (c *serveCommand) greet(ctx context.Context, d *deployment, s streams) error {
	lines := [][2]string{}
	needed, err := d.accounts.Setup.Needed(ctx)
	if err != nil {
		return err
	}
	if needed {
		token, err := d.accounts.Setup.NewToken(ctx)
		if err != nil {
			return err
		}
		lines = append(lines, [2]string{"set up", c.PublicURL + "/setup#token=" + token})
	}
	if c.Dev {
		more, err := c.greetDeveloper(ctx, d)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	if c.AsJSON() { // what collects the log often takes both streams for one
		attrs := []any{"address", c.PublicURL}
		for _, l := range lines {
			attrs = append(attrs, strings.ReplaceAll(strings.ToLower(l[0]), " ", "_"), l[1])
		}
		slog.New(slog.NewJSONHandler(s.Out, nil)).Info("how to begin", attrs...)
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nBonafide answers at %s\n\n", c.PublicURL)
	for _, l := range lines {
		fmt.Fprintf(&b, "  %-10s %s\n", l[0], l[1])
	}
	if c.Dev && c.ThisMachineOnly() {
		b.WriteString("\nOnly this machine reaches it. To hand a check over to a phone, which needs https for its camera:\n" +
			"  bonafide serve --dev --listen :8443 --tls-cert FILE --tls-key FILE --public-url https://THIS-MACHINE:8443\n")
	}
	b.WriteString("\n")
	_, err = s.Out.Write([]byte(b.String()))
	return err
}

func (c *serveCommand) greetDeveloper(ctx context.Context, d *deployment) ([][2]string, error) {
	key, err := c.developerKey(ctx, d)
	if err != nil {
		return nil, err
	}
	lines := [][2]string{{"API key", key}}
	for _, way := range [][2]string{{"try it", ""}, {"no camera", idv.WorkflowNoLiveness}} {
		made, err := d.sessions.Sessions.Create(ctx, session.Spec{Mode: idv.Test, Workflow: way[1], ExternalReference: "made by serve --dev"})
		if err != nil {
			return nil, fmt.Errorf("make a session to try: %w", err)
		}
		lines = append(lines, [2]string{way[0], c.PublicURL + "/v/" + made.Link})
	}
	return lines, nil
}

// developerKey is the test key of this data directory: the one of the last start, if it still works.
func (c *serveCommand) developerKey(ctx context.Context, d *deployment) (string, error) {
	path := filepath.Join(c.DataDir, "test-api-key")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read the API key of the last start: %w", err)
	}
	key := strings.TrimSpace(string(old))
	if _, err := d.accounts.Keys.Authenticate(ctx, key); err == nil {
		return key, nil
	}
	_, key, err = d.accounts.Keys.Create(ctx, "made by serve --dev", idv.Test)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return "", fmt.Errorf("keep the API key: %w", err)
	}
	if err := os.WriteFile(path, []byte(key+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("keep the API key: %w", err)
	}
	return key, nil
}
