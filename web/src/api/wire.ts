import type { components } from "./schema.d.ts";

/** The words of the wire, named once. They come from the server's OpenAPI file by `npm run gen`. */
type Schemas = components["schemas"];

export type Mode = Schemas["Mode"];
type Step = Schemas["Step"];
export type CaptureStep = Extract<Step, "document_front" | "document_back" | "selfie">;
export type DocumentKind = Schemas["DocumentKind"];
export type TaskState = Schemas["TaskState"];
export type SessionState = Schemas["SessionState"];
export type DecisionOutcome = Schemas["DecisionOutcome"];
export type Lifecycle = Schemas["Lifecycle"];
export type Outcome = Schemas["Outcome"];
export type Fact = Schemas["Fact"];
export type ClaimSource = Schemas["ClaimSource"];

export type Task = Schemas["Task"];
export type Challenge = Schemas["Challenge"];
export type Movement = Schemas["Movement"];
export type LivenessPath = Schemas["LivenessChoice"]["path"];
export type TaskProblem = Schemas["TaskProblem"];
export type DocumentReply = Schemas["DocumentReply"];
export type Peeked = Schemas["Peeked"];
export type Handoff = Schemas["Handoff"];
export type Issuer = Schemas["Issuer"];
export type Upload = Schemas["Upload"];
export type HandoffStatus = Schemas["HandoffStatus"];
export type CodeSent = Schemas["CodeSent"];
export type MailEntry = Schemas["MailEntry"];
export type Opened = Schemas["Opened"];
export type Resumed = Schemas["Resumed"];
/** RFC 9457 with the catalogue's words. */
export type Problem = Schemas["Problem"];
export type ProblemRow = Schemas["ProblemRow"];

export type Case = Schemas["Case"];
export type CaseFile = Schemas["CaseFile"];
export type CasePage = Schemas["CasePage"];
export type Review = Schemas["Review"];
export type Member = Schemas["Member"];

export type Me = Schemas["Me"];
export type Passkey = Schemas["Passkey"];
export type PasskeyRequest = Schemas["PasskeyRequest"];
export type PasskeyShown = Schemas["PasskeyShown"];
export type PasskeyCreation = Schemas["PasskeyCreation"];
export type PasskeyMade = Schemas["PasskeyMade"];
export type Security = Schemas["Security"];
export type Proof = Schemas["Proof"];
export type Role = Schemas["Role"];
export type TeamMember = Schemas["TeamMember"];
export type FactorSecret = Schemas["FactorSecret"];
export type Invitation = Schemas["Invitation"];
export type Session = Schemas["Session"];
export type SessionPage = Schemas["ConsoleSessionPage"];
export type SavedView = Schemas["SavedView"];
export type SessionFile = Schemas["SessionFile"];
export type Capture = Schemas["Capture"];
export type Artifact = Schemas["Artifact"];
export type Check = Schemas["Check"];
export type Finding = Schemas["Finding"];
export type Reason = Schemas["Reason"];
export type Claim = Schemas["Claim"];
export type TimelineEvent = Schemas["Event"];
export type Box = Schemas["Box"];
export type MRZ = Schemas["MRZ"];

export type APIKey = Schemas["APIKey"];
export type KeyScope = Schemas["KeyScope"];
export type WebhookEndpoint = Schemas["WebhookEndpoint"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookTry = Schemas["WebhookTry"];
export type EventKind = Schemas["EventKind"];
export type EventMessage = Schemas["EventMessage"];

export type AuditEntry = Schemas["AuditEntry"];
export type CheckpointDocument = Schemas["CheckpointDocument"];
export type EntryDocument = Schemas["EntryDocument"];
export type ConsistencyDocument = Schemas["ConsistencyDocument"];

export type WorkflowSummary = Schemas["WorkflowSummary"];
export type WorkflowFile = Schemas["WorkflowFile"];
export type WorkflowHead = Schemas["WorkflowVersionHead"];
export type WorkflowVersion = Schemas["WorkflowVersion"];
export type WorkflowSpec = Schemas["WorkflowSpec"];
export type WorkflowRule = Schemas["WorkflowRule"];
export type WorkflowIssue = Schemas["WorkflowIssue"];
export type RuleLanguage = Schemas["RuleLanguage"];
export type FaceRates = Schemas["FaceErrorRates"];
export type WorkflowBrand = Schemas["WorkflowBrand"];
export type WorkflowComparison = Schemas["WorkflowComparison"];
export type VersionFigures = Schemas["VersionFigures"];
export type ErrorRates = Schemas["ErrorRateTable"];
export type Simulation = Schemas["Simulation"];
export type Analytics = Schemas["Analytics"];
export type FigureCounts = Schemas["FigureCounts"];
export type FigureRow = Schemas["FigureRow"];
export type Retention = Schemas["Retention"];
export type RetentionSetting = Schemas["RetentionSetting"];
export type RetentionPreview = Schemas["RetentionPreview"];
export type RetentionRun = Schemas["RetentionRun"];
export type RetentionVersion = Schemas["RetentionVersion"];
export type HeldSession = Schemas["HeldSession"];
export type MemberKey = Schemas["MemberKey"];
export type System = Schemas["System"];
export type SystemModel = Schemas["SystemModel"];
