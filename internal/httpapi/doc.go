// Package httpapi is everything that Bonafide answers over HTTP: the calls of integrators, applicants and the
// console, the two web apps, health and metrics.
//
// One table (routes.go) lists every call with who may make it and what it may send; the router, the OpenAPI
// file, the permission walk of the tests and the docs are made from its rows. A handler decodes nothing by
// hand and decides nothing: it calls one use case and turns the answer into its wire type. What goes wrong
// comes back as a row of the problem catalogue through one mapper; anything else becomes "internal", is
// logged once under the request id, and is never sent.
//
// Nothing that identifies a person reaches the log: routes are logged by pattern, never by path, and bodies,
// queries and credentials are not logged at all.
package httpapi
