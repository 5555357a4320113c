import { type Result, type Step } from "./messages.js";
export type { Result, Step } from "./messages.js";
/** What happens, by its name, and what comes with it. Nothing personal, and no verdict: ask the API for that, on your server. */
export type Events = {
    /** The person's page is there. */
    ready: Record<never, never>;
    /** Something is asked for. */
    step: {
        step: Step;
    };
    /** Everything was sent. This is not a verdict. */
    submitted: Record<never, never>;
    /** It is over, or a person of the operator's looks at it ("in_review", after which "decided" can follow). */
    result: {
        state: Result;
    };
    /** Something stands in the way; the person is told what to do. Codes are those of the catalogue, of cameras, and `popup.blocked`, `link.invalid`, `embed.silent`. */
    problem: {
        code: string;
    };
    /** The frame or window is gone. Comes once, and last. */
    closed: Record<never, never>;
};
export type Listeners = {
    [Name in keyof Events]?: (event: Events[Name]) => void;
};
export type Options = {
    on?: Listeners;
};
export type EmbedOptions = Options & {
    /** What screen readers call the frame. */
    title?: string;
    /** Least height in pixels; the frame grows with its page. 640 if left out. */
    minHeight?: number;
    /** Whether the focus goes into the frame when it is there; yes unless false. It does not if the person has gone on meanwhile. */
    focus?: boolean;
};
export type Verification = {
    /** Takes the frame or the window away. What the person sent stays sent. */
    close: () => void;
};
/** Goes to the person's page. The session's return_url leads back. */
export declare function redirect(link: string): void;
/**
 * Shows the person's page in a window of its own. Call it at once when a button is pressed, or browsers block it: while your server
 * makes the session, give the promise of its link. The workflow has to name your origin, or the window cannot tell you anything.
 */
export declare function popup(link: string | Promise<string>, { on }?: Options): Verification;
/** Shows the person's page in a frame inside of an element. The workflow has to name your origin, or the browser refuses it. */
export declare function embed(container: Element, link: string, options?: EmbedOptions): Verification;
