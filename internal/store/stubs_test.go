package store

import "testing"

func guardMoves(t *testing.T, d *deployment) {}
func guardOrder(t *testing.T, d *deployment) {}
func guardAttempts(t *testing.T, d *deployment) {}
func guardLimits(t *testing.T, d *deployment) {}
func guardSpec(t *testing.T, d *deployment) {}
func guardTexts(t *testing.T, d *deployment) {}
func guardCompareAndSet(t *testing.T, d *deployment) {}
func raceSubmit(t *testing.T, d *deployment) {}
func raceSettle(t *testing.T, d *deployment) {}
func raceMany(t *testing.T, d *deployment) {}
func crashRetry(t *testing.T, d *deployment) {}
func crashNeverExtracts(t *testing.T, d *deployment) {}
func crashNeverRuns(t *testing.T, d *deployment) {}
func crashRescue(t *testing.T, d *deployment) {}
func crashSweep(t *testing.T, d *deployment) {}
func crashGiveUp(t *testing.T, d *deployment) {}
func crashTwice(t *testing.T, d *deployment) {}
func recordEvents(t *testing.T, d *deployment) {}
func recordLists(t *testing.T, d *deployment) {}
func recordPictures(t *testing.T, d *deployment) {}
func recordAudit(t *testing.T, d *deployment) {}
func recordAtRest(t *testing.T, d *deployment) {}
func recordErasure(t *testing.T, d *deployment) {}
func recordAccounts(t *testing.T, d *deployment) {}
func recordMigrate(t *testing.T, d *deployment) {}
