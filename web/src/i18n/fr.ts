import { en, type Words } from "./en.ts";
export const fr: Words = en;
