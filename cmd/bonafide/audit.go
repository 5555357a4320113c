package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/wallet"
)

// auditCommand reads and checks the audit log.
type auditCommand struct {
	Verify     auditVerifyCommand     `cmd:"" help:"Check the whole log of a deployment, or files from one: case files, proofs, receipts, checkpoints."`
	Checkpoint auditCheckpointCommand `cmd:"" help:"Print the newest signed checkpoint, to be kept elsewhere."`
}

// auditVerifyCommand checks files without a deployment, or the log of one.
type auditVerifyCommand struct {
	Files []string `arg:"" optional:"" name:"file" help:"Case files, proofs, receipts, checkpoints. Without files, the deployment's log is checked."`
	Key   string   `help:"The log's public key that you trust: base64, or @FILE with a checkpoint. Default: the key that the file names." placeholder:"KEY"`
	Kept  []string `help:"Checkpoints that you kept elsewhere: the log must have grown from them." placeholder:"FILE"`
	config.Storage
	config.Log
}

// Run answers 0 if everything holds, 1 if something does not, 3 if a file is none of the log's, 4 if files hold but no key was
// given to trust.
func (c *auditVerifyCommand) Run(ctx context.Context, s streams) error {
	trusted, err := trustedKey(c.Key)
	if err != nil {
		return err
	}
	if len(c.Files) > 0 {
		return checkFiles(c.Files, trusted, s.Out)
	}
	kept, err := keptCheckpoints(c.Kept)
	if err != nil {
		return err
	}
	var in audit.Inspection
	var key ed25519.PublicKey
	if err := use(ctx, &c.Storage, c.Log, s, func(st *store.Store) (err error) {
		if in, err = st.InspectAudit(ctx, kept...); err == nil {
			key, err = st.AuditKey(ctx)
		}
		return err
	}); err != nil {
		return err
	}
	if trusted != nil && !key.Equal(trusted) {
		_, err = fmt.Fprintf(s.Out, "NO: the log's key is %s, not the one that you gave.\n", base64.StdEncoding.EncodeToString(key))
		return errors.Join(err, exitNo)
	}
	return printAuditInspection(s.Out, in, key)
}

// printAuditInspection says what holds, or what was done to which position.
func printAuditInspection(w io.Writer, in audit.Inspection, key ed25519.PublicKey) error {
	var b strings.Builder
	for _, f := range in.Faults {
		fmt.Fprintf(&b, "Position %d: %s.\n", f.Position, f.Says)
	}
	if in.More > 0 {
		fmt.Fprintf(&b, "And %d more.\n", in.More)
	}
	verdict := exitYes
	if len(in.Faults) > 0 {
		verdict = exitNo
		fmt.Fprintf(&b, "NO: the log was tampered with. Everything before position %d is proven.\n", in.Proven)
	} else {
		fmt.Fprintf(&b, "YES: %d entries, as %d checkpoints say.\nRoot: %s\n", in.Size, in.Checkpoints, base64.StdEncoding.EncodeToString(in.Root[:]))
		if in.Trimmed > 0 {
			fmt.Fprintf(&b, "Of %d only the hashes are left: they were kept as long as the deployment keeps entries, and the log says so.\n", in.Trimmed)
		}
	}
	fmt.Fprintf(&b, "Key:  %s\n", base64.StdEncoding.EncodeToString(key))
	if _, err := io.WriteString(w, b.String()); err != nil || verdict == exitYes {
		return err
	}
	return verdict
}

// checkFiles checks each file and answers for the worst of them.
func checkFiles(files []string, trusted ed25519.PublicKey, w io.Writer) error {
	worst := exitYes
	for _, file := range files {
		text, code := checkFile(file, trusted)
		if _, err := fmt.Fprintf(w, "%s\n%s", file, text); err != nil {
			return err
		}
		if rank[code] > rank[worst] {
			worst = code
		}
	}
	if worst == exitYes {
		return nil
	}
	return worst
}

// rank orders the answers by how bad they are.
var rank = map[exit]int{exitYes: 0, exitUndecided: 1, exitNoAnswer: 2, exitNo: 3}

