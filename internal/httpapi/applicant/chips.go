package applicant

import (
	"context"
	"net/http"
	"regexp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Chips answers the calls of apps that read the chip of a document.
type Chips struct {
	chips *applicant.Chips
	tasks *tasks
	room  *edge.Room
}

// Routes returns the calls, in the order of the reference.
func (h *Chips) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/chip/challenge", ID: "challengeChip", Who: edge.Applicant, Sends: edge.JSON,
			Status: http.StatusCreated, Summary: "Get a challenge for the chip",
			Description: "Eight bytes for Active Authentication, if the chip has DG15. Good once, for this session, for five minutes; the one before " +
				"it is void. A chip that answers none may be a copy.",
			Bind: edge.Call(h.challenge),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/chip", ID: "submitChip", Who: edge.Applicant, Sends: edge.ChipFiles,
			Status: http.StatusAccepted, Form: chipForm(),
			Summary: "Send what was read from the chip",
			Description: "Where the task says `chip`, at any time before its last step, and again. The files as they were read: EF.SOD, DG1 and DG2, and " +
				"what there is of EF.COM, DG11, DG12, DG14 and DG15; others are refused. The answer is the task, as before. What is no whole read is refused " +
				"by the code of what is wrong, and costs no try; whether the chip is authentic is judged later, and told to reviewers alone.",
			Bind: edge.Call(h.submit),
		},
	}
}

func (h *Chips) challenge(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.ChipChallenge], error) {
	c, err := h.chips.Challenge(ctx, edge.ApplicantSession(ctx))
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.ChipChallengeOf(c), nil)
}

func (h *Chips) submit(ctx context.Context, _ *struct{}) (*wire.Answer[wire.Task], error) {
	id := edge.ApplicantSession(ctx)
	leave, err := h.room.Enter(ctx, edge.HTTPRequest(ctx), string(id), edge.ChipFiles.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	form, err := edge.ReadForm(edge.HTTPRequest(ctx), chipFields)
	if err != nil {
		return nil, err
	}
	t, err := h.chips.Submit(ctx, id, applicant.ChipSubmission{
		Attempt: form.Text["attempt"], Files: form.Lists["file"], Challenge: idv.ChallengeID(form.Text["challenge"]), Response: form.Files["response"],
	})
	return h.tasks.reply(ctx, t, err)
}

func chipForm() *huma.Schema {
	longest, shortest, most := 64, 8, idv.MostChipFiles
	return wire.FormSchema([]string{"attempt", "file"}, map[string]*huma.Schema{
		"attempt": {
			Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: attemptPattern,
			Description: "Made by the client, new for each read; repeat it to repeat the call safely",
		},
		"file": {Type: huma.TypeArray, MaxItems: &most, Items: wire.FileSchema("One elementary file, from its tag to its end"),
			Description: "EF.SOD, DG1, DG2, and what there is of EF.COM, DG11, DG12, DG14, DG15; in any order, at most 3 MB together"},
		"challenge": {Type: huma.TypeString, MaxLength: &longest, Description: "With `response`: the id of the challenge that the chip answered"},
		"response":  wire.FileSchema("What the chip answered to INTERNAL AUTHENTICATE, without the status word; at most 1 kB"),
	})
}

var chipFields = map[string]edge.Field{
	"attempt":   {Most: 64, Required: true, Pattern: regexp.MustCompile(attemptPattern)},
	"file":      {File: true, Most: idv.MostChipBytes, Times: idv.MostChipFiles, Required: true},
	"challenge": {Most: 64, Pattern: regexp.MustCompile("^[A-Za-z0-9_]{1,64}$")},
	"response":  {File: true, Most: idv.MostChipResponse},
}
