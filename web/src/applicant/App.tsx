import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { isTransient } from "../api/failure.ts";
import type { Task } from "../api/wire.ts";
import { resume } from "./resume.ts";
import { EndingScreen } from "./screens/Ending.tsx";
import { Loading, Start } from "./start/Start.tsx";
import { storage } from "./storage.ts";
import { useWords, WordsProvider } from "./words.tsx";

// The machine and the camera load after the start screen.
const loadFlow = () => import("./flow/Flow.tsx");
const Flow = lazy(async () => ({ default: (await loadFlow()).Flow }));

type Place =
  | { at: "start"; link: string }
  | { at: "flow"; session: string; link?: string; task?: Task | undefined }
  | { at: "nowhere" };

/** The two addresses of the applicant: /v/{link} and /verify/{session}. Others are nowhere: by the address the server says who may show the page. */
export function placeOf(path: string): Place {
  const [, root, id] = /^\/(v|verify)\/([\w-]+)$/.exec(path) ?? [];
  if (!id) return { at: "nowhere" };
  return root === "v" ? { at: "start", link: id } : { at: "flow", session: id };
}

const toFlow = (session: string) =>
  history.replaceState(null, "", `/verify/${encodeURIComponent(session)}${location.hash}`);

/** Where the page begins: with the flow at once where this browser has the session of the link. */
function firstPlace(): Place {
  const place = placeOf(location.pathname);
  const mine = place.at === "start" ? storage.sessionOf(place.link) : undefined;
  return place.at === "start" && mine ? { at: "flow", session: mine, link: place.link } : place;
}

function Screens() {
  const [place, setPlace] = useState<Place>(firstPlace);
  const [, setRound] = useState(0);
  if (place.at === "start") {
    const opened = (session: string, task: Task) => {
      toFlow(session);
      setPlace({ at: "flow", session, task });
    };
    void loadFlow().catch(() => undefined); // ahead of time; a failure shows when it is needed
    return <Start link={place.link} onOpened={opened} />;
  }
  if (place.at === "nowhere") return <EndingScreen ending="unknown" />;
  const { session, link } = place;
  const token = storage.token(session);
  const resumed = (now: string) => {
    if (now !== session) toFlow(now);
    setPlace({ at: "flow", session: now, ...(link && { link }) });
    setRound((before) => before + 1);
  };
  if (!token)
    return (
      <Resuming
        session={session}
        onResumed={resumed}
        onStranger={link ? () => setPlace({ at: "start", link }) : null}
      />
    );
  if (link) toFlow(session);
  return (
    <Suspense fallback={<Loading />}>
      <Flow key={token} session={session} token={token} task={place.task} onResumed={resumed} />
    </Suspense>
  );
}

type ResumingProps = {
  session: string;
  onResumed: (session: string) => void;
  /** Goes on as a browser that never had the session; null where the address does not lead to a link. */
  onStranger: (() => void) | null;
};

/** Continues a session whose tab was closed, by what the browser keeps of it. */
function Resuming({ session, onResumed, onStranger }: ResumingProps) {
  const { suggest } = useWords();
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new try; the functions are new each time
  useEffect(() => {
    let left = false;
    suggest(storage.kept(session)?.locale ?? "");
    resume(session).then(
      (now) => left || onResumed(now),
      (why: unknown) => {
        if (left) return;
        if (isTransient(why)) return setError(why);
        if (onStranger) onStranger();
        else setError(why);
      },
    );
    return () => {
      left = true;
    };
  }, [session, round]);
  if (!error) return <Loading />;
  const again = () => {
    setError(null);
    setRound(round + 1);
  };
  return isTransient(error) ? <EndingScreen ending="failed" onRetry={again} /> : <EndingScreen ending="elsewhere" />;
}

/** A part of the app that could not be loaded, or a fault of ours: the page says so and loads itself again on request. */
class Safe extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    return this.state.broken ? <EndingScreen ending="failed" onRetry={() => location.reload()} /> : this.props.children;
  }
}

export function App() {
  return (
    <WordsProvider>
      <Safe>
        <Screens />
      </Safe>
    </WordsProvider>
  );
}
