// Package sessiontest is the test kit of the session packages: a store in memory that behaves as the SQL stores do, a clock
// that only tests move, an engine that reads the scenes of idvtest, and shortcuts for what an applicant and the job workers do.
// Nothing in it waits: Deployment.Work runs jobs until none is left.
//
// That the store behaves as the SQL stores do is tested in internal/store, by a contract that runs on all of them.
package sessiontest
