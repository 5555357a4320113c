// Package webhook delivers events to the endpoints of other systems, signed by the Standard Webhooks scheme, with attempts
// over three days.
//
// The transaction that writes an event also writes its deliveries, so that none is lost and none is sent of an event that
// did not happen. A delivery is sent at least once; receivers recognise a repetition by its webhook-id. Each endpoint has a
// queue of its own, and endpoints that fail are worked apart from those that answer, so that a dead one delays no other.
//
// Targets are public addresses, unless the operator allows a network. That is checked when an endpoint is saved, when a
// delivery is sent, and again on the address that the connection is made to.
package webhook
