package store

import (
	"context"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session/decision"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// row is one thing that every database has to do. Each gets a deployment of its own.
type row struct {
	name string
	run  func(*testing.T, *deployment)
}

// contended is what several do at once: by day the race detector looks at these.
var contended = []row{
	{"a passport and a selfie lead to approval", lifeApproved},
	{"a selfie that is on its way while its person declines is not kept", faceDeclinedOnItsWay},
	{"what comes in late of a face that was declined is not kept", faceDeclinedMeanwhile},
	{"two submits of one attempt count once", raceSubmit},
	{"two settlings at once decide once", raceSettle},
	{"twenty sessions at once all reach their verdict", raceMany},
	{"a full disk loses nothing", crashFullDisk},
	{"the job of a worker that vanished is rescued", crashRescue},
	{"a job that runs twice counts once", crashTwice},
	{"events have a cursor and wake watchers", recordEvents},
	{"erasing while everything is under way", eraseRaces},
	{"the audit log is verified as it was at one moment, whatever leaves it meanwhile", trimMeanwhile},
	{"of several nodes one says at a time what leaves the audit log", trimTogether},
	{"two answers to one challenge, and two equal recordings, at once", livenessRaces},
	{"whoever comes second is told who did what, and overwrites nothing", caseConflicts},
	{"two reviewers go for a case a thousand times, one wins each time", raceCases},
	{"two reviewers who decide at once leave one decision", raceRulings},
	{"the queue comes in pages, the most urgent first, and wakes who watches it", casePages},
	{"two servers that give out cases go round one ring", casesGivenByTwo},
	{"sums of days are what a count of every session says, whatever changes in between", sumsAgree},
	{"sums are not kept of a day that changes while it is counted", sumsNeverOld},
	{"calls are granted once, however many ask at the same time", grantsBounded},
	{"wrong passwords are counted for the account, known networks for themselves", attemptsCounted},
	{"events are delivered to whoever wants them", hooksFanOut},
	{"what happens while an endpoint is paused waits until it is resumed", hooksPaused},
	{"of two changes of one endpoint the second is refused", hooksChangedOnce},
	{"endpoints that do not answer keep no other waiting", hooksBesideADeadOne},
	{"workers at once deliver once, and a dead one's queue is taken over", hooksOnce},
	{"the feed misses no event that commits late", hooksFeed},
	{"of a hundred browsers that open one hand-off one has the session", handoffRace},
	{"what a browser began before it handed on does not count after", handoffUnderWay},
	{"of editors who change a draft at once one wins", flowRace},
	{"of those who accept an update of trust at once one does", trustRaces},
	{"what belongs together opens each keyset once", keysetsOnce},
	{"the master key is changed while two servers work and erase", masterChanged},
	{"a job that panics is told as one that failed", tracePanics},
}

// orderly is everything else.
var orderly = []row{
	{"a watchlist is imported, activated, and its former version comes back", watchlistsKept},
	{"a watchlist that a guard holds leaves the version in use, and what is none is refused", watchlistsHeld},
	{"a watchlist is fetched from its publisher, and from nowhere else", watchlistsFetched},
	{"an import that dies leaves nothing that counts", watchlistsKilled},
	{"two servers compile the same watchlists, and search the version before until then", watchlistsAgree},
	{"hits are sealed, and erasing leaves no byte of them", hitsErased},
	{"of two who decide about a hit the notes of both are kept", hitsFourEyes},
	{"a decided hit comes back only when its entry changes, and an open one keeps from approving", hitsDecided},
	{"a document that was shown with another face is found, in its mode alone, until it is erased", seenDuplicates},
	{"what says that there was another session outlives it, and no digest does", seenErasedSince},
	{"a face is found among those who agreed, in their gallery and mode, and nobody else is worse off", galleryFinds},
	{"a face that is erased is in no memory, file or log, and is found no more", galleryErased},
	{"a face goes at its own end, and with its pictures", galleryRetention},
	{"what a gallery cannot answer refers with its own reason", galleryRefers},
	{"servers that were not told overwrite what another one removed", galleryOfTwo},
	{"two sessions that are not of the same person come back only with a new sign, and undoing it brings them back", linksDecided},
	{"what is decided about two sessions while one is judged counts", linksDecidedMeanwhile},
	{"that two sessions are of one person takes two people", linksFourEyes},
	{"endpoints are told of duplicates and decisions, and of nobody", linksTold},
	{"what a former version leaves when it erases is swept", linksLeft},
	{"a decision about two sessions goes with either of them, and its note is sealed for both", linksErased},
	{"sessions are counted by network for a day, and nothing of an address is kept", seenVelocity},
	{"of where a session is opened country, system and kind are kept until it is erased", seenOrigin},
	{"an entry of the block list refers, declines once two confirm it, and ends", blockList},
	{"what cannot be put on the block list is refused by its field", blockRefused},
	{"a face on the block list refers who agreed to be compared, and ends with the face", faceListed},
	{"a face is put on the block list only of who agreed to be compared", faceListedRefused},
	{"whatever takes a face away takes its entry of the block list with it", faceListedErased},
	{"everybody who was approved is screened once, whoever dies over it", screenedOnce},
	{"a document that expired declines", lifeDeclined},
	{"a face in the refer band goes to review", lifeReferred},
	{"a bad page is asked for again while the selfie is taken", lifeRetry},
	{"a face that does not match has one extra try, then declines", lifeMismatch},
	{"a step without tries left is referred", lifeNoTriesLeft},
	{"consent declined withdraws", lifeConsentDeclined},
	{"who declines biometrics goes on with the document, to a person", faceDeclined},
	{"who takes their consent back has no picture of their face there any more", faceWithdrawn},
	{"until a picture was taken who declined biometrics can agree after all", faceReconsidered},
	{"a consent page answers what it asked", faceStalePage},
	{"the country of a document is kept as it was said, and decides nothing", countrySaid},
	{"what the reading of a document says is told before the next step", earlyTold},
	{"a document that is put aside stays and does not count", documentPutAside},
	{"another document after a decline begins one session, which the link leads to and erasing reaches", anotherDocument},
	{"steps that are reopened together each say why", earlyWhy},
	{"where one country is accepted nobody said it", countryNotAsked},
	{"a country that is none, or is not accepted, is refused", countryRefused},
	{"a link binds one browser, a new link another", lifeLinks},
	{"a browser continues a session in another tab", resumeHere},
	{"another browser continues a session until a picture was sent", resumeElsewhere},
	{"a browser that handed a session on goes on watching in another tab", resumeWatching},
	{"sessions expire", lifeExpiry},
	{"every persona ends as its row says", personaEnds},
	{"a persona that is reopened tries again", personaReopens},
	{"in live mode a persona's name is a number", personaInLive},
	{"a persona written into a live session changes nothing", personaForged},
	{"a persona's session can be finished in the browser", personaByHand},
	{"a persona that does not exist is refused", personaUnknown},
	{"every move that is not listed is refused", guardMoves},
	{"steps come in order and consent comes first", guardOrder},
	{"a repeated attempt answers as before", guardAttempts},
	{"a step has three tries and a session forty", guardLimits},
	{"what breaks a limit is refused by its field", guardSpec},
	{"text in SQL and HTML is only text", guardTexts},
	{"a session moved by somebody else is a conflict", guardCompareAndSet},
	{"a failing extraction is retried", crashRetry},
	{"an extraction that never works refers as not run", crashNeverExtracts},
	{"a check that can never run is broken at once", crashNeverRuns},
	{"a session with nothing pending is swept", crashSweep},
	{"what a dead server held is free at the next start", crashHeld},
	{"the keys of calls that a dead server was answering are free at the next start", claimsHeld},
	{"a pause that a webhook's target asked for outlives a restart", pausesKept},
	{"a session that stays stuck is given up and referred", crashGiveUp},
	{"lists filter, search and page", recordLists},
	{"lists filter by workflow, issuing state and kind", listFilters},
	{"a person is found by exact name and number, until erased", listPersonal},
	{"sessions of one document find each other, in one mode and until erased", alike},
	{"a session is found by what is said of it now", listUpdated},
	{"a list is paged from either end and counted", listSorted},
	{"views are saved for one member", listViews},
	{"sessions of before lists can be filtered by them", listMigrated},
	{"pictures are shown and each view is audited", recordPictures},
	{"the audit log verifies, and tampering is found", recordAudit},
	{"the audit log is read by who, what and about what, with proofs", trailRead},
	{"an inspection of the audit log tells what was done to which position", trailInspected},
	{"nothing personal lies in the clear", recordAtRest},
	{"an export of a picture that is damaged ends before it begins", recordDamaged},
	{"orphan blobs are removed once they are old", recordTidy},
	{"a destroyed keyset erases", recordErasure},
	{"erasing leaves nothing to be found, and a receipt", eraseEverything},
	{"erasing an unfinished session cancels it", eraseUnfinished},
	{"an erasing that was interrupted is finished", eraseInterrupted},
	{"every column has its fate", eraseCovers},
	{"what was kept long enough is erased", retainDue},
	{"workflows, settings and test mode shorten", retainShorter},
	{"a legal hold keeps everything", retainHeld},
	{"what is due is told beforehand, and what a run did", retainTold},
	{"entries leave the audit log when they are old, and the rest is proven", retainEntries},
	{"what is dated ahead waits for its position in the audit log, and excuses nothing", trimAhead},
	{"what was held goes by the time that is settled when the hold is lifted", trimLengthened},
	{"members, keys, console sessions and idempotency", recordAccounts},
	{"an invitation is taken up once", recordInvitations},
	{"a challenge is answered once", recordCeremonies},
	{"a challenge to a chip is closed once", recordChipChallenges},
	{"of two relays of a session the one that opened last is shown", recordRelays},
	{"requests to wallets", recordWalletRequests},
	{"the operator helps who lost their second factor", recordLostFactor},
	{"a member is found by who vouches for them", recordSubjects},
	{"what is done to the team is on record, or not done", recordOrNothing},
	{"members change, and one owner stays", recordTeam},
	{"who is kept out leaves keys that go on, or that end with them", recordKeysKeptOut},
	{"migrating again changes nothing", recordMigrate},
	{"a database with sessions of before liveness goes on", recordMigrateOld},
	{"frames that answer their challenge lead to approval", livenessApproved},
	{"a repeated run of frames answers as before", livenessRepeated},
	{"a challenge that was missed is followed by another", livenessMissed},
	{"every challenge but the open one is refused alike", livenessRefused},
	{"a challenge is answered once", livenessSingleUse},
	{"a challenge can be answered for three minutes", livenessExpires},
	{"who had too many challenges goes to a person", livenessBounded},
	{"asking again does not change what a try has to show", livenessRedrawn},
	{"a gentle challenge, and no challenge but a person", livenessPaths},
	{"what is no run of frames is refused", livenessForm},
	{"a recording that was sent before is found, until it is erased", livenessReplayed},
	{"frames are found again although some bits differ", livenessNear},
	{"a challenge that was changed in the database is refused", livenessTampered},
	{"a referred session has a case, which a person claims and approves", caseLife},
	{"a person declines with reasons of the catalogue, and deceit is not told", caseDeclined},
	{"a claim ends unless its holder does something", caseClaims},
	{"a person asks for exactly one step again", caseRedo},
	{"where the workflow wants it, two persons approve, and not the one who made the session", caseTwoPersons},
	{"a later decision on a final session counts", caseAppeal},
	{"a session that is withdrawn closes its case", caseWithdrawn},
	{"notes are sealed and erased", caseNotes},
	{"cases are given to who is there and has room, until their target", casesGiven},
	{"the queue is narrowed by workflow, reason, country, reviewer and target", casesNarrowed},
	{"the queue is in the order that is asked for", casesSorted},
	{"a workflow has its own target", caseTargets},
	{"approvals are drawn for a second look, which changes no decision", qualityDrawn},
	{"corrections of facts are sealed, kept in order, and erased", caseCorrections},
	{"sessions in review of before cases get one", caseMigrated},
	{"figures are those of the sessions that are there, and outlive erasing", figuresAgree},
	{"sessions of before figures are counted, too", figuresMigrated},
	{"how the machinery stands is told", machineTold},
	{"whether the storage works is told, and again when it does", healthTold},
	{"what waits is told with how long, and that somebody works", vitalsTold},
	{"a delivery is tried sixteen times over three days, then given up", hooksGivenUp},
	{"a target that is gone stops its endpoint until somebody starts it again", hooksGone},
	{"a target that asks for a pause is left alone for as long", hooksRest},
	{"an endpoint that cannot be unsealed fails no session", hooksUnreadable},
	{"a removed endpoint gets nothing more", hooksRemoved},
	{"a rotation signs with both secrets for a day", hooksRotated},
	{"a hand-off moves a session to another browser, and the first may watch", handoffMoves},
	{"a session that was handed on is handed back", handoffBack},
	{"a hand-off ends when it is replaced, taken back, too old or too late", handoffEnds},
	{"hand-offs are bounded", handoffBounded},
	{"hand-offs are kept as hashes, and not for ever", handoffAtRest},
	{"a workflow is drafted, published and replaced, and sessions keep their version", flowLife},
	{"a workflow from before there were signals is offered them, once", flowOffer},
	{"a logo is kept once, and named only where it is kept", flowLogos},
	{"revocation lists are fetched from the operator's addresses, and never replace a newer one", revocationsFetched},
	{"an address without a revocation list keeps no other waiting", oneAddressFails},
	{"trust changes when somebody accepts, never back to an older list, and can be undone", trustLife},
	{"where two persons are wanted, nobody changes trust alone", trustTwo},
	{"what was removed stays untrusted, and an anchor takes its lists along", trustRemoved},
	{"live mode trusts nothing of test mode", trustModes},
	{"an anchor of one purpose never serves another", trustPurposes},
	{"what expires, ends or grows old is named in time", trustWarnings},
	{"a list of authorities of mobile documents needs an anchor of its own", trustVICAL},
	{"what could not be accepted is refused when it is uploaded", trustRefused},
	{"past decisions are made again, also of erased sessions", flowSimulated},
	{"a backup that is restored goes on where it was", backupWhole},
	{"who was erased after the backup stays erased", backupErased},
	{"a restore counts the faces that may have lost their consent since", backupFaces},
	{"a backup that is not whole is refused", backupRefused},
	{"a restore that did not come to its end is refused everything but another one", backupUnfinished},
	{"a restore of a log that does not hold does not end", backupForged},
	{"the mark of a restore is in no backup", backupUnmarked},
	{"a backup goes from one database to the other", backupAcross},
	{"a change of the master key goes on where it was killed, and needs the old key until it is done", masterKilled},
	{"a backup of before a change of the master key is restored with both keys", masterBackup},
	{"a database of every schema there was is brought up to date", dumpsUpgraded},
	{"every table is in a backup or it is said why not", backupCovers},
	{"a mail is sealed until it is sent, taken by one worker, and erased with its session", keepMails},
	{"a link to reset a password works once", keepResets},
	{"members are told of everything once, and not too often", noteOnce},
	{"a job follows what caused it, in each of its tries", traceJobs},
	{"webhooks that one job sends follow each what it tells of", traceHooks},
	{"a delivery forgets its trace when it has ended, and when its session is erased", traceForgotten},
}

// runSuite runs every row, each beside the others.
func runSuite(t *testing.T, deployed func(*testing.T) *deployment) {
	t.Helper()
	for _, r := range contended {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			r.run(t, deployed(t))
		})
	}
	for _, r := range orderly {
		t.Run(r.name, func(t *testing.T) {
			leaveRaceForTheNight(t)
			t.Parallel()
			r.run(t, deployed(t))
		})
	}
}

