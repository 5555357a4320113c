// Package account knows who may do what: members with roles and passwords, API keys with scopes, and the one
// table of permissions that both are checked against.
//
// Secrets are never kept: of a password there is an argon2id hash, of a key or a setup token a SHA-256 (they
// carry 256 random bits, so a fast hash is enough). A login for an unknown address takes as long as one with
// a wrong password, and both say the same.
package account
