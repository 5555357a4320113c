// Package httpapi is everything that Bonafide answers over HTTP: the calls of integrators, applicants and the console, the two web
// apps, health and metrics. It puts the packages below it together:
//
//   - wire has the JSON types, and masks personal data in them;
//   - edge is what every request passes;
//   - integrator, applicant and console have one handler for each resource, with its routes beside it; sessions and webhooks have
//     what integrators and the console do alike;
//   - pages serves the web apps and the documentation.
//
// One table (routes.go) lists every call with who may make it and what it may send; the router, the OpenAPI file, the permission
// walk of the tests and the reference are made from its rows. A handler decodes nothing by hand and decides nothing: it calls one
// use case and turns the result into its wire type. An error is answered as a problem of the catalogue; anything else becomes
// "internal", is logged once under the request id, and is never sent.
package httpapi
