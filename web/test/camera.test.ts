import { afterEach, describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import { browserOf, isInApp, systemOf } from "../src/applicant/browser.ts";
import { CameraError, lensOf, mainOf, nextOf, obstacleOf, openCamera } from "../src/applicant/camera.ts";
import { camera } from "../src/applicant/flow/actors.ts";

const agents = {
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  safari: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
  iphone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1",
  chromeOnIphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/130.0 Safari/604.1",
  android: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
  samsung: "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 SamsungBrowser/26.0 Chrome/122 Safari/537.36",
  firefoxOnAndroid: "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0",
  instagram: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile Instagram 350.0",
  webview:
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Version/4.0 Chrome/130.0 Mobile Safari/537.36",
};

describe("which browser's words are used", () => {
  it.each([
    ["chrome", "chromium", "windows"],
    ["safari", "safari", "mac"],
    ["firefox", "firefox", "other"],
    ["iphone", "ios", "ios"],
    ["chromeOnIphone", "ios_other", "ios"],
    ["android", "android", "android"],
    ["samsung", "samsung", "android"],
    ["firefoxOnAndroid", "firefox_android", "android"],
  ] as const)("%s: %s on %s", (name, browser, system) => {
    expect([browserOf(agents[name], 0), systemOf(agents[name], 0), isInApp(agents[name])]).toEqual([
      browser,
      system,
      false,
    ]);
  });

  it("an iPad that says it is a Mac is told by its touch screen", () =>
    expect([systemOf(agents.safari, 5), browserOf(agents.safari, 5)]).toEqual(["ios", "ios"]));

  it.each(["instagram", "webview"] as const)("%s is a browser inside an app", (name) =>
    expect(isInApp(agents[name])).toBe(true),
  );
});

describe("why a camera cannot be used", () => {
  it.each([
    ["NotAllowedError", "Permission denied", agents.chrome, "denied"],
    ["NotAllowedError", "Permission denied by system", agents.chrome, "system"],
    ["NotAllowedError", "Permission dismissed", agents.chrome, "dismissed"],
    ["NotAllowedError", "Permission denied", agents.instagram, "inapp"],
    ["NotFoundError", "Requested device not found", agents.chrome, "missing"],
    ["NotReadableError", "Could not start video source", agents.chrome, "busy"],
    ["SomethingNew", "", agents.chrome, "busy"],
  ])("%s, %s", (name, message, agent, obstacle) =>
    expect(obstacleOf(new DOMException(message, name), agent)).toBe(obstacle),
  );
});

const lenses = (...labels: string[]) => labels.map((label, i) => ({ deviceId: `d${i}`, label }));

describe("choosing among several cameras", () => {
  it.each([
    ["the one after it", lenses("a", "b", "c"), "d1", "d2"],
    ["the first after the last", lenses("a", "b", "c"), "d2", "d0"],
    ["the first where this one is unknown", lenses("a", "b"), "gone", "d0"],
    ["none where there is no other", lenses("a"), "d0", null],
    ["none where there is none", [], "d0", null],
  ])("next is %s", (_, list, device, next) => expect(nextOf(list, device)).toBe(next));

  it.each([
    [
      "Android's lowest number",
      ["camera2 1, facing front", "camera2 2, facing back", "camera2 0, facing back"],
      "d1",
      "d2",
    ],
    ["none where it is open already", ["camera2 0, facing back", "camera2 2, facing back"], "d0", null],
    ["the plain one of an iPhone", ["Front Camera", "Back Ultra Wide Camera", "Back Camera"], "d1", "d2"],
    ["none among front cameras", ["FaceTime HD Camera", "USB Camera"], "d0", null],
  ])("the main camera at the back is %s", (_, labels, device, main) =>
    expect(mainOf(lenses(...labels), device)).toBe(main),
  );
});

type Opened = { deviceId?: ConstrainDOMString; facingMode?: ConstrainDOMString };

/** Cameras of our own: what was asked for, and how often the list was looked at. */
function cameras(labels: string[], { focusModes }: { focusModes?: string[] } = {}) {
  const asked: Opened[] = [];
  const list = vi.fn(async () => lenses(...labels).map((lens) => ({ ...lens, kind: "videoinput" })));
  const stopped: string[] = [];
  const getUserMedia = async ({ video }: { video: Opened }) => {
    asked.push({
      ...(video.deviceId ? { deviceId: video.deviceId } : {}),
      ...(video.facingMode ? { facingMode: video.facingMode } : {}),
    });
    const exact = typeof video.deviceId === "object" && "exact" in video.deviceId ? String(video.deviceId.exact) : "d0";
    if (!lenses(...labels).some(({ deviceId }) => deviceId === exact))
      throw new DOMException("", "OverconstrainedError");
    const track = {
      getSettings: () => ({ deviceId: exact }),
      getCapabilities: () => (focusModes && exact === "d0" ? { focusMode: focusModes } : { torch: true }),
      stop: () => stopped.push(exact),
    };
    return { getVideoTracks: () => [track], getTracks: () => [track] };
  };
  vi.stubGlobal("isSecureContext", true);
  Object.defineProperty(navigator, "mediaDevices", {
    configurable: true,
    value: { getUserMedia, enumerateDevices: list },
  });
  return { asked, list, stopped };
}

describe("opening a camera", () => {
  afterEach(() => vi.unstubAllGlobals());
  const wanted = { facing: "environment" as const, device: null, next: false };

  it("asks once, by the way it faces, without a look at the list", async () => {
    const { asked, list } = cameras(["camera2 0, facing back", "camera2 1, facing front"]);
    const stream = await openCamera(wanted);
    expect(asked).toEqual([{ facingMode: { ideal: "environment" } }]);
    expect(list).not.toHaveBeenCalled();
    expect(lensOf(stream, "environment")).toEqual({ device: "d0", facing: "environment", torch: true });
  });

  it("opens the next one when the person switches", async () => {
    const { asked } = cameras(["a", "b"]);
    await openCamera({ ...wanted, device: "d0", next: true });
    expect(asked).toEqual([{ deviceId: { exact: "d1" } }]);
  });

  it("opens any where the chosen one is gone", async () => {
    const { asked } = cameras(["a"]);
    await openCamera({ ...wanted, device: "d7" });
    expect(asked).toEqual([{ deviceId: { exact: "d7" } }, { facingMode: { ideal: "environment" } }]);
  });

  it("leaves a lens that cannot focus for the main one", async () => {
    const { asked, stopped } = cameras(["camera2 2, facing back", "camera2 0, facing back"], {
      focusModes: ["manual"],
    });
    await openCamera(wanted);
    expect(asked).toEqual([{ facingMode: { ideal: "environment" } }, { deviceId: { exact: "d1" } }]);
    expect(stopped).toEqual(["d0"]);
  });

  it("says that a browser without the interface cannot", async () => {
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", { configurable: true, value: undefined });
    await expect(openCamera(wanted)).rejects.toEqual(new CameraError("unsupported"));
  });
});

describe("holding a camera", () => {
  it("lets every stream go that it was given, also when the page goes out of sight while one is being opened", async () => {
    const tracks: { readyState: string }[] = [];
    const pending: (() => void)[] = [];
    vi.stubGlobal("isSecureContext", true);
    Object.defineProperty(navigator, "mediaDevices", {
      configurable: true,
      value: {
        getUserMedia: () =>
          new Promise((resolve) => {
            const track = {
              readyState: "live",
              getSettings: () => ({ deviceId: "d0" }),
              getCapabilities: () => ({}),
              addEventListener: () => undefined,
              stop: () => {
                track.readyState = "ended";
              },
            };
            tracks.push(track);
            pending.push(() => resolve({ getVideoTracks: () => [track], getTracks: () => [track] }));
          }),
      },
    });
    const see = (hidden: boolean) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    };
    const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
    const actor = createActor(camera, { input: { facing: "user", device: null, next: false } }).start();
    pending[0]?.();
    await settle();
    see(true);
    see(false);
    await settle();
    see(true); // while the second is being opened
    see(false);
    await settle();
    for (const open of pending) open();
    await settle();
    expect(tracks.filter(({ readyState }) => readyState === "live")).toHaveLength(1);
    actor.stop();
    expect(tracks.filter(({ readyState }) => readyState === "live")).toHaveLength(0);
    vi.unstubAllGlobals();
  });
});
