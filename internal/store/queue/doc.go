// Package queue is the job queue, by River: jobs are written in the transaction that needs them, and worked by as many nodes
// as there are.
package queue
