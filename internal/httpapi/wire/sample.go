package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// The samples are one invented session at three times of its life.
const (
	sampleSession  idv.SessionID         = "ses_06c1q2m3n4p5r6s7t8v9w0x1y2"
	sampleWorkflow idv.WorkflowVersionID = "wfv_06c1q2k0a1b2c3d4e5f6g7h8j9"
)

// sampleTime is when the session of the samples was created.
var sampleTime = time.Date(2026, 11, 24, 9, 30, 0, 0, time.UTC)

// SampleCreated returns a session that was just created, with its link.
func SampleCreated() Session {
	return Session{
		ID: sampleSession, Mode: idv.Test, State: idv.Created, ExternalReference: "order-17", Metadata: map[string]string{"tier": "gold"},
		Claimed:  map[idv.ClaimName]string{idv.GivenNames: "Ada", idv.FamilyName: "Doe"},
		Workflow: WorkflowRef{ID: sampleWorkflow, Name: "default", Number: 1}, Locale: "en", ReturnURL: "https://shop.example/done",
		CreatedAt: sampleTime, LinkExpiresAt: sampleTime.Add(48 * time.Hour),
		URL: "https://id.example.com/v/kV0pXo8yqf0m3oVd5G4n2wqBz1J7sT6uLr9HcEaYxWk",
	}
}

// WithoutLink returns the session as it is read later.
func (s Session) WithoutLink() Session {
	s.URL = ""
	return s
}

// Listed returns the session as a list has it that expands nothing.
func (s Session) Listed() Session {
	s.Verified, s.Decisions = nil, nil
	return s
}

// SampleCancelled returns the session after it was cancelled.
func SampleCancelled() Session {
	s := SampleCreated().WithoutLink()
	s.State = idv.Cancelled
	until := sampleTime.Add(365 * 24 * time.Hour)
	s.Keeping = Keeping{ReportUntil: &until}
	return s
}

// SampleApproved returns the session after it was approved.
func SampleApproved() Session {
	s := SampleCreated().WithoutLink()
	approved, passport, country := idv.DecideApprove, idv.Passport, "UTO"
	at := func(minutes int) *time.Time {
		t := sampleTime.Add(time.Duration(minutes) * time.Minute)
		return &t
	}
	s.State, s.Outcome, s.DocumentKind, s.Country = idv.Approved, &approved, &passport, &country
	s.OpenedAt, s.SubmittedAt, s.DecidedAt, s.ExpiresAt = at(2), at(4), at(4), at(2+24*60)
	s.Keeping = Keeping{PicturesUntil: at(4 + 90*24*60), ReportUntil: at(4 + 365*24*60)}
	fact := func(name idv.ClaimName, value string, spelling idv.ClaimSource) *verified.Fact {
		return &verified.Fact{
			Name: name, Value: &value, Rule: verified.ByZone, Spelling: &spelling,
			Sources: []idv.ClaimSource{idv.FromMRZ, idv.FromPrinted}, Disagree: []idv.ClaimSource{},
		}
	}
	s.Verified = &verified.Outputs{
		FamilyName: fact(idv.FamilyName, "Doe", idv.FromPrinted), GivenNames: fact(idv.GivenNames, "Ada", idv.FromPrinted),
		DateOfBirth: fact(idv.DateOfBirth, "1990-05-21", idv.FromPrinted), Sex: fact(idv.Sex, "F", idv.FromMRZ),
		Nationality: fact(idv.Nationality, "UTO", idv.FromMRZ),
		Document: verified.DocumentOutputs{
			Kind: fact(verified.KindName, "passport", idv.FromMRZ), Number: fact(idv.DocumentNumber, "L898902C3", idv.FromMRZ),
			Issuer: fact(idv.Issuer, "UTO", idv.FromMRZ), DateOfExpiry: fact(idv.DateOfExpiry, "2031-04-15", idv.FromPrinted),
		},
		Credentials: []verified.Credential{},
	}
	return s
}
