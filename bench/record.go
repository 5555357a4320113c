package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
)

// Record is a result with everything that is needed to repeat it.
type Record struct {
	What    string  `json:"what"`
	DataSet string  `json:"data_set"`
	Command string  `json:"command"`
	Date    string  `json:"date"`   // YYYY-MM-DD
	Commit  string  `json:"commit"` // of the program, see commit
	Machine Machine `json:"machine"`
	Result  any     `json:"result"`
}

// Machine is what a measurement ran on, without its name.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
}

// NewRecord wraps a result.
func NewRecord(what, dataSet, command string, result any) Record {
	return Record{
		What: what, DataSet: dataSet, Command: command, Date: time.Now().UTC().Format(time.DateOnly), Commit: commit(),
		Machine: Machine{CPU: cpu(), Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()},
		Result:  result,
	}
}

// Write writes the record as JSON to a file.
func (r Record) Write(file string) error {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the record: %w", err)
	}
	if err := os.WriteFile(file, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // a result is public
		return fmt.Errorf("write the record: %w", err)
	}
	return nil
}

// commit returns the commit that the program was built from. Where the build does not say, as with go run, it returns that of the working
// directory.
func commit() string {
	if built := buildinfo.Read().Commit; built != "" {
		return built
	}
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude=*").Output() //nolint:noctx // local and quick
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// cpu names the processor's model.
func cpu() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if _, name, ok := strings.Cut(lines.Text(), ": "); ok && strings.HasPrefix(lines.Text(), "model name") {
			return name
		}
	}
	return "unknown"
}
