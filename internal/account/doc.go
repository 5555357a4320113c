// Package account holds the words of who may do what: members with roles, API keys with scopes, invitations, and
// the one table of permissions that members and keys are both checked against.
//
// What is done with them has packages of its own: signin proves who somebody is, team manages the members, apikey
// the keys, and password hashes.
//
// No secret is stored. Of a password the database has an argon2id hash; of an API key, an invitation and a setup
// token it has a SHA-256 digest, which is enough for secrets of 256 random bits.
package account
