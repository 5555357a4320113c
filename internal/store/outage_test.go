package store

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

func TestWorkWaitsForADatabaseThatDoesNotAnswerYet(t *testing.T) {
	t.Parallel()
	cluster := idvtest.PostgresToStop(t)
	d := deploy(t, cluster.Empty(t), idvtest.Master(t))
	must(t, d.store.Migrate(t.Context()))
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	cluster.Stop(t)
	stop := d.work(t, queue.WorkOptions{})
	time.Sleep(1500 * time.Millisecond) // more than one try to start
	cluster.Start(t)
	d.await(t, a.id, idv.Approved)
	stop()

	cluster.Stop(t)
	d.work(t, queue.WorkOptions{})() // ends though the database never answered
}
