import { lazy, type ReactNode } from "react";
import type { SnapshotFrom } from "xstate";
import type { Task } from "../../api/wire.ts";
import type { Ending } from "../endings.ts";
import type { Position } from "../parts/Page.tsx";
import { Again } from "../screens/Again.tsx";
import { Asked } from "../screens/Asked.tsx";
import { Blocked } from "../screens/Blocked.tsx";
import { Checking } from "../screens/Checking.tsx";
import { Choose } from "../screens/Choose.tsx";
import { Consent } from "../screens/Consent.tsx";
import { EndingScreen } from "../screens/Ending.tsx";
import { Intro } from "../screens/Intro.tsx";
import { Liveness } from "../screens/Liveness.tsx";
import { LivenessIntro } from "../screens/LivenessIntro.tsx";
import { Other } from "../screens/Other.tsx";
import { Review } from "../screens/Review.tsx";
import { Sending } from "../screens/Sending.tsx";
import { Viewfinder } from "../screens/Viewfinder.tsx";
import { Waiting } from "../screens/Waiting.tsx";
import { Ways } from "../screens/Ways.tsx";
import { Loading } from "../start/Start.tsx";
import { handoffs } from "./handoffs.ts";
import type { flow } from "./machine.ts";
import { consentOf, facingOf, firstPage, stepsWithFace } from "./steps.ts";
import type { View } from "./view.ts";

const loadWatching = () => import("../screens/Watching.tsx");
const Watching = lazy(async () => ({ default: (await loadWatching()).Watching }));
// The screen that follows the hand-off loads with it: the connection may be gone by the time the phone has the session.
const Handoff = lazy(async () => {
  const [{ Handoff: screen }] = await Promise.all([import("../screens/Handoff.tsx"), loadWatching()]);
  return { default: screen };
});
const Wallet = lazy(async () => ({ default: (await import("../screens/Wallet.tsx")).Wallet }));
const Chip = lazy(async () => ({ default: (await import("../screens/Chip.tsx")).Chip }));
const Continued = lazy(async () => ({ default: (await import("../screens/Continued.tsx")).Continued }));

/** The path to a state of the machine, its names joined by dots: "capture.camera.framing". */
type PathOf<Value> = Value extends string
  ? Value
  : { [Name in keyof Value & string]: `${Name}.${PathOf<Value[Name]>}` }[keyof Value & string];
type Path = PathOf<SnapshotFrom<typeof flow>["value"]>;

type Screen = {
  render: (view: View) => ReactNode;
  /** Nothing is under way, so the page may ask the server whether another tab has gone on. */
  idle?: true;
};

const loading: Screen = { render: () => <Loading /> };

const ending = (name: Ending): Screen => ({
  render: ({ task, came }) => <EndingScreen ending={name} task={task} elsewhere={came} />,
});

/** `again`: the page on which a person who declined thinks again. */
const consent =
  (busy: "given" | "declined" | null, again = false) =>
  ({ position, task, locale, actions }: View) => {
    const [subject, optional] = again ? firstPage : consentOf(task);
    return (
      <Consent
        key={subject}
        position={position && { n: 1, total: again ? stepsWithFace(position.total) : position.total }}
        subject={subject}
        optional={optional}
        busy={busy}
        onAnswer={(decision) => actions.answerConsent(decision, locale)}
        onFace={actions.reconsider}
      />
    );
  };

/** The position of a page that a person went back to: that of the step before the task's, else the task's own. */
const before = (position: Position | null, task: Task | null, page: Task["step"]): Position | null =>
  position && task?.step !== page ? { ...position, n: position.n - 1 } : position;

const choose =
  (asks: "nothing" | "country" | "kind", busy = false) =>
  ({ position, task, problem, context, move, actions }: View) => (
    <Choose
      position={before(position, task, "choose")}
      accepts={task?.accepts ?? []}
      issuers={context.issuers}
      issuer={context.issuer}
      asks={asks}
      problem={problem?.step === "choose" ? problem : null}
      busy={busy}
      onChoose={actions.choose}
      onCountry={actions.chooseCountry}
      onChange={actions.changeCountry}
      move={move}
    />
  );

