import { Button } from "@mantine/core";
import { usePageCommands } from "./commands.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { type Fetched, useFetching } from "./fetching.ts";

/** A button that saves a file of the server. */
export function DownloadButton({ word, name, get }: { word: string; name: string; get: () => Promise<Fetched> }) {
  const fetched = useFetching();
  const save = () => fetched.mutate({ name, get });
  usePageCommands([{ name: word, run: save }]);
  return (
    <>
      <ErrorMessage error={fetched.error} />
      <Button variant="default" loading={fetched.isPending} onClick={save}>
        {word}
      </Button>
    </>
  );
}
