package idv

// Step is one thing that the applicant is asked to do.
type Step string

// The steps of an applicant's flow.
const (
	StepConsent       Step = "consent"
	StepChoose        Step = "choose"         // kind of document
	StepDocumentFront Step = "document_front" // the page with the portrait
	StepDocumentBack  Step = "document_back"
	StepSelfie        Step = "selfie"
	StepChip          Step = "chip"   // beside the others: an app sends it at any time before the last one; no task names it
	StepWallet        Step = "wallet" // beside the others too: a wallet is asked at any time before the last one
)

// Side of a document.
type Side string

// The sides. A passport or visa page is a front.
const (
	NoSide Side = ""
	Front  Side = "front"
	Back   Side = "back"
)

// DocumentKind is the kind of a document.
type DocumentKind string

// The kinds of document.
const (
	Passport        DocumentKind = "passport"
	IDCard          DocumentKind = "id_card"
	Visa            DocumentKind = "visa"
	ResidencePermit DocumentKind = "residence_permit"
	DrivingLicence  DocumentKind = "driving_licence"
	UnknownKind     DocumentKind = "unknown"
)

// DocumentKinds returns every kind that a workflow can accept.
func DocumentKinds() []DocumentKind {
	return []DocumentKind{Passport, IDCard, Visa, ResidencePermit, DrivingLicence}
}

// IdentityDocuments returns the kinds that identify a person. A visa does not, since it belongs to another document.
func IdentityDocuments() []DocumentKind {
	return []DocumentKind{Passport, IDCard, ResidencePermit, DrivingLicence}
}

// HasBack reports whether the flow asks for the back of such a document.
func (k DocumentKind) HasBack() bool {
	return k == IDCard || k == ResidencePermit || k == DrivingLicence
}

// StepsFor returns what a session of workflow w asks for, in order, once the applicant chose kind k.
func (w WorkflowVersion) StepsFor(k DocumentKind) []Step {
	var out []Step
	for _, s := range w.Steps {
		if s == StepDocumentBack && !k.HasBack() {
			continue
		}
		out = append(out, s)
	}
	return out
}

// FlowSteps returns the steps at which an applicant can be, in the order of the flow.
func FlowSteps() []Step {
	return []Step{StepConsent, StepChoose, StepDocumentFront, StepDocumentBack, StepSelfie}
}