const asked =
  (busy: boolean) =>
  ({ position, task, problem, context, actions }: View) =>
    problem ? (
      <Asked
        position={position}
        problem={problem}
        chosen={task?.document_kind ?? "unknown"}
        busy={busy ? context.reply : null}
        onReply={actions.reply}
        onRetake={actions.retake}
      />
    ) : (
      <Loading />
    );

const other =
  (busy: boolean) =>
  ({ position, actions }: View) => (
    <Other position={position} busy={busy} onOther={actions.putAside} onClose={actions.close} />
  );

const intro = (view: View) => {
  const { position, challenge, step, kind, problem, task, move, actions } = view;
  const triesLeft = task?.attempts_left ?? 0;
  return challenge ? (
    <LivenessIntro
      position={position}
      challenge={challenge}
      problem={problem}
      triesLeft={triesLeft}
      onCamera={actions.openCamera}
      onWays={actions.showWays}
      onFaceless={view.onFaceless}
      move={move}
    />
  ) : (
    <Intro
      position={position}
      step={step}
      kind={kind}
      lost={view.lost}
      problem={problem}
      triesLeft={triesLeft}
      onCamera={actions.openCamera}
      onFile={task?.live_capture ? null : view.chooseFile}
      onFaceless={view.onFaceless}
      move={move}
    />
  );
};

const camera = (renewing: boolean): Screen => ({
  render: ({ position, context, task, challenge, step, kind, actions, chooseFile }) =>
    challenge ? (
      <Liveness
        position={position}
        stream={context.stream}
        challenge={challenge}
        challengedAt={context.challengedAt}
        renewing={renewing}
        onRenew={actions.renew}
        startParts={actions.startParts}
        onRecorded={actions.takeRun}
        onWays={actions.showWays}
        onClose={actions.close}
        onDead={actions.loseCamera}
      />
    ) : (
      <Viewfinder
        position={position}
        stream={context.stream}
        facing={context.lens?.facing ?? facingOf(step)}
        torch={context.lens?.torch ?? false}
        step={step}
        kind={kind}
        again={context.again}
        onTaken={actions.takePicture}
        onFile={task?.live_capture ? null : chooseFile}
        onClose={actions.close}
        onSwitch={actions.switchCamera}
        onDead={actions.loseCamera}
      />
    ),
});

const ways =
  (busy: boolean) =>
  ({ position, challenge, context, actions }: View) => (
    <Ways
      position={position}
      gentle={challenge?.gentle ?? false}
      busy={busy ? context.path : null}
      onPath={actions.choosePath}
    />
  );

const blocked = ({ position, context, task, step, challenge, move, actions, chooseFile }: View) => (
  <Blocked
    position={position}
    obstacle={context.obstacle}
    step={step}
    onRetry={actions.openCamera}
    onFile={challenge || task?.live_capture ? null : chooseFile}
    onWays={challenge ? actions.showWays : null}
    // Without https no other device that opens the link would have a camera either.
    move={{ onHandoff: context.obstacle === "insecure" ? null : actions.handOff, onBack: move.onBack }}
  />
);

const reviewing = ({ position, step, context: { picture }, actions }: View) =>
  picture ? (
    <Review
      position={position}
      step={step}
      picture={picture}
      onUse={actions.usePicture}
      onAgain={actions.retakePicture}
    />
  ) : (
    <Loading />
  );

const sending =
  (paused: boolean, part?: number) =>
  ({ position, context: { picture, run, progress } }: View) => (
    <Sending position={position} picture={picture} run={run !== null} part={part ?? progress} paused={paused} />
  );

/** The code for another device. `made` says whether there is one yet, `busy` that the person has chosen to stay here. */
const handoff = (made: boolean, busy = false): Screen => ({
  render: ({ context, actions, locale }) => (
    <Handoff
      hint={context.task?.mail_hint ?? ""}
      onMail={() => handoffs.over(context.token, locale)}
      offer={made ? context.offer : null}
      first={context.begins}
      busy={busy}
      onNew={actions.handOff}
      onHere={actions.stayHere}
    />
  ),
});

