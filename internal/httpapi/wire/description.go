package wire

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// contentOfWebhooks describes how much webhooks carry.
const contentOfWebhooks = "What webhooks carry besides ids, outcome and reasons. ids: nothing. reference: external_reference and metadata. session: also " +
	"the session (snapshot), without its link and verified facts. All of it as it is when it is sent; more than ids takes the permission to read sessions"

// descriptions are those of fields whose text is too long for a struct tag, by their names in JSON.
var descriptions = map[reflect.Type]map[string]string{
	reflect.TypeFor[AddedPasskey](): {
		"recovery_codes": "Answered this once, with the first thing that is asked for besides the password; else empty",
	},
	reflect.TypeFor[Analytics](): {
		"wait_p50_s": "Half of the decided waited no longer from the last picture to the decision, seconds; 0 where nothing was decided",
	},
	reflect.TypeFor[Choice](): {
		"country": "Which state or organisation issued it, by its code of /v1/applicant/countries. What the document itself says counts; left out: not " +
			"said",
	},
	reflect.TypeFor[ConsentAnswer](): {
		"about": "What was asked on the page; refused with capture.out_of_order where something else is asked by now. Left out: whatever is " +
			"asked. gallery answers the question that a task may have beside its step, and changes nothing else",
	},
	reflect.TypeFor[Health](): {
		"models": "Whether the models are loaded. While they load, checks wait; where they are broken, sessions are referred to a person",
	},
	reflect.TypeFor[HeldSession](): {
		"pictures_until": "Without the hold pictures would be erased then; null before the session came to its end, and when they are gone",
	},
	reflect.TypeFor[KeepOut](): {
		"revoke_keys": "Whether the API keys that they made are revoked as well, at once and for ever; also of a member who is kept out already",
	},
	reflect.TypeFor[LivenessChoice](): {
		"path": "gentle: smaller movements and more time, and the answer goes to review. person: no movements, one picture, which goes to review",
	},
	reflect.TypeFor[NewDecision](): {
		"reasons": "With declined, at least one: codes of the catalogue with a severity and a word for reviewers",
	},
	reflect.TypeFor[NewSession](): {
		"external_reference": "Your own reference, at most 200 characters",
		"claimed": "What you know about the person; compared with the document. In test mode a document_number of persona: and a name makes a session " +
			"that a test persona settles",
		"locale": "BCP 47 language of the person's screens: ar, de, en, es, fr, it, nl, pl, pt, tr, uk or zh; another falls back to the browser's, " +
			"then to English. The browser decides if left out, and the person can change it",
	},
	reflect.TypeFor[NewWebhookEndpoint](): {
		"url":     "https, without credentials, on the public internet. In test mode also http on this machine, where the operator allows it",
		"content": contentOfWebhooks + ". Left out: reference, or ids where you may not read sessions of that mode",
	},
	reflect.TypeFor[WebhookEndpointChange](): {
		"url":     "As for a new endpoint. Where webhooks carry more than ids, it takes the permission to read sessions",
		"content": contentOfWebhooks,
	},
	reflect.TypeFor[Receipt](): {
		"statement": "What was removed when, on whose request. The digest is over these bytes, without white space between tokens",
	},
	reflect.TypeFor[RetentionSetting](): {
		"audit_hours": "Entries of the audit log, a year at least. Their hashes stay, so that the rest can still be proven; 0 for the default",
	},
	reflect.TypeFor[Session](): {
		"verified": "The person's identity: each fact once, with its sources and the rule that chose it. Null unless the session is approved, to whoever may not " +
			"read reports, and in lists that do not expand it",
	},
	reflect.TypeFor[SessionFile](): {
		"verified": "Each fact once, by the newest report and what reviewers corrected; what would be verified, until the session is approved. Null " +
			"before it was decided",
	},
	reflect.TypeFor[Task](): {
		"takes": "What the step is answered with: a picture of a document or a face, or a run of frames; empty where it is no picture",
		"challenge": "What the frames have to show; null unless the step takes frames. Live updates name it only while one is open: read the task to " +
			"get one",
		"face_optional": "The person may decline biometrics and go on with the document alone; after declining: they may still agree",
	},
	reflect.TypeFor[TeamMember](): {
		"keys": "API keys that they made and that work: these go on when the member is kept out, unless they are revoked",
	},
	reflect.TypeFor[VersionFigures](): {
		"p50_seconds": "From sending everything to the decision, the middle of the newest 5 000; null where nothing is decided",
	},
	reflect.TypeFor[WebhookEndpoint](): {
		"content":    contentOfWebhooks,
		"stopped_at": "It answered 410 Gone then, and nothing is sent to it until somebody starts it again; null while events are sent",
	},
	reflect.TypeFor[WebhookTry](): {
		"excerpt": "The beginning of the answer, at most 500 bytes; empty for whoever may not read sessions of that mode unmasked, since a receiver " +
			"may answer with anything",
	},
	reflect.TypeFor[WorkflowBrand](): {
		"hello": "The sentence below the first heading, by language; without one it is the usual sentence",
	},
	reflect.TypeFor[WorkflowDifference](): {
		"effect": "Whether fewer or more people come through because of it; neither also where that is unknown",
	},
	reflect.TypeFor[WorkflowRef](): {
		"liveness_notice": "liveness_not_required where nothing proves that a live person sent the selfie, face_not_compared where no selfie is taken; " +
			"shown beside every verdict. Empty otherwise",
	},
	reflect.TypeFor[WorkflowSpec](): {
		"countries":      "Issuers that are accepted, by their codes of ICAO 9303-3; empty for all",
		"face_fmr":       "Faces pass from the similarity on at which this false match rate was measured",
		"face_refer_fmr": "Between this rate's similarity and the one that passes, a session goes to review",
		"embed_origins": "Origins whose pages may show the person's pages in a frame or a window of their own and hear how far they are: https://, " +
			"host and port, nothing else; in test mode also http://localhost. Empty, or left out, for none",
		"assurance": "The policy approves at this level and above; what falls short is referred (assurance.short). low, or left out, asks for nothing " +
			"beyond the required checks",
		"settled_by": "What confirms each of name, date of birth, number and date of expiry of a document that has neither a machine-readable zone nor a " +
			"barcode: two_sources accepts both sides and numbers that encode a fact, two_readers also two readers of a numbered field. machine, or left " +
			"out, accepts nothing: such a document is referred (document.unconfirmed)",
		"live_capture": "Pictures of document and selfie are taken in the page, with the camera of that device or of a phone that takes over; those from " +
			"files are refused (capture.from_file). A hurdle, not a proof: a browser can be made to show a file as a camera. Where it is false or left out, " +
			"files are accepted",
		"another_document": "People who are declined for their document alone (expired, of a kind or country that is not accepted, a specimen) may begin once more " +
			"with another one, in a session that follows this one (session.another_document). Where it is false or left out, a decline ends it",
		"face_optional": "People who decline biometrics continue without a selfie, and the session goes to review. Where it is false or left out, declining " +
			"ends the session",
	},
	reflect.TypeFor[WorkflowTrial](): {
		"only": "Decisions under this workflow (workflow, if left out), or under every workflow of its mode",
	},
	reflect.TypeFor[WorkflowVersion](): {
		"liveness_notice": "liveness_not_required where nothing proves that a live person sent the selfie, face_not_compared where no selfie is taken. " +
			"Empty otherwise",
	},
}

// Describe adds to the schemas of the wire types the descriptions that are too long for a struct tag.
func Describe(schemas huma.Registry) {
	const prefix = "#/components/schemas/"
	for name, schema := range schemas.Map() {
		t := schemas.TypeFromRef(prefix + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(t) {
			owner := t
			if n := len(f.Index); n > 1 { // promoted from an embedded struct
				owner = t.FieldByIndex(f.Index[:n-1]).Type
			}
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if text, ok := descriptions[owner][key]; ok {
				schema.Properties[key].Description = text
			}
		}
	}
}
