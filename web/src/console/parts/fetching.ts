import { useMutation } from "@tanstack/react-query";
import { failureOf, Unreachable } from "../../api/failure.ts";
import { download } from "./download.ts";

/** The answer of a call that was made with parseAs "blob". */
export type Fetched = {
  data?: unknown;
  error?: unknown;
  response: Response;
};

/** A file of the server: what it is saved as, and the call that answers it. */
type File = { name: string; get: () => Promise<Fetched> };

/**
 * Saves files of the server. It fetches a file first, because the server may ask for a fresh proof of who is there, which a
 * link could not answer.
 */
export const useFetching = () =>
  useMutation({
    mutationFn: async ({ name, get }: File) => {
      const { data, error, response } = await get().catch((cause: unknown) => {
        throw new Unreachable("no answer", { cause });
      });
      if (!response.ok || !(data instanceof Blob)) {
        throw failureOf(response.status, error, response.headers.get("Retry-After"));
      }
      download(name, data);
    },
  });
