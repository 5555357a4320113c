// Package webhook tells other systems what happened: it signs events by the Standard Webhooks scheme and delivers them
// to endpoints, with tries over three days.
//
// An event becomes deliveries in the transaction that writes it (the store fans out), so that none is lost and none is
// made up. A delivery is sent at least once: whoever receives one twice knows it by its webhook-id. Each endpoint has a
// queue of its own, and endpoints that fail are worked apart from those that answer, so that a dead one keeps nobody
// waiting.
//
// Targets are public addresses unless the operator allows a network. That is checked when an endpoint is saved, when a
// delivery is sent, and once more on the address that the connection is really made to.
package webhook
