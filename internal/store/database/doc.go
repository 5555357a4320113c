// Package database opens SQLite and PostgreSQL, runs transactions over them, and keeps the keysets that seal personal columns.
//
// It is what the packages beside it share; each of those knows the tables of one subject.
package database