func TestOnSQLite(t *testing.T) { runSuite(t, onSQLite) }

func TestOnPostgres(t *testing.T) {
	idvtest.Postgres(t)
	t.Run("suite", func(t *testing.T) { runSuite(t, onPostgres) })
}

func TestOnS3(t *testing.T) {
	where, dir := idvtest.Bucket(t)
	d := deployOn(t, migrated.SQLite(t), idvtest.Master(t), where, dir)
	recordPictures(t, d)
	d.clock.advance(25 * time.Hour)
	if err := d.store.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.clock.advance(-25 * time.Hour) // a tidying that starts with the workers would find whatever is on its way a day old
	recordAtRest(t, d)
	backupOnS3(t, d, where)
}

// deployment is a store, a service and an engine of scenes on it.
type deployment struct {
	*services.Services
	store   *Store
	lab     *idvtest.Lab
	clock   *clock
	url     string
	blobs   string
	master  *vault.Master
	cluster *idvtest.Cluster

	galleries *galleries.Galleries
}

// clock runs, and can be set forward.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// quiet keeps the log to itself, unless -v asks for it.
func quiet() *slog.Logger {
	if testing.Verbose() {
		return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	return slog.New(slog.DiscardHandler)
}

// work works jobs until the answered function is called or the test ends.
func (d *deployment) work(t *testing.T, o queue.WorkOptions) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	if o.Poll == 0 {
		o.Poll = 20 * time.Millisecond
	}
	go func() { done <- d.store.Work(ctx, d.Handlers(), o) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("Work: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// secondNode is the same deployment, opened a second time.
func (d *deployment) secondNode(t *testing.T) *deployment {
	t.Helper()
	return d.nodeWith(t, d.master)
}

// nodeWith is secondNode with other master keys.
func (d *deployment) nodeWith(t *testing.T, m *vault.Master) *deployment {
	t.Helper()
	node := *d
	node.master = m
	var err error
	node.store, err = Open(t.Context(), d.url, Options{Master: m, Blobs: d.store.Blobs, Now: d.clock.now, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := node.store.Close(); err != nil {
			t.Error(err)
		}
	})
	engine, err := flow.New(d.lab.Gates(), d.lab.Extractors(), append(d.lab.Checkers(), checker.OfSeen(idvtest.Faces{})...), flow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	node.galleries = galleriesOf(node.store)
	node.Services = services.New(node.store, node.store.Pictures(), engine, services.Options{
		Now: d.clock.now, Log: quiet(), Seeks: decision.Seeks{Faces: idvtest.Faces{}, Galleries: node.galleries},
	})
	return &node
}

// patience is how long a test waits for what should happen at once.
const patience = 60 * time.Second

// await waits until the session is in one of the states.
func (d *deployment) await(t *testing.T, id idv.SessionID, states ...idv.SessionState) idv.Session {
	t.Helper()
	var last idv.Session
	d.awaitThat(t, id, func() bool {
		v, err := d.Sessions.Get(t.Context(), "", id)
		if err != nil {
			t.Fatal(err)
		}
		last = v.Session
		for _, s := range states {
			if last.State == s {
				return true
			}
		}
		return false
	})
	return last
}

// awaitThat waits for a condition, looking again at every event of the session.
func (d *deployment) awaitThat(t *testing.T, id idv.SessionID, ok func() bool) {
	t.Helper()
	wake, stop := d.Sessions.Watch(id)
	defer stop()
	late := time.After(patience)
	for !ok() {
		select {
		case <-wake:
		case <-time.After(time.Second):
		case <-late:
			events, err := d.Sessions.Timeline(t.Context(), "", id)
			for _, e := range events {
				t.Logf("%s %s %v", e.At.Format(time.TimeOnly), e.Type, e.Payload)
			}
			t.Fatalf("waited too long (%v)", err)
		}
	}
}
