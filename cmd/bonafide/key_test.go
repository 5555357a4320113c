package main

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/vault"
)

func newMasterKey(t *testing.T) string {
	t.Helper()
	key, err := vault.NewMaster()
	if err != nil {
		t.Fatal(err)
	}
	return key
}
