package lists

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

func TestEachListHasADatabaseOfItsOwn(t *testing.T) {
	given := idvtest.Postgres(t).Empty(t)
	made, drop, err := databaseBeside(t.Context(), given, watchlist.OFACXML)
	if err != nil {
		t.Fatal(err)
	}
	if made == given || !strings.Contains(made, "/lists_ofac_xml_") {
		t.Errorf("got %s beside %s", made, given)
	}
	if err := order(t.Context(), made, "CREATE TABLE t (n INT)"); err != nil {
		t.Errorf("the database cannot be used: %v", err)
	}
	if err := drop(); err != nil {
		t.Error(err)
	}
	if err := order(t.Context(), made, "SELECT 1"); err == nil {
		t.Error("the database is still there")
	}
}
