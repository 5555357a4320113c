import { useMachine } from "@xstate/react";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { DocumentKind, LivenessPath, Task } from "../../api/wire.ts";
import { isHandheld } from "../browser.ts";
import { calls } from "../calls.ts";
import { withHost } from "../host.ts";
import { keep } from "../keep.ts";
import type { Run } from "../liveness/record.ts";
import { AboutProvider } from "../parts/Page.tsx";
import { type Picture, pictureOf } from "../picture.ts";
import { Blocked } from "../screens/Blocked.tsx";
import { Choose } from "../screens/Choose.tsx";
import { Consent } from "../screens/Consent.tsx";
import { type Ending, EndingScreen } from "../screens/Ending.tsx";
import { Intro } from "../screens/Intro.tsx";
import { Liveness } from "../screens/Liveness.tsx";
import { LivenessIntro } from "../screens/LivenessIntro.tsx";
import { Persona } from "../screens/Persona.tsx";
import { Review } from "../screens/Review.tsx";
import { Sending } from "../screens/Sending.tsx";
import { Stop } from "../screens/Stop.tsx";
import { Viewfinder } from "../screens/Viewfinder.tsx";
import { Waiting } from "../screens/Waiting.tsx";
import { Ways } from "../screens/Ways.tsx";
import { Parts } from "../sending/parts.ts";
import { Loading } from "../start/Start.tsx";
import { useWords } from "../words.tsx";
import { flow } from "./machine.ts";
import { useBackButton, useComingBack } from "./place.ts";
import {
  canBeFaceless,
  captureStep,
  consentOf,
  facingOf,
  firstPage,
  isVerdict,
  stepsWithFace,
  takesFrames,
} from "./steps.ts";

const loadWatching = () => import("../screens/Watching.tsx");
const Watching = lazy(async () => ({ default: (await loadWatching()).Watching }));
// What follows the code comes with it: the connection may be gone when the phone is there.
const Handoff = lazy(async () => {
  const [{ Handoff: screen }] = await Promise.all([import("../screens/Handoff.tsx"), loadWatching()]);
  return { default: screen };
});

const Country = lazy(async () => ({ default: (await import("../screens/Country.tsx")).Country }));

const endings = [
  "approved",
  "review",
  "exhausted",
  "declined",
  "expired",
  "cancelled",
  "declinedConsent",
  "elsewhere",
] as const satisfies Ending[];

/** The flow of one session: one screen for each state of the machine. */
export function Flow({ session, token, task }: { session: string; token: string; task?: Task | undefined }) {
  const about = keep.about(session);
  return (
    <AboutProvider value={about}>
      <Screens session={session} token={token} task={task} />
    </AboutProvider>
  );
}

type Props = { session: string; token: string; task?: Task | undefined };

