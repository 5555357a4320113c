package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
)

// TestABrowsersWalletThatAnswersDeclinesAndWaits is the server's side of the case: a person who declines, or a wallet that opens nothing,
// sends nothing at all by the browser's API. In the browser itself the case is in web/e2e/wallet.e2e.ts.
func TestABrowsersWalletThatAnswersDeclinesAndWaits(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	answer := func(token string, a asked) answer {
		t.Helper()
		request := wallettest.ReadBrowser(a.Requests[1], deskAddress, wallettest.Query{})
		return c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/" + a.ID + "/answer", bearer: token, body: c.holds().Browser(request)})
	}
	c.run(t, "V28 it answers", func(t *testing.T) {
		_, token := c.begun()
		answer(token, c.ask(token, "browser")).want(t, 202, "")
		if got := c.counts(token); got != "stands" {
			t.Errorf("the credential counts for %q", got)
		}
	})
	c.run(t, "V28 it declines, and answers when it is asked again", func(t *testing.T) {
		_, token := c.begun()
		first := c.ask(token, "browser")
		second := c.ask(token, "browser")
		answer(token, second).want(t, 202, "")
		if got := c.counts(token); got != "stands" {
			t.Errorf("the credential counts for %q", got)
		}
		if late := answer(token, first); late.status < 400 {
			t.Errorf("the request that was declined is answered afterwards: %d %s", late.status, late.body)
		}
	})
	c.run(t, "V28 it waits, and answers in time", func(t *testing.T) {
		_, token := c.begun()
		a := c.ask(token, "browser")
		c.clock.move(2 * time.Minute)
		answer(token, a).want(t, 202, "")
		if got := c.counts(token); got != "stands" {
			t.Errorf("the credential counts for %q", got)
		}
	})
	c.run(t, "V28 it waits for ever, and photographs are asked for", func(t *testing.T) {
		_, token := c.begun()
		a := c.ask(token, "browser")
		c.clock.move(20 * time.Minute)
		answer(token, a).want(t, 410, "wallet.expired")
		task := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body
		if field(task, "state") != "step" || strings.Contains(task, "wallet_counts") && field(task, "wallet_counts") != "" {
			t.Errorf("the task is %s", task)
		}
	})
}
