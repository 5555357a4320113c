import { Component, lazy, type ReactNode, Suspense, useState } from "react";
import type { Task } from "../api/wire.ts";
import { EndingScreen } from "./screens/Ending.tsx";
import { Loading, Start } from "./start/Start.tsx";
import { storage } from "./storage.ts";
import { WordsProvider } from "./words.tsx";

// The machine and the camera load after the start screen.
const loadFlow = () => import("./flow/Flow.tsx");
const Flow = lazy(async () => ({ default: (await loadFlow()).Flow }));

type Place =
  | { at: "start"; link: string }
  | { at: "flow"; session: string; task?: Task | undefined }
  | { at: "nowhere" };

/** The two addresses of the applicant: /v/{link} and /verify/{session}. Others are nowhere: by the address the server says who may show the page. */
export function placeOf(path: string): Place {
  const [, root, id] = /^\/(v|verify)\/([\w-]+)$/.exec(path) ?? [];
  if (!id) return { at: "nowhere" };
  return root === "v" ? { at: "start", link: id } : { at: "flow", session: id };
}

function Screens() {
  const [place, setPlace] = useState<Place>(() => placeOf(location.pathname));
  if (place.at === "start") {
    const opened = (session: string, task?: Task) => {
      history.replaceState(null, "", `/verify/${encodeURIComponent(session)}${location.hash}`);
      setPlace({ at: "flow", session, task });
    };
    void loadFlow().catch(() => undefined); // ahead of time; a failure shows when it is needed
    return <Start link={place.link} onOpened={opened} />;
  }
  if (place.at === "nowhere") return <EndingScreen ending="unknown" />;
  const token = storage.token(place.session);
  if (!token) return <EndingScreen ending="elsewhere" />;
  return (
    <Suspense fallback={<Loading />}>
      <Flow session={place.session} token={token} task={place.task} />
    </Suspense>
  );
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
