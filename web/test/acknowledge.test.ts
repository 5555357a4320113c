// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Movement } from "../src/api/wire.ts";
import { isSeen } from "../src/applicant/liveness/acknowledge.ts";

const rest = { yaw: 0.01, pitch: 0.5, size: 0.4 };

describe("a movement", () => {
  const made: [Movement, typeof rest][] = [
    ["left", { ...rest, yaw: 0.15 }],
    ["right", { ...rest, yaw: -0.15 }],
    ["up", { ...rest, pitch: 0.35 }],
    ["down", { ...rest, pitch: 0.65 }],
    ["closer", { ...rest, size: 0.5 }],
  ];
  it.each(made)("to the %s is seen when it is made, and as no other", (move, now) => {
    expect(made.filter(([other]) => isSeen(other, rest, now)).map(([other]) => other)).toEqual([move]);
  });

  it("is not seen in a head at rest", () => {
    expect(made.filter(([move]) => isSeen(move, rest, { yaw: 0.03, pitch: 0.53, size: 0.41 }))).toEqual([]);
  });
});
