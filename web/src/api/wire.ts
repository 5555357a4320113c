/** The words of the wire, named once. Everything else imports them from here. */

export type Mode = "live" | "test";
export type Step = "consent" | "choose" | "document_front" | "document_back" | "selfie";
export type CaptureStep = Extract<Step, "document_front" | "document_back" | "selfie">;
export type DocumentKind = "passport" | "id_card" | "visa" | "residence_permit" | "driving_licence" | "unknown";
export type TaskState = "step" | "wait" | "review" | "approved" | "declined" | "expired" | "cancelled";
export type SessionState =
  | "created"
  | "capturing"
  | "processing"
  | "in_review"
  | "approved"
  | "declined"
  | "expired"
  | "cancelled";

export type TaskProblem = { code: string; step: string; title: string; remedy: string };

export type Task = {
  state: TaskState;
  session: string;
  step: Step | "";
  position: number;
  total: number;
  document_kind: DocumentKind | "" | null;
  accepts: DocumentKind[];
  attempts_left: number;
  problem: TaskProblem | null;
  deadline: string | null;
  return_url: string;
  notices: string[];
};

export type Peeked = {
  brand: string;
  mode: Mode;
  state: SessionState;
  steps: Step[];
  accepts: DocumentKind[];
  locale: string;
  expires_at: string;
};

export type Opened = { token: string; task: Task };

/** RFC 9457 with the catalogue's words. */
export type Problem = {
  type?: string;
  title: string;
  status: number;
  code: string;
  detail?: string;
  remedy: string;
  field?: string;
  request_id?: string;
  severity?: string;
};
