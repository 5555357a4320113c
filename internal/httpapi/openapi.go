package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/verified"
)

const schemas = "#/components/schemas/"

// adopt sets what the framework only offers as package variables: our errors, arrays that are never null, and
// field names that must be written as they are.
var adopt = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true
	huma.NewErrorWithContext = edge.Refusal
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return edge.Refusal(nil, status, msg, errs...)
	}
})

// apiConfig is the framework's configuration: no docs page, no schema links, JSON only.
func apiConfig() huma.Config {
	adopt()
	c := huma.DefaultConfig("Bonafide", string(wire.CurrentVersion()))
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.RejectUnknownQueryParameters = true
	c.Formats = map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat}
	c.Info.Description = "Identity verification that you host yourself. Problems are RFC 9457; their codes are listed by `/v1/catalogue`. " +
		"Unknown JSON fields and query parameters are refused by name. `Idempotency-Key` works on every JSON POST by key or cookie. " +
		"`" + wire.VersionHeader + "` asks for a dated version of the API; every answer says which one it is in. " +
		"Times are RFC 3339 UTC. Every answer carries `X-Request-Id` and, where a rate is limited, `RateLimit-*`."
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"apiKey":    {Type: "http", Scheme: "bearer", Description: "An API key, bf_test_… or bf_live_…. It carries scopes: " + scopeList()},
		"applicant": {Type: "http", Scheme: "bearer", Description: "The token from opening a session; it belongs to one browser tab."},
		"console": {
			Type: "apiKey", In: "cookie", Name: edge.CookieName,
			Description: "Set by signing in. Only sent by pages of the same origin. Over http, in development, it is named `" + edge.PlainCookieName + "`.",
		},
	}
	return c
}

func scopeList() string {
	var out []string
	for _, s := range account.Scopes() {
		out = append(out, "`"+string(s)+"`")
	}
	return strings.Join(out, ", ") + "."
}

// register binds every row of the table and completes the description.
func (s *Server) register() {
	api := s.api
	for _, r := range s.routes {
		r.Bind(api, r.Operation(), s.edge.Problems)
	}
	for _, r := range s.routes {
		describe(api, operationAt(api.OpenAPI(), r), r)
	}
	api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.HandoffStatus](), true, "") // only live updates carry it
	wire.Describe(api.OpenAPI().Components.Schemas)
	nameEnums(api.OpenAPI().Components.Schemas)
}

// operationAt finds a route's operation in the OpenAPI file.
func operationAt(o *huma.OpenAPI, r edge.Route) *huma.Operation {
	item := o.Paths[r.Path]
	switch r.Method {
	case http.MethodGet:
		return item.Get
	case http.MethodPut:
		return item.Put
	case http.MethodDelete:
		return item.Delete
	case http.MethodPatch:
		return item.Patch
	default:
		return item.Post
	}
}

// walletMedia is the media type of a body about wallets; empty for other calls.
func walletMedia(r edge.Route) string {
	switch {
	case r.Sends == edge.WalletForm, r.Sends == edge.WalletAnswer && r.Who == edge.Anyone:
		return "application/x-www-form-urlencoded"
	case r.Sends == edge.WalletAnswer:
		return "application/json"
	}
	return ""
}

// describe adds what the framework cannot see: forms that we read ourselves, streams, headers and problems.
func describe(api huma.API, op *huma.Operation, r edge.Route) {
	if r.Form != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: r.Form}}}
	}
	if r.Sends == edge.Part {
		op.RequestBody = &huma.RequestBody{
			Required: true, Content: map[string]*huma.MediaType{wire.PartMedia: {Schema: wire.FileSchema("The bytes, from `Upload-Offset` on")}},
		}
	}
	if r.Sends == edge.Watchlist {
		op.RequestBody = &huma.RequestBody{
			Required: true, Content: map[string]*huma.MediaType{"application/octet-stream": {Schema: wire.FileSchema("The file as its publisher offers it")}},
		}
	}
	if media := walletMedia(r); media != "" {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: huma.TypeObject}}}}
	}
	if r.Sends == edge.JSON && r.Method == http.MethodPost && r.Who != edge.Anyone {
		longest := edge.MaxIdempotencyKey
		op.Parameters = append(op.Parameters, &huma.Param{Name: edge.IdempotencyHeader, In: "header",
			Description: "Repeat a call with the same key and body and it is answered as before, for 24 hours.",
			Schema:      &huma.Schema{Type: huma.TypeString, MaxLength: &longest}})
	}
	if strings.HasSuffix(r.Path, "/events") && r.Who != edge.Integrator {
		op.Responses["200"].Content = map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}}
	}
	if r.Form == nil && (strings.Contains(r.Path, "/evidence/") || strings.Contains(r.Path, "/artifacts/")) {
		op.Responses["200"].Content = map[string]*huma.MediaType{"image/jpeg": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	}
	for _, p := range op.Parameters {
		if values, ok := queryEnums[p.Name]; ok && p.In == "query" {
			target := p.Schema
			if target.Type == huma.TypeArray {
				target = target.Items
			}
			target.Enum = values
			target.PrecomputeMessages()
		}
	}
	ref := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Problem](), true, "")
	op.Responses["default"] = &huma.Response{
		Description: "A problem: what went wrong and what to do about it",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: ref}},
	}
}

