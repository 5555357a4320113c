package trace

import (
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
)

// Key is one row of the table of what a span may record. Only its Is method makes a Fact.
type Key struct {
	Name string // of the attribute; OpenTelemetry's own where it has one
	What string // description, as printed in the reference
}

// Fact is a key with a value. The zero Fact is none.
type Fact struct{ value attribute.KeyValue }

// Word is a key whose values are words of the vocabulary, ids or patterns.
type Word struct{ Key }

// Count is a key whose values are numbers.
type Count struct{ Key }

// wait is a key whose values are times in milliseconds.
type wait struct{ Key }

// What a span may record.
var (
	Method          = Word{Key{"http.request.method", "method of a call"}}
	Route           = Word{Key{"http.route", "pattern of its route; never the path or the query"}}
	Status          = Count{Key{"http.response.status_code", "status that it was answered with; of a webhook, by its receiver"}}
	Request         = Word{Key{"bonafide.request_id", "request id, made here or sent with an API key; the log has it, too"}}
	Problem         = Word{Key{"bonafide.problem", "code of the problem that it was answered with, or that a part came to"}}
	Failure         = Word{Key{"error.type", "what kind of failure; its words are in the log only"}}
	Database        = Word{Key{"db.system.name", "sqlite or postgresql"}}
	Operation       = Word{Key{"db.operation.name", "first word of a statement, such as SELECT; never its values"}}
	Table           = Word{Key{"db.collection.name", "table that a statement is about"}}
	TxWait          = wait{Key{"bonafide.transaction.wait_ms", "how long a transaction waited for its turn, milliseconds"}}
	Job             = Word{Key{"bonafide.job.kind", "kind of a job"}}
	JobAttempt      = Count{Key{"bonafide.job.attempt", "which try of the job it is"}}
	JobWait         = wait{Key{"bonafide.job.wait_ms", "how long the try waited after it was due, milliseconds"}}
	Capture         = Word{Key{"bonafide.capture.kind", "kind of the capture that the engine looks at"}}
	Check           = Word{Key{"bonafide.check.kind", "check that is asked; not what it answers"}}
	Size            = Count{Key{"bonafide.blob.bytes", "size of a blob"}}
	Endpoint        = Word{Key{"bonafide.webhook.endpoint", "id of the endpoint that a webhook is sent to; never its address"}}
	DeliveryAttempt = Count{Key{"bonafide.webhook.attempt", "which try of the delivery it is"}}
)

// Keys returns the whole table.
func Keys() []Key {
	return []Key{
		Method.Key, Route.Key, Status.Key, Request.Key, Problem.Key, Failure.Key, Database.Key, Operation.Key, Table.Key, TxWait.Key,
		Job.Key, JobAttempt.Key, JobWait.Key, Capture.Key, Check.Key, Size.Key, Endpoint.Key, DeliveryAttempt.Key,
	}
}

// maxWord is the length of the longest word in bytes.
const maxWord = 120

// Is returns a fact, or the zero Fact for a value that is no word: one that is longer than maxWord, or has a character that
// words, ids and patterns do not have.
func (k Word) Is(v string) Fact {
	if v == "" || len(v) > maxWord || slices.ContainsFunc([]byte(v), notInWord) {
		return Fact{}
	}
	return Fact{attribute.String(k.Name, v)}
}

func notInWord(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return false
	case c == '_', c == '-', c == '.', c == '/', c == '{', c == '}', c == '$':
		return false
	}
	return true
}

// Is returns a fact.
func (k Count) Is(n int) Fact { return Fact{attribute.Int(k.Name, n)} }

// Is returns a fact.
func (k wait) Is(d time.Duration) Fact {
	return Fact{attribute.Int64(k.Name, max(0, d.Milliseconds()))}
}
