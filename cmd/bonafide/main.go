// Command bonafide is the whole of Bonafide: the server, its workers and the command line.
//
// Each command is a struct in a file of its own with a Run(context.Context, streams) error; this file only
// lists them. Exit codes: 0 yes (approved, same, read), 1 no (declined, different), 2 wrong usage, 3 could
// not answer, 4 referred or undecided.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/bonafide-id/bonafide/cmd/bonafide/credential"
	"github.com/bonafide-id/bonafide/cmd/bonafide/masterkey"
	"github.com/bonafide-id/bonafide/cmd/bonafide/screening"
	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store"
)

// commands is the command line: one field a command.
type commands struct {
	PrintVersion kong.VersionFlag `name:"version" help:"Print the version and exit." env:"-"`

	Inspect inspectCommand     `cmd:"" help:"Read pictures of documents: kind, issuer, code lines, barcode, printed facts, quality, faces."`
	Compare compareCommand     `cmd:"" help:"Compare two faces: similarity, the false match rate there, same or not or undecided."`
	Verify  verifyCommand      `cmd:"" help:"Verify a person from a document and a selfie: the whole report and the decision."`
	Screen  screening.Screen   `cmd:"" help:"Search watchlists for a person: who may be meant, and why."`
	Lists   screening.Deployed `cmd:"" help:"Manage the watchlists that people are screened against, in a deployment or in a folder."`
	Bench   benchCommand       `cmd:"" help:"Measure accuracy on labelled pictures."`
	Trust   trustCommand       `cmd:"" help:"Inspect lists of country signing authorities: what they contain, how two differ, why a certificate is not trusted."`
	Chip    credential.Chip    `cmd:"" help:"Read the chip of a travel document, or verify what was read from one."`
	Wallet  credential.Wallet  `cmd:"" help:"Verify what a wallet sent."`
	Models  modelsCommand      `cmd:"" help:"Show and check the models that this binary carries."`

	Serve   serveCommand   `cmd:"" help:"Serve the web app and the API, and run background jobs."`
	Worker  workerCommand  `cmd:"" help:"Run the background jobs of a server elsewhere."`
	Migrate migrateCommand `cmd:"" help:"Bring the database up to this version."`
	Audit   auditCommand   `cmd:"" help:"Verify the audit log and files exported from it."`
	Member  memberCommand  `cmd:"" help:"Help a member who can no longer sign in."`
	Mail    mailCommand    `cmd:"" help:"Try the mail server."`
	Backup  backupCommand  `cmd:"" help:"Back up everything, encrypted, also while a server runs."`
	Restore restoreCommand `cmd:"" help:"Restore a backup into an empty database."`
	Doctor  doctorCommand  `cmd:"" help:"Check everything a server needs and say how to fix what is missing."`

	MasterKey       masterkey.Make   `cmd:"" help:"Make the master key of a server: the key that everything else is encrypted under."`
	RotateMasterKey masterkey.Rotate `cmd:"" help:"Change the master key while servers run, or show how far a change has progressed."`

	Version versionCommand `cmd:"" help:"Print version, commit, date and platform."`

	BackupKey backupKeyCommand `cmd:"" help:"Make the key that backups are encrypted to."`
	DemoData  demoCommand      `cmd:"" name:"demo-data" help:"Fill a trial deployment with invented sessions."`
}

// The exit codes of every command.
const (
	exitYes          exit = 0
	exitNo           exit = 1
	exitUsage        exit = 2
	exitNoAnswer     exit = 3
	exitUndecided    exit = 4
	interruptedTwice      = 130
)

// exit ends the program with a code and nothing more to say: the command has already printed its answer.
type exit int

// Error implements error.
func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// streams are where a command reads and writes.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go hurry(ctx, stop)
	os.Exit(int(run(ctx, os.Args[1:], streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})))
}

// hurry lets a second interrupt end the program at once, should the orderly end hang.
func hurry(ctx context.Context, stop func()) {
	<-ctx.Done()
	stop()
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	<-again
	os.Exit(interruptedTwice)
}

// run parses the arguments and runs the command that they name.
func run(ctx context.Context, args []string, s streams) exit {
	code := -1
	parser, err := kong.New(&commands{},
		kong.Name("bonafide"),
		kong.Description("Identity verification that you host yourself."),
		kong.DefaultEnvars("BONAFIDE"),
		kong.Vars{"version": "bonafide " + buildinfo.Read().String(), "claims": claimNames(), "settlings": settlingHelp},
		kong.Writers(s.Out, s.Err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Exit(func(c int) { code = c }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s, masterkey.Use(func(ctx context.Context, c *config.Storage, l config.Log, do func(*store.Store) error) error {
			return use(ctx, c, l, s, do)
		})),
		kong.BindTo(s.Out, (*io.Writer)(nil)),
	)
	if err != nil {
		return report(s, config.Log{}, err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if code >= 0 { // --help or --version has already answered
		return exit(code)
	}
	if err != nil {
		_, _ = fmt.Fprintf(s.Err, "bonafide: %v\nTry \"bonafide --help\".\n", err)
		return exitUsage
	}
	if field := command.Selected(); field != nil && field.Target.FieldByName("Storage").IsValid() {
		if err := config.CheckEnvironment(os.Environ(), args, variables(parser)); err != nil {
			return report(s, logOf(command), err)
		}
	}
	return report(s, logOf(command), command.Run())
}

// variables returns the names of the environment variables that any command reads.
func variables(parser *kong.Kong) map[string]bool {
	out := map[string]bool{}
	for _, command := range parser.Model.Leaves(false) {
		for _, group := range command.AllFlags(false) {
			for _, f := range group {
				for _, name := range f.Envs {
					out[name] = true
				}
			}
		}
	}
	return out
}

// logOf returns how the command that was chosen logs; the zero value for one that does not.
func logOf(command *kong.Context) config.Log {
	chosen := command.Selected()
	if chosen == nil || !chosen.Target.IsValid() {
		return config.Log{}
	}
	field := chosen.Target.FieldByName("Log")
	if !field.IsValid() {
		return config.Log{}
	}
	log, _ := field.Interface().(config.Log)
	return log
}

// report prints a command's error with its remedy, as a line of its log where that is JSON, and returns the exit code.
func report(s streams, log config.Log, err error) exit {
	if err == nil {
		return exitYes
	}
	if code, ok := errors.AsType[exit](err); ok {
		return code
	}
	if answer, ok := errors.AsType[credential.Answer](err); ok {
		return exit(answer)
	}
	if answer, ok := errors.AsType[screening.Answer](err); ok {
		return exit(answer)
	}
	said := err.Error()
	if p, ok := problem.As(err); ok {
		said = fmt.Sprintf("%s %s (%s)", p.Kind.Title, p.Kind.Remedy, p.Error())
	}
	if to, err := newLog(log, s.Err); err == nil && log.AsJSON() {
		to.Error("bonafide ended", "error", said)
		return exitNoAnswer
	}
	if lines := strings.Split(said, "\n"); len(lines) > 1 {
		said = fmt.Sprintf("%d things are wrong:\n  %s", len(lines), strings.Join(lines, "\n  "))
	}
	_, _ = fmt.Fprintf(s.Err, "bonafide: %s\n", said)
	return exitNoAnswer
}
