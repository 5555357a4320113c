// Command goclient goes the way of the quick start with a client that is generated from a server's OpenAPI file. It is a
// module of its own, so that the generator and what it needs are no part of the program.
//
//	go tool oapi-codegen -config oapi-codegen.yaml openapi-3.0.json && go run .
//
// It reads BONAFIDE_URL and BONAFIDE_KEY.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	_ "github.com/oapi-codegen/runtime" // imported by what the generator writes; named here so that go mod tidy keeps it
)

func main() {
	if err := run(context.Background(), os.Getenv("BONAFIDE_URL"), os.Getenv("BONAFIDE_KEY")); err != nil {
		fmt.Fprintln(os.Stderr, "goclient:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, key string) error {
	withKey := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	api, err := NewClientWithResponses(url, WithRequestEditorFn(withKey))
	if err != nil {
		return err
	}
	reference := "order-17"
	made, err := api.CreateSessionWithResponse(ctx, &CreateSessionParams{}, NewSession{
		ExternalReference: &reference,
		Claimed:           &map[string]string{"family_name": "Doe", "document_number": "persona:approved"},
	})
	if err != nil {
		return err
	}
	if made.JSON201 == nil {
		return fmt.Errorf("create a session: %s", made.ApplicationproblemJSONDefault.Code)
	}
	id := made.JSON201.Id
	acted, err := api.SimulateSessionWithResponse(ctx, id, &SimulateSessionParams{}, SimulateSessionJSONRequestBody{})
	if err != nil {
		return err
	}
	if acted.JSON200 == nil {
		return fmt.Errorf("simulate: %s", acted.ApplicationproblemJSONDefault.Code)
	}
	return follow(ctx, api, id)
}

// follow waits for the verdict and prints it.
func follow(ctx context.Context, api *ClientWithResponses, id string) error {
	for range 300 {
		got, err := api.GetSessionWithResponse(ctx, id, &GetSessionParams{})
		if err != nil {
			return err
		}
		if got.JSON200 == nil {
			return fmt.Errorf("read the session: %s", got.ApplicationproblemJSONDefault.Code)
		}
		if s := got.JSON200; s.DecidedAt != nil && s.Outcome != nil {
			fmt.Println(s.State, *s.Outcome, s.ExternalReference)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("session %s got no verdict", id)
}
