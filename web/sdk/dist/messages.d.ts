/** What the person's page and the page that shows it say to each other. A change that breaks either raises the number. */
export declare const protocol = 1;
/** What is asked for now; "handoff" while another device does it. New kinds can come. */
export type Step = "consent" | "choose" | "document_front" | "document_back" | "selfie" | "handoff" | (string & Record<never, never>);
/** That it is over, and no verdict: that is told by webhook and API, never by a browser. */
export type Result = "decided" | "in_review" | "expired" | "cancelled";
/** What the person's page tells. */
export type Told = {
    type: "ready";
} | {
    type: "step";
    step: Step;
} | {
    type: "submitted";
} | {
    type: "result";
    state: Result;
} | {
    type: "problem";
    code: string;
} | {
    type: "size";
    height: number;
};
/** A message that has the form of one, made anew from what was checked; null for everything else. */
export declare function toldOf(data: unknown): Told | null;
/** The one thing that the page around asks: take the focus. */
export declare const isFocus: (data: unknown) => boolean;