const watching = ({ context: { status, token }, returnUrl }: View) =>
  status ? <Watching status={status} returnUrl={returnUrl} onTake={() => handoffs.take(token)} /> : <Loading />;

/** The screen of each state of the machine. A state without one does not compile. */
const screens: Record<Path, Screen> = {
  starting: loading,
  loading,
  routing: loading,

  checking: { render: ({ position, task }) => <Checking position={position} wallet={task?.checking === "wallet"} /> },
  wallet: {
    render: ({ position, task, context, actions }) =>
      task ? (
        <Wallet
          position={position}
          task={task}
          token={context.token}
          onTask={actions.takeTask}
          onPhotos={actions.goWithout}
        />
      ) : (
        <Loading />
      ),
  },
  chip: {
    render: ({ position, task, context, actions }) =>
      task ? (
        <Chip
          position={position}
          task={task}
          token={context.token}
          onTask={actions.takeTask}
          onFailed={actions.refused}
          onWithout={actions.goWithout}
        />
      ) : (
        <Loading />
      ),
  },
  "asked.deciding": { render: asked(false), idle: true },
  "asked.replying": { render: asked(true) },

  "other.asking": { render: other(false), idle: true },
  "other.changing": { render: other(true) },

  "consent.reading": { render: consent(null), idle: true },
  "consent.rereading": { render: consent(null, true), idle: true },
  "consent.giving": { render: consent("given") },
  "consent.reconsidering": { render: consent("given", true) },
  "consent.declining": { render: consent("declined") },

  "choose.deciding": { render: choose("nothing"), idle: true },
  "choose.country": { render: choose("country"), idle: true },
  "choose.kind": { render: choose("kind"), idle: true },
  "choose.saving": { render: choose("kind", true) },

  "capture.intro": { render: intro, idle: true },
  "capture.ways": { render: ways(false) },
  "capture.choosing": { render: ways(true) },
  "capture.camera.asking": camera(false),
  "capture.camera.framing": camera(false),
  "capture.camera.renewing": camera(true),
  "capture.blocked": { render: blocked },
  "capture.reviewing": { render: reviewing },
  "capture.sending.moving": { render: sending(false) },
  "capture.sending.paused": { render: sending(true) },
  "capture.refreshing": { render: sending(false, 1) },
  "capture.stuck": {
    render: ({ context, actions }) => (
      <EndingScreen ending="failed" requestId={context.requestId} onRetry={actions.retry} />
    ),
  },

  waiting: { render: () => <Waiting /> },
  "handoff.making": handoff(false),
  "handoff.showing": handoff(true),
  "handoff.keeping": handoff(true, true),
  "handoff.leaving": handoff(true, true),
  watching: { render: watching },
  watched: { render: watching },
  returning: loading,
  returned: { render: () => <EndingScreen ending="handedBack" /> },
  stopping: loading,

  failed: {
    render: ({ task, context, actions }) => (
      <EndingScreen ending="failed" task={task} requestId={context.requestId} onRetry={actions.retry} />
    ),
  },
  approved: ending("approved"),
  review: ending("review"),
  declined: {
    render: (view) =>
      view.task && view.beginAgain ? (
        <Again task={view.task} elsewhere={view.came} onAgain={view.beginAgain} onRefused={view.actions.refused} />
      ) : (
        ending("declined").render(view)
      ),
  },
  expired: ending("expired"),
  cancelled: ending("cancelled"),
  declinedConsent: ending("declinedConsent"),
  exhausted: ending("exhausted"),
  continued: { render: ({ takeHere }) => <Continued onHere={takeHere} /> },
  elsewhere: ending("elsewhere"),
};

type Nested = string | { readonly [name: string]: Nested | undefined };

function pathOf(value: Nested): string {
  if (typeof value === "string") return value;
  const [inner] = Object.entries(value);
  return inner?.[1] ? `${inner[0]}.${pathOf(inner[1])}` : "";
}

const isPath = (path: string): path is Path => Object.hasOwn(screens, path);

/** Returns the screen of the machine's present state. */
export function screenOf({ value }: { value: Nested }): Screen {
  const path = pathOf(value);
  return isPath(path) ? screens[path] : loading;
}