function Screens({ session, token, task: first }: Props) {
  const { t, locale } = useWords();
  const [state, send, actor] = useMachine(flow, { input: { token, task: first } });
  const [stopping, setStopping] = useState<"stop" | "faceless" | null>(null);
  const [path, setPath] = useState<LivenessPath>("gentle");
  const { task, problem, picture } = state.context;

  const step = captureStep(task);
  const kind: DocumentKind = task?.document_kind || "unknown";
  const position = task && task.position > 0 ? { n: task.position, total: task.total } : null;
  const deep =
    state.matches({ consent: "rereading" }) ||
    state.matches({ capture: "camera" }) ||
    state.matches({ capture: "blocked" }) ||
    state.matches({ capture: "reviewing" }) ||
    state.matches({ capture: "ways" }) ||
    state.matches("handoff");
  useBackButton(
    deep,
    useCallback(() => send({ type: "CLOSE" }), [send]),
  );
  const idle =
    state.matches({ consent: "reading" }) ||
    state.matches({ consent: "rereading" }) ||
    state.matches({ choose: "country" }) ||
    state.matches({ choose: "picking" }) ||
    state.matches({ capture: "intro" });
  useComingBack(
    task,
    idle,
    useCallback(() => calls.task(token), [token]),
    useCallback((now: Task) => send({ type: "TASK", task: now }), [send]),
  );
  useEffect(() => withHost(({ follow }) => follow(actor)), [actor]);
  const askToStop = () => setStopping("stop");
  const onFaceless = step === "selfie" && canBeFaceless(task) ? () => setStopping("faceless") : null;

  // What came from another device can go back there; what began here can go on on a phone.
  const [came] = useState(() => keep.cameHere(session));
  const onBack = came ? () => send({ type: "BACK" }) : null;
  const onHandoff = () => send({ type: "HANDOFF" });
  const move = { onHandoff: came || isHandheld() ? null : onHandoff, onBack };
  const over = state.matches("returned") || state.matches("elsewhere") || (task ? isVerdict(task.state) : false);
  useEffect(() => {
    if (over) keep.gone(session);
  }, [over, session]);
  useEffect(() => {
    if (state.context.offer) keep.setReturn(session, task?.return_url ?? "");
  }, [state.context.offer, session, task]);

  const onTaken = useCallback((taken: Picture) => send({ type: "TAKEN", picture: taken }), [send]);
  const onDead = useCallback(() => send({ type: "BLOCKED", obstacle: "busy" }), [send]);
  const onFile = async (file: File) => {
    try {
      send({ type: "TAKEN", picture: await pictureOf(file) });
    } catch {
      const code = "capture.not_an_image";
      send({
        type: "REFUSED",
        problem: { code, title: t(`problem.${code}.title`), remedy: t(`problem.${code}.remedy`) },
      });
    }
  };
  const startParts = useCallback(() => new Parts(token), [token]);
  const onRecorded = useCallback((run: Run) => send({ type: "RECORDED", run }), [send]);
  const challenge = takesFrames(task) ? (task?.challenge ?? null) : null;
  const onWays = () => send({ type: "WAYS" });
  const chooseFile = (file: File) => void onFile(file);

  const screen = () => {
    for (const ending of endings)
      if (state.matches(ending)) return <EndingScreen ending={ending} task={task} elsewhere={came} />;
    if (state.matches("handoff"))
      return (
        <Handoff
          offer={state.matches({ handoff: "making" }) ? null : state.context.offer}
          busy={state.matches({ handoff: "keeping" })}
          onNew={onHandoff}
          onHere={() => send({ type: "HERE" })}
        />
      );
    if (state.matches("watching") || state.matches("watched"))
      return state.context.status ? (
        <Watching status={state.context.status} returnUrl={keep.returnTo(session)} />
      ) : (
        <Loading />
      );
    if (state.matches("returned")) return <EndingScreen ending="handedBack" />;
    if (state.matches("failed"))
      return (
        <EndingScreen
          ending="failed"
          task={task}
          requestId={state.context.requestId}
          onRetry={() => send({ type: "RETRY" })}
        />
      );
    if (state.matches("consent")) {
      const again = state.matches({ consent: "rereading" }) || state.matches({ consent: "reconsidering" });
      const busy =
        state.matches({ consent: "giving" }) || state.matches({ consent: "reconsidering" })
          ? "given"
          : state.matches({ consent: "declining" })
            ? "declined"
            : null;
      const answer = (decision: "given" | "declined") => send({ type: "CONSENT", decision, locale });
      const [subject, optional] = again ? firstPage : consentOf(task);
      return (
        <Consent
          key={subject}
          position={again && position ? { ...position, total: stepsWithFace(position.total) } : position}
          subject={subject}
          optional={optional}
          busy={busy}
          onAnswer={answer}
          onFace={() => send({ type: "FACE" })}
        />
      );
    }
    if (state.matches({ choose: "country" })) {
      return (
        <Country
          position={position}
          issuers={state.context.issuers}
          onCountry={(issuer) => send({ type: "COUNTRY", issuer })}
          move={move}
          onStop={askToStop}
        />
      );
    }
    if (state.matches("choose")) {
      const busy = state.matches({ choose: "saving" });
      return (
        <Choose
          position={position}
          accepts={task?.accepts ?? []}
          issuer={state.context.issuer}
          problem={problem?.step === "choose" ? problem : null}
          busy={busy}
          onChoose={(chosen) => send({ type: "CHOOSE", kind: chosen })}
          onChange={() => send({ type: "CHANGE" })}
          move={move}
          onStop={askToStop}
        />
      );
    }
    if (state.matches({ capture: "camera" }) && challenge) {
      return (
        <Liveness
          stream={state.context.stream}
          challenge={challenge}
          challengedAt={state.context.challengedAt}
          renewing={state.matches({ capture: { camera: "renewing" } })}
          onRenew={() => send({ type: "RENEW" })}
          startParts={startParts}
          onRecorded={onRecorded}
          onWays={onWays}
          onClose={() => send({ type: "CLOSE" })}
          onDead={onDead}
        />
      );
    }
    if (state.matches({ capture: "ways" }) || state.matches({ capture: "choosing" })) {
      return (
        <Ways
          position={position}
          gentle={challenge?.gentle ?? false}
          busy={state.matches({ capture: "choosing" }) ? path : null}
          onPath={(chosen) => {
            setPath(chosen);
            send({ type: "PATH", path: chosen });
          }}
          onBack={() => send({ type: "CLOSE" })}
        />
      );
    }
    if (state.matches({ capture: "camera" })) {
      return (
        <Viewfinder
          stream={state.context.stream}
          facing={state.context.lens?.facing ?? facingOf(step)}
          torch={state.context.lens?.torch ?? false}
          step={step}
          kind={kind}
          again={state.context.again}
          onTaken={onTaken}
          onFile={chooseFile}
          onClose={() => send({ type: "CLOSE" })}
          onSwitch={() => send({ type: "SWITCH" })}
          onDead={onDead}
        />
      );
    }
    if (state.matches({ capture: "blocked" })) {
      return (
        <Blocked
          position={position}
          obstacle={state.context.obstacle}
          step={step}
          onRetry={() => send({ type: "CAMERA" })}
          onFile={challenge ? null : chooseFile}
          onWays={challenge ? onWays : null}
          // Without https no device that opens the link would have a camera.
          move={{ onHandoff: state.context.obstacle === "insecure" ? null : onHandoff, onBack }}
          onStop={askToStop}
        />
      );
    }
    if (state.matches({ capture: "reviewing" }) && picture) {
      return (
        <Review
          position={position}
          step={step}
          picture={picture}
          onUse={() => send({ type: "USE" })}
          onAgain={() => send({ type: "AGAIN" })}
          onStop={askToStop}
        />
      );
    }
    if (state.matches({ capture: "sending" })) {
      return (
        <Sending
          position={position}
          picture={picture}
          run={state.context.run !== null}
          part={state.context.progress}
          paused={state.matches({ capture: { sending: "paused" } })}
        />
      );
    }
    if (state.matches({ capture: "refreshing" }))
      return <Sending position={position} picture={picture} run={state.context.run !== null} part={1} paused={false} />;
    if (state.matches({ capture: "stuck" }))
      return (
        <EndingScreen ending="failed" requestId={state.context.requestId} onRetry={() => send({ type: "RETRY" })} />
      );
    if (state.matches({ capture: "intro" }) && challenge) {
      return (
        <LivenessIntro
          position={position}
          challenge={challenge}
          problem={problem}
          triesLeft={task?.attempts_left ?? 0}
          onCamera={() => send({ type: "CAMERA" })}
          onWays={onWays}
          onFaceless={onFaceless}
          move={move}
          onStop={askToStop}
        />
      );
    }
    if (state.matches({ capture: "intro" })) {
      return (
        <Intro
          position={position}
          step={step}
          kind={kind}
          problem={problem}
          triesLeft={task?.attempts_left ?? 0}
          onCamera={() => send({ type: "CAMERA" })}
          onFile={chooseFile}
          onFaceless={onFaceless}
          move={move}
          onStop={askToStop}
        />
      );
    }
    if (state.matches("waiting")) return <Waiting />;
    return <Loading />;
  };

  return (
    <>
      {idle && task?.persona && (
        <Persona name={task.persona} token={token} onTask={(now) => send({ type: "TASK", task: now })} />
      )}
      <Suspense fallback={<Loading />}>{screen()}</Suspense>
      {stopping && (
        <Stop
          to={stopping}
          onClose={() => setStopping(null)}
          onFaceless={
            canBeFaceless(task)
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
    </>
  );
}
