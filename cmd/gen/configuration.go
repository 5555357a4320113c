package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/bonafide-id/bonafide/internal/config"
)

// settingGroups are the settings as bonafide serve takes them, by concern.
var settingGroups = []struct {
	title, lead string
	settings    any
}{
	{"Data and keys", "Every command that touches data takes these, and has to be given the same as the server.", &config.Storage{}},
	{"Address and appearance", "Only the server takes these.", &config.Listen{}},
	{"Limits on calls", "Only the server takes these.", &config.Rates{}},
	{"Networks", "Only the server takes these, and doctor. [Where a session is opened](../operate/seen-before.md#networks).", &config.Origins{}},
	{"Single sign-on", "Only the server takes these: all of them, or none.", &config.SSO{}},
	{"Mail", "Server and worker take these, and backup, doctor and mail. Without a server nothing is sent. [Mail](../operate/mail.md).", &config.Mail{}},
	{"Jobs", "Server and worker take these.", &config.Work{}},
	{"Models", "Server and worker take these.", &config.Engine{}},
	{"Log", "Every command that touches data takes these.", &config.Log{}},
}

// configurationPage lists every setting of a server.
func configurationPage() ([]byte, error) {
	var b strings.Builder
	b.WriteString("# Configuration\n\n" + made +
		"Every setting is a flag and a variable in the environment; the flag wins. A list takes several values, separated by commas in a variable.\n" +
		"`bonafide serve --help` prints the same. A variable that is almost a setting is refused with the name that was probably meant, and all\n" +
		"settings that are wrong are told at once.\n\n" +
		"Two things are configured by the variables of their own standards: access to S3 (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and what else Amazon's\n" +
		"libraries read) and traces (`OTEL_…`, [traces](../operate/traces.md)).\n")
	for _, g := range settingGroups {
		parser, err := kong.New(g.settings, kong.DefaultEnvars("BONAFIDE"), kong.NoDefaultHelp())
		if err != nil {
			return nil, fmt.Errorf("settings %q: %w", g.title, err)
		}
		var rows [][]string
		for _, f := range parser.Model.Flags {
			rows = append(rows, []string{"`--" + f.Name + "`", "`" + strings.Join(f.Envs, " ") + "`", valueOf(f), defaultOf(f), f.Help})
		}
		b.WriteString("\n## " + g.title + "\n\n" + g.lead + "\n\n" + table([]string{"flag", "variable", "value", "default", "what it does"}, rows))
	}
	return []byte(b.String()), nil
}

func valueOf(f *kong.Flag) string {
	switch {
	case f.IsBool():
		return "true or false"
	case f.Enum != "":
		return strings.ReplaceAll(f.Enum, ",", ", ")
	case f.PlaceHolder != "":
		return f.PlaceHolder
	}
	return "number"
}

func defaultOf(f *kong.Flag) string {
	if f.HasDefault {
		return "`" + f.Default + "`"
	}
	return ""
}
