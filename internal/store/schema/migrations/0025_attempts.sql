-- Wrong passwords and codes, counted for each account. account is a keyed digest of the address that was typed, whether or not it has
-- an account. network is a keyed digest of a network that somebody signed in to the account from; '' counts for all others together.

CREATE TABLE sign_in_attempts (
	account TEXT NOT NULL,
	network TEXT NOT NULL,
	passwords INTEGER NOT NULL DEFAULT 0,
	last_password_at {{ts}},
	codes INTEGER NOT NULL DEFAULT 0,
	last_code_at {{ts}},
	failed_passwords INTEGER NOT NULL DEFAULT 0,
	failed_codes INTEGER NOT NULL DEFAULT 0,
	failed_from {{ts}},
	expires_at {{ts}} NOT NULL,
	PRIMARY KEY (account, network)
);

CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
