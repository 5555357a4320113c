package workflow

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func (c *comparison) wallet() {
	a, b := cmp.Or(c.a.Wallet, idv.WalletOff), cmp.Or(c.b.Wallet, idv.WalletOff)
	if a == b {
		return
	}
	c.add("/wallet", effectOfRequiring(a, b, idv.WalletRequired), "Wallet credentials: %s (was %s).", b, a)
}

func (c *comparison) walletAsks() {
	if !slices.Equal(c.a.WalletAsks, c.b.WalletAsks) {
		c.add("/wallet_asks", Neither, "Requested from wallets: %s (was %s).", asksOf(c.b), asksOf(c.a))
	}
}

func asksOf(w idv.WorkflowVersion) string {
	var names []string
	for _, a := range w.WalletAsks {
		names = append(names, walletAskNames[a])
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " or ")
}

var walletAskNames = map[idv.WalletAsk]string{
	idv.AskPID: "personal identification data", idv.AskMDL: "a driving licence", idv.AskAge: "an age and nothing else",
}

func (c *comparison) walletOthers() {
	if !slices.EqualFunc(c.a.WalletOthers, c.b.WalletOthers, func(a, b idv.WalletOther) bool { return othersText(a) == othersText(b) }) {
		c.add("/wallet_others", Neither, "Other credentials requested from wallets: %s (was %s).", othersOf(c.b), othersOf(c.a))
	}
}

func othersOf(w idv.WorkflowVersion) string {
	var all []string
	for _, o := range w.WalletOthers {
		all = append(all, othersText(o))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, " or ")
}

// othersText says what is asked of a credential.
func othersText(o idv.WalletOther) string {
	var claims []string
	for _, c := range o.Claims {
		claim := strings.Join(c.Path, "/")
		if c.Optional {
			claim += " (optional)"
		}
		claims = append(claims, claim)
	}
	return fmt.Sprintf("%s (%s: %s)", o.Type, o.Format, strings.Join(claims, ", "))
}

func (c *comparison) walletInstead() {
	switch {
	case c.a.WalletInstead == c.b.WalletInstead:
	case c.b.WalletInstead:
		c.add("/wallet_instead", Looser, "A valid credential replaces photos of the document.")
	default:
		c.add("/wallet_instead", Stricter, "The document is photographed even if a valid credential is presented.")
	}
}

func (c *comparison) chip() {
	a, b := cmp.Or(c.a.Chip, idv.ChipOff), cmp.Or(c.b.Chip, idv.ChipOff)
	if a == b {
		return
	}
	c.add("/chip", effectOfRequiring(a, b, idv.ChipRequired), "Document chip: %s (was %s).", b, a)
}

// effectOfRequiring is the effect of a change from a to b. What is only offered counts if it is presented, so only requiring it makes a difference.
func effectOfRequiring[T comparable](a, b, required T) Effect {
	switch required {
	case b:
		return Stricter
	case a:
		return Looser
	}
	return Neither
}
