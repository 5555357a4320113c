import { type EmbedOptions, type Listeners } from "./index.js";
export type BonafideProps = Omit<EmbedOptions, "on"> & {
    /** Of the session, as the API answered it. Another link shows another session. */
    link: string;
    on?: Listeners;
    className?: string;
};
/** The person's page in a frame. It goes when the component goes. */
export declare function Bonafide({ link, on, className, title, minHeight, focus }: BonafideProps): import("react").JSX.Element;
