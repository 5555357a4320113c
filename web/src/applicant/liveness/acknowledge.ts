import type { Movement } from "../../api/wire.ts";
import type { Pose } from "../guide/face-net.ts";

// By how much a head has to be held otherwise than at rest, in the guide's own rough measures. Lenient: it thanks, and judges nothing. What
// the server measures, and by which bounds, is never here.
const turned = 0.07;
const nodded = 0.09;
const nearer = 1.12;

/** Whether this device's guide sees the movement that is asked for. `rest` is how the head was held before. */
export function isSeen(move: Movement, rest: Pose, now: Pose): boolean {
  switch (move) {
    case "left": // the person's own left is on the right of an unmirrored picture
      return now.yaw - rest.yaw > turned;
    case "right":
      return rest.yaw - now.yaw > turned;
    case "up":
      return rest.pitch - now.pitch > nodded;
    case "down":
      return now.pitch - rest.pitch > nodded;
    case "closer":
      return now.size > nearer * rest.size;
  }
}
