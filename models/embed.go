// Package models embeds the model cards and the pack: the files that the cards name, put together by `make pack`. Only
// cmd imports it; tests read models/ from disk. A build without the pack compiles, and its cards say what is missing.
package models

import "embed"

// Files holds cards/*.json and pack/*, as modelcard.Open wants them.
//
//go:embed cards/*.json all:pack
var Files embed.FS