// queryEnums are the values of query parameters that are enums.
var queryEnums = map[string][]any{
	"state":   list(idv.SessionStates()),
	"outcome": list([]idv.DecisionOutcome{idv.DecideApprove, idv.DecideDecline, idv.DecideRefer}),
}

func list[T ~string](values []T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// codes are those of the catalogue.
func codes() (out []string) {
	for _, k := range problem.All() {
		out = append(out, k.Code)
	}
	return out
}

// enums gives the vocabulary's words their values, by Go type. Each becomes a named schema.
func enums() map[reflect.Type][]any {
	return map[reflect.Type][]any{
		reflect.TypeFor[idv.Mode]():           list([]idv.Mode{idv.Live, idv.Test}),
		reflect.TypeFor[idv.SessionState]():   list(idv.SessionStates()),
		reflect.TypeFor[idv.ScreeningTopic](): list(idv.ScreeningTopics()),
		reflect.TypeFor[idv.ScreeningBand]():  list([]idv.ScreeningBand{idv.BandStrong, idv.BandPossible, idv.BandDistant}),
		reflect.TypeFor[session.HitState]():   list(session.HitStates()),
		reflect.TypeFor[idv.SeenBy]():         list([]idv.SeenBy{idv.SeenByDocument, idv.SeenByPerson, idv.SeenByPicture, idv.SeenByFace}),
		reflect.TypeFor[idv.SeenSign]():       list(idv.SeenSigns()),
		reflect.TypeFor[session.LinkState]():  list(session.LinkStates()),
		reflect.TypeFor[idv.FacesCompared]():  list([]idv.FacesCompared{idv.FaceSame, idv.FaceOther, idv.FaceUnclear, idv.FaceNotComparable}),
		reflect.TypeFor[idv.FactsCompared]():  list([]idv.FactsCompared{idv.FactsSame, idv.FactsDiffer, idv.FactsUnknown}),
		reflect.TypeFor[idv.BlockKind]():      list(idv.BlockKinds()),
		reflect.TypeFor[session.BlockState](): list([]session.BlockState{
			session.BlockActive, session.BlockAwaits, session.BlockExpired, session.BlockRemoved}),
		reflect.TypeFor[wire.MailKind]():  list(mail.Kinds()),
		reflect.TypeFor[wire.MailState](): list(mail.States()),
		reflect.TypeFor[wire.MailFault](): list(mail.Faults()),
		reflect.TypeFor[account.Notice](): list(account.Notices()),
		reflect.TypeFor[idv.TaskState](): list([]idv.TaskState{
			idv.TaskStep, idv.TaskWait, idv.TaskReview, idv.TaskApproved, idv.TaskDeclined, idv.TaskExpired, idv.TaskCancelled}),
		reflect.TypeFor[idv.Step](): list(
			[]idv.Step{"", idv.StepConsent, idv.StepChoose, idv.StepDocumentFront, idv.StepDocumentBack, idv.StepSelfie, idv.StepChip, idv.StepWallet},
		),
		reflect.TypeFor[idv.Side](): list([]idv.Side{idv.NoSide, idv.Front, idv.Back}),
		reflect.TypeFor[idv.DocumentKind](): list([]idv.DocumentKind{
			idv.Passport, idv.IDCard, idv.Visa, idv.ResidencePermit, idv.DrivingLicence, idv.UnknownKind}),
		reflect.TypeFor[idv.CaptureKind]():         list([]idv.CaptureKind{"", idv.DocumentImage, idv.FaceImage, idv.Frames, idv.ChipFiles, idv.WalletData}),
		reflect.TypeFor[idv.Movement]():            list(idv.Movements()),
		reflect.TypeFor[idv.Outcome]():             list([]idv.Outcome{idv.Pass, idv.Fail, idv.Inconclusive}),
		reflect.TypeFor[idv.CaseState]():           list(idv.CaseStates()),
		reflect.TypeFor[idv.ReviewKind]():          list(idv.ReviewKinds()),
		reflect.TypeFor[idv.AssuranceLevel]():      list(idv.AssuranceLevels()),
		reflect.TypeFor[idv.AssuranceProof]():      list(idv.AssuranceProofs()),
		reflect.TypeFor[idv.Confirmation]():        list(idv.Confirmations()),
		reflect.TypeFor[idv.Settling]():            list(idv.Settlings()),
		reflect.TypeFor[idv.WalletUse]():           list(idv.WalletUses()),
		reflect.TypeFor[idv.WalletAsk]():           list(idv.WalletAsks()),
		reflect.TypeFor[idv.WalletStanding]():      list([]idv.WalletStanding{idv.NoWallet, idv.WalletStands, idv.WalletBeside, idv.WalletNoGood}),
		reflect.TypeFor[session.WalletChannel]():   list(session.WalletChannels()),
		reflect.TypeFor[session.WalletState]():     list(session.WalletStates()),
		reflect.TypeFor[idv.ChipUse]():             list(idv.ChipUses()),
		reflect.TypeFor[idv.DecisionOutcome]():     list([]idv.DecisionOutcome{idv.DecideApprove, idv.DecideDecline, idv.DecideRefer, idv.DecideReopen}),
		reflect.TypeFor[session.ConsentSubject]():  list([]session.ConsentSubject{session.ToBiometrics, session.ToDocument, session.ToGallery}),
		reflect.TypeFor[applicant.DocumentReply](): list(applicant.Replies()),
		reflect.TypeFor[idv.BackTo]():              list(idv.BackTos()),
		reflect.TypeFor[idv.Lifecycle](): list([]idv.Lifecycle{
			idv.CheckPending, idv.CheckRunning, idv.CheckSettled, idv.CheckBroken, idv.CheckSkipped, idv.CheckSuperseded}),
		reflect.TypeFor[idv.ArtifactKind](): list([]idv.ArtifactKind{
			idv.ArtifactPage,
			idv.ArtifactMRZ,
			idv.ArtifactBarcode,
			idv.ArtifactPortrait,
			idv.ArtifactPortraitTemplate,
			idv.ArtifactSelfie,
			idv.ArtifactSelfieTemplate,
			idv.ArtifactTrack,
			idv.ArtifactFrameDigests,
			idv.ArtifactReplay,
			idv.ArtifactChip, idv.ArtifactWallet,
		}),
		reflect.TypeFor[idv.ClaimSource](): list(idv.ClaimSources()),
		reflect.TypeFor[verified.Ground](): list(verified.Grounds()),
		reflect.TypeFor[idv.DoubtSource](): list(idv.DoubtSources()),
		reflect.TypeFor[idv.PrintedZone](): list([]idv.PrintedZone{idv.PrintedAgrees, idv.PrintedDisagrees, idv.PrintedNotOnPage}),
		reflect.TypeFor[problem.Severity](): list([]problem.Severity{
			problem.None, problem.Retry, problem.Final, problem.Fraud, problem.Suspect, problem.Refer, problem.Question,
		}),
		reflect.TypeFor[problemCode]():  list(codes()),
		reflect.TypeFor[account.Role](): list(account.Roles()),
	}
}

// problemCode marks fields that hold a code of the catalogue.
type problemCode string

// nameEnums gives every enum a schema of its own and lets pointers to objects be null, both of which the
// framework leaves out.
func nameEnums(reg huma.Registry) {
	known := enums()
	byName := map[string]*huma.Schema{}
	for t, values := range known {
		name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
		e := &huma.Schema{Type: huma.TypeString, Enum: values}
		e.PrecomputeMessages()
		byName[name] = e
	}
	for name, schema := range reg.Map() {
		t := reg.TypeFromRef(schemas + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(t) {
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if p := schema.Properties[key]; p != nil {
				schema.Properties[key] = refine(p, f, known, strings.Contains(options, "omit"))
			}
		}
		schema.PrecomputeMessages()
	}
	for name, e := range byName {
		reg.Map()[name] = e
	}
}

// refine points a property at its enum, and lets it be null where the Go field can be nil and is written then.
func refine(p *huma.Schema, f reflect.StructField, known map[reflect.Type][]any, omitted bool) *huma.Schema {
	t := f.Type
	if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key == "code" || key == "absent" {
		if key == "code" && f.Tag.Get("enum") == "" && f.Tag.Get("of") != "state" { // the code of a country is no problem's
			t = reflect.TypeFor[problemCode]()
		}
	}
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	ref := func(t reflect.Type) *huma.Schema {
		return &huma.Schema{Ref: schemas + strings.ToUpper(t.Name()[:1]) + t.Name()[1:]}
	}
	_, enum := known[t]
	switch {
	case enum && pointer && !omitted:
		return &huma.Schema{Description: p.Description, AnyOf: []*huma.Schema{ref(t), {Type: "null"}}}
	case enum:
		r := ref(t)
		r.Description = p.Description
		return r
	case t.Kind() == reflect.Slice && known[t.Elem()] != nil:
		p.Items = ref(t.Elem())
	case pointer && t.Kind() == reflect.Struct && p.Ref != "" && !omitted:
		return &huma.Schema{Description: p.Description, AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}}
	}
	return p
}

// OpenAPI answers the description of every call as OpenAPI 3.1, indented JSON.
func (s *Server) OpenAPI() ([]byte, error) {
	raw, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI file: %w", err)
	}
	var tree map[string]any // decoded and encoded again: object keys come out sorted, whatever the order of registration
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("read the OpenAPI file: %w", err)
	}
	if err := addSamples(object(tree["paths"])); err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI file: %w", err)
	}
	return append(out, '\n'), nil
}
