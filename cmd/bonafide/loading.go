package main

import "sync/atomic"

// loading says how far the models are.
type loading struct {
	state atomic.Int32
}

const (
	modelsLoading = iota
	modelsReady
	modelsBroken
)

func (l *loading) done(err error) {
	if err != nil {
		l.state.Store(modelsBroken)
		return
	}
	l.state.Store(modelsReady)
}

// String is the word that readiness answers.
func (l *loading) String() string {
	switch l.state.Load() {
	case modelsReady:
		return "ready"
	case modelsBroken:
		return "broken"
	default:
		return "loading"
	}
}
