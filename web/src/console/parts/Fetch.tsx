import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { failureOf, Unreachable } from "../../api/failure.ts";
import { Wrong } from "../pages/Wrong.tsx";
import { usePageActs } from "./acts.ts";

/** The answer of a call that was made with parseAs "blob". */
export interface Fetched {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * A button that fetches a file and saves it. It fetches first: the server may want to know once more who asks, which a link
 * could not tell.
 */
export function Fetch({ word, name, get }: { word: string; name: string; get: () => Promise<Fetched> }) {
  const fetched = useMutation({
    mutationFn: async () => {
      const { data, error, response } = await get().catch((cause: unknown) => {
        throw new Unreachable("no answer", { cause });
      });
      if (!response.ok || !(data instanceof Blob)) {
        throw failureOf(response.status, error, response.headers.get("Retry-After"));
      }
      saveBlob(name, data);
    },
  });
  usePageActs([{ name: word, run: () => fetched.mutate() }]);
  return (
    <>
      <Wrong error={fetched.error} />
      <Button variant="default" loading={fetched.isPending} onClick={() => fetched.mutate()}>
        {word}
      </Button>
    </>
  );
}

function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
