import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { failureOf, Unreachable } from "../../api/failure.ts";
import { usePageCommands } from "./commands.ts";
import { download } from "./download.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";

/** The answer of a call that was made with parseAs "blob". */
type Fetched = {
  data?: unknown;
  error?: unknown;
  response: Response;
};

/**
 * A button that saves a file of the server. It fetches the file first, because the server may ask for a fresh proof of who is
 * there, which a link could not answer.
 */
export function DownloadButton({ word, name, get }: { word: string; name: string; get: () => Promise<Fetched> }) {
  const fetched = useMutation({
    mutationFn: async () => {
      const { data, error, response } = await get().catch((cause: unknown) => {
        throw new Unreachable("no answer", { cause });
      });
      if (!response.ok || !(data instanceof Blob)) {
        throw failureOf(response.status, error, response.headers.get("Retry-After"));
      }
      download(name, data);
    },
  });
  usePageCommands([{ name: word, run: () => fetched.mutate() }]);
  return (
    <>
      <ErrorMessage error={fetched.error} />
      <Button variant="default" loading={fetched.isPending} onClick={() => fetched.mutate()}>
        {word}
      </Button>
    </>
  );
}
