import { useMachine } from "@xstate/react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import type { Task } from "../../api/wire.ts";
import { isDesk, isHandheld } from "../browser.ts";
import { calls } from "../calls.ts";
import { withHost } from "../host/withHost.ts";
import { BackButton, Menu } from "../parts/Header.tsx";
import { AboutProvider, HeaderProvider } from "../parts/Page.tsx";
import { isHEIC, pictureOf } from "../picture.ts";
import { beginAgain, resume, watchTabs } from "../resume.ts";
import { Persona } from "../screens/Persona.tsx";
import { Stop } from "../screens/Stop.tsx";
import { Loading } from "../start/Start.tsx";
import { storage } from "../storage.ts";
import { useWords } from "../words.tsx";
import { newAttempt } from "./context.ts";
import { flow } from "./machine.ts";
import { placeIn, useBackButton, useComingBack } from "./place.ts";
import { screenOf } from "./screens.tsx";
import { canBeFaceless, captureStep, isVerdict, takesFrames } from "./steps.ts";
import { useActions } from "./view.ts";

const Gallery = lazy(async () => ({ default: (await import("../screens/Gallery.tsx")).Gallery }));

type Props = {
  session: string;
  token: string;
  task?: Task | undefined;
  /** This tab has another token, with which the flow of that session begins anew. */
  onResumed: (session: string) => void;
};

/** The flow of one session: one screen for each state of the machine. */
export function Flow(props: Props) {
  return (
    <AboutProvider value={storage.about(props.session)}>
      <Screens {...props} />
    </AboutProvider>
  );
}

function Screens({ session, token, task: first, onResumed }: Props) {
  const { t, locale } = useWords();
  // What came from another device can go back there; what began here can continue on a phone, and on a computer begins with that.
  const [came] = useState(() => storage.wasHandedOver(session));
  const [begins] = useState(() => !came && !storage.stayed(session) && isDesk());
  const [state, send, actor] = useMachine(flow, { input: { token, task: first, begins } });
  const [stopping, setStopping] = useState<"stop" | "faceless" | null>(null);
  const [attempt] = useState(newAttempt); // to begin again once, however often it is asked for
  const actions = useActions({ send, token });
  const { context } = state;
  const { task } = context;
  const { render, idle = false } = screenOf(state);

  const { held, steps } = placeIn(state.value);
  const closes = state.can({ type: "CLOSE" });
  useBackButton(
    held,
    useCallback(() => {
      if (stopping) setStopping(null);
      else if (closes) actions.close();
      // Before the first step there is only the way out, which is asked for. A page that embeds this one has its own.
      else if (steps && window.parent === window) setStopping("stop");
      else return steps ? "leave" : "stay";
      return "stay";
    }, [stopping, closes, steps, actions]),
  );
  const header = useMemo(
    () => ({
      start: closes && <BackButton onBack={actions.close} />,
      end: steps && <Menu onStop={() => setStopping("stop")} />,
    }),
    [closes, steps, actions],
  );
  useComingBack(
    task,
    idle,
    useCallback(() => calls.task(token), [token]),
    useCallback((now: Task) => send({ type: "TASK", task: now }), [send]),
  );
  useEffect(() => withHost(({ postProgress }) => postProgress(actor)), [actor]);
  const again = task?.another_document === true;
  const over =
    state.matches("returned") || state.matches("elsewhere") || (task ? isVerdict(task.state) && !again : false);
  const until = again ? task.deadline : null;
  useEffect(() => {
    if (until) storage.keepUntil(session, until);
  }, [until, session]);
  useEffect(() => {
    if (over) storage.forget(session);
  }, [over, session]);
  const resumable = !over && !state.matches("continued");
  useEffect(
    () => (resumable ? watchTabs(session, token, (error) => send({ type: "FAILED", error })) : undefined),
    [resumable, session, token, send],
  );
  const stayed = begins && !context.begins;
  useEffect(() => {
    if (stayed) storage.setStayed(session);
  }, [stayed, session]);
  useEffect(() => {
    if (context.offer) storage.setReturn(session, task?.return_url ?? "");
  }, [context.offer, session, task]);

  // A picture is nowhere but in this page until it is sent: a reload loses it, and the page says so.
  const [unsent, setUnsent] = useState(() => storage.unsent(session));
  const holding =
    state.matches({ capture: "reviewing" }) ||
    state.matches({ capture: "sending" }) ||
    state.matches({ capture: "stuck" })
      ? captureStep(task)
      : "";
  useEffect(() => {
    storage.setUnsent(session, holding);
    if (holding) setUnsent("");
  }, [session, holding]);

  const chooseFile = (file: File) =>
    void pictureOf(file).then(actions.takePicture, () => {
      const code = isHEIC(file) ? "capture.heic" : "capture.not_an_image";
      send({
        type: "REFUSED",
        problem: { code, title: t(`problem.${code}.title`), remedy: t(`problem.${code}.remedy`) },
      });
    });

  const step = captureStep(task);
  const faceless = canBeFaceless(task);
  return (
    <HeaderProvider value={header}>
      {idle && task?.persona && (
        <Persona name={task.persona} token={token} onTask={(now) => send({ type: "TASK", task: now })} />
      )}
      <Suspense fallback={<Loading />}>
        {idle && task?.gallery && task.step !== "consent" ? (
          <Gallery token={token} question={task.gallery} onTask={(now) => send({ type: "TASK", task: now })} />
        ) : (
          render({
            context,
            locale,
            task,
            problem: context.problem,
            step,
            lost: unsent === step,
            kind: task?.document_kind || "unknown",
            position: task && task.position > 0 ? { n: task.position, total: task.total } : null,
            challenge: takesFrames(task) ? (task?.challenge ?? null) : null,
            came,
            returnUrl: storage.returnTo(session),
            move: { onHandoff: came || isHandheld() ? null : actions.handOff, onBack: came ? actions.goBack : null },
            takeHere: () => resume(session).then(onResumed),
            beginAgain: again ? () => beginAgain(session, token, attempt).then(onResumed) : null,
            actions,
            chooseFile,
            onFaceless: step === "selfie" && faceless ? () => setStopping("faceless") : null,
          })
        )}
      </Suspense>
      {stopping && (
        <Stop
          to={stopping}
          onClose={() => setStopping(null)}
          onFaceless={
            faceless
              ? () => {
                  setStopping(null);
                  send({ type: "FACELESS", locale });
                }
              : null
          }
          onStop={() => {
            setStopping(null);
            send({ type: "STOP" });
          }}
        />
      )}
    </HeaderProvider>
  );
}
