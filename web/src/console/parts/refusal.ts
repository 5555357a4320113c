import type { Problem } from "../../api/wire.ts";
import { detailText } from "../said.ts";
import { catalogueText } from "../words.ts";

/**
 * What a problem of the server says, in the console's language: what happened, and the sentence that says more, or else what to do.
 * A sentence that the language does not have is shown as the server wrote it, in English, behind what to do.
 */
export function refusalText({ code, title, remedy, detail }: Problem): {
  title: string;
  more: string;
  english: string;
} {
  const here = { title: catalogueText(code, "title", title), remedy: catalogueText(code, "remedy", remedy) };
  const said = detail ? detailText(detail) : here.remedy;
  return said === undefined
    ? { title: here.title, more: here.remedy, english: detail ?? "" }
    : { title: here.title, more: said, english: "" };
}