func checkFile(file string, trusted ed25519.PublicKey) (string, exit) {
	held, err := openHeld(file)
	switch {
	case errors.Is(err, audit.ErrTampered):
		return fmt.Sprintf("  NO: %v.\n", err), exitNo
	case err != nil:
		return fmt.Sprintf("  NO ANSWER: %v.\n", err), exitNoAnswer
	}
	key := base64.StdEncoding.EncodeToString(held.Key)
	if trusted != nil && !held.Key.Equal(trusted) {
		return fmt.Sprintf("  NO: it is signed by %s, not by the key that you gave.\n", key), exitNo
	}
	var b strings.Builder
	for _, line := range held.Statements {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	if trusted == nil {
		fmt.Fprintf(&b, "  HOLDS (%s) for whoever trusts the key %s: compare it with the log's (bonafide audit checkpoint), or give it by --key.\n", held.What, key)
		return b.String(), exitUndecided
	}
	fmt.Fprintf(&b, "  YES (%s), signed by the key that you gave.\n", held.What)
	return b.String(), exitYes
}

// openHeld checks a file by what it is: an archive is a case file.
func openHeld(file string) (audit.Proven, error) {
	f, err := os.Open(file)
	if err != nil {
		return audit.Proven{}, err
	}
	defer func() { _ = f.Close() }()
	var magic [4]byte
	if n, err := f.ReadAt(magic[:], 0); err != nil && n > 0 && !errors.Is(err, io.EOF) {
		return audit.Proven{}, err
	}
	if string(magic[:]) != "PK\x03\x04" {
		raw, err := readAtMost(file, audit.MaxDocument)
		if err != nil {
			return audit.Proven{}, err
		}
		return audit.CheckDocument(raw)
	}
	info, err := f.Stat()
	if err != nil {
		return audit.Proven{}, err
	}
	held, err := casefile.Verify(f, info.Size())
	if err != nil {
		return held, err
	}
	said, err := proveChips(f, info.Size())
	held.Statements = append(held.Statements, said...)
	if err != nil {
		return held, err
	}
	said, err = proveWallets(f, info.Size())
	held.Statements = append(held.Statements, said...)
	return held, err
}

// proveWallets proves what wallets presented in a case file again, with the trust of the day of the finding.
func proveWallets(f io.ReaderAt, size int64) ([]string, error) {
	wallets, err := casefile.Wallets(f, size)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, w := range wallets {
		said, err := wallet.Prove(w.WalletAnswer, w.Found)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", audit.ErrTampered, err)
		}
		out = append(out, said...)
	}
	return out, nil
}

// proveChips proves the chips of a case file again, with the trust of the day of the finding.
func proveChips(f io.ReaderAt, size int64) ([]string, error) {
	chips, err := casefile.Chips(f, size)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range chips {
		said, err := chip.Prove(c.ChipRead, c.Found)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", audit.ErrTampered, err)
		}
		out = append(out, said...)
	}
	return out, nil
}

// readAtMost reads a file that is not larger than a bound.
func readAtMost(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(raw)) > most {
		err = fmt.Errorf("it is larger than %d bytes", most)
	}
	return raw, errors.Join(err, f.Close())
}

// trustedKey reads --key; nil if there is none.
func trustedKey(text string) (ed25519.PublicKey, error) {
	if text == "" {
		return nil, nil
	}
	file, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		key, err := audit.ParseKey(text)
		if err != nil {
			return nil, fmt.Errorf("--key: want base64 of 32 bytes, or @FILE with a checkpoint")
		}
		return key, nil
	}
	_, key, err := readCheckpoint(file)
	return key, err
}

func keptCheckpoints(files []string) ([]audit.Checkpoint, error) {
	var out []audit.Checkpoint
	for _, file := range files {
		c, _, err := readCheckpoint(file)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// readCheckpoint reads a checkpoint whose signature holds.
func readCheckpoint(file string) (audit.Checkpoint, ed25519.PublicKey, error) {
	raw, err := readAtMost(file, audit.MaxDocument)
	if err != nil {
		return audit.Checkpoint{}, nil, err
	}
	var d audit.CheckpointDocument
	if err := json.Unmarshal(raw, &d); err != nil {
		return audit.Checkpoint{}, nil, fmt.Errorf("%s: %w", file, audit.ErrNotReadable)
	}
	c, key, err := d.Checkpoint()
	if err == nil {
		err = c.Signed(key)
	}
	if err != nil {
		return c, nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, key, nil
}

// auditCheckpointCommand prints the newest checkpoint.
type auditCheckpointCommand struct {
	config.Storage
	config.Log
}

// Run implements the command.
func (c *auditCheckpointCommand) Run(ctx context.Context, s streams) error {
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		newest, key, err := st.AuditCheckpoint(ctx)
		if err != nil {
			return err
		}
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(newest.Document(key))
	})
}
