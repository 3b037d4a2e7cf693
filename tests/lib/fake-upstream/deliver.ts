import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

type Delivery = { framesSent: number; ended: "served" | "broken" | "client-disconnected" };

/** Distinguishes an end scripted by the scenario from one caused by the caller. */
type Ending = { ownDoing: boolean };

const brokenOff = (framesSent: number, ending: Ending): Delivery => ({
  framesSent,
  ended: ending.ownDoing ? "broken" : "client-disconnected",
});

/** A body sent in parts, split as the scenario defines. */
function createWriter(response: ServerResponse, scenario: Scenario, ending: Ending) {
  let bytesLeft = scenario.cutAfterBytes ?? Number.POSITIVE_INFINITY;
  let turn = 0;
  const write = async (bytes: Buffer): Promise<boolean> => {
    if (response.destroyed) return false;
    const allowed = bytes.subarray(0, Math.min(bytes.length, bytesLeft));
    bytesLeft -= allowed.length;
    if (allowed.length > 0 && !response.write(allowed)) await drained(response);
    if (allowed.length === bytes.length) return true;
    // Written data has to be sent before the connection is destroyed.
    ending.ownDoing = true;
    await new Promise((resolve) => setImmediate(resolve));
    response.destroy();
    return false;
  };
  return async (bytes: Buffer): Promise<boolean> => {
    const sizes = scenario.chunkBytes ?? [];
    let rest = bytes;
    while (sizes.length > 0 && rest.length > 0) {
      const size = sizes[turn++ % sizes.length] ?? rest.length;
      if (!(await write(rest.subarray(0, size)))) return false;
      rest = rest.subarray(size);
      // One event-loop tick between parts, so that they leave as separate packets.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return rest.length === 0 || write(rest);
  };
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      response.off("drain", finish).off("close", finish);
      resolve();
    };
    response.once("drain", finish).once("close", finish);
  });

const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.once("close", resolve);
  });

/** Sends a body that is not a stream of frames. */
export async function deliverWhole(response: ServerResponse, text: string, scenario: Scenario): Promise<Delivery> {
  const ending = { ownDoing: false };
  if (scenario.stallAfterBytes !== undefined) {
    response.write(Buffer.from(text).subarray(0, scenario.stallAfterBytes));
    await closed(response);
    return brokenOff(0, ending);
  }
  if (!(await createWriter(response, scenario, ending)(Buffer.from(text)))) return brokenOff(0, ending);
  response.end();
  return { framesSent: 1, ended: "served" };
}

/** Executes the scenario's action before the frame with that number; false if there is none. */
async function interruption(
  response: ServerResponse,
  scenario: Scenario,
  number: number,
  ending: Ending,
): Promise<boolean> {
  if (scenario.stallAfterFrames === number) {
    await closed(response);
    return true;
  }
  if (scenario.cutAfterFrames !== number && scenario.endAfterFrames !== number) return false;
  ending.ownDoing = true;
  await new Promise((resolve) => setImmediate(resolve));
  if (scenario.endAfterFrames === number) response.end();
  else response.destroy();
  return true;
}

/** Sends a stream frame by frame at the scenario's pace until its end or the scripted failure. */
export async function deliverFrames(
  response: ServerResponse,
  frames: readonly (string | Buffer)[],
  script: { scenario: Scenario; errorFrame: string | Buffer; malformedFrame: string | Buffer },
): Promise<Delivery> {
  const { scenario } = script;
  const ending = { ownDoing: false };
  const writeBytes = createWriter(response, scenario, ending);
  const write = (frame: string | Buffer): Promise<boolean> =>
    writeBytes(typeof frame === "string" ? Buffer.from(frame) : frame);
  response.flushHeaders();
  let framesSent = 0;
  if (scenario.firstFrameDelayMs !== undefined) await sleep(scenario.firstFrameDelayMs);
  for (const [number, frame] of frames.entries()) {
    if (await interruption(response, scenario, number, ending)) return brokenOff(framesSent, ending);
    if (scenario.errorAfterFrames === number) {
      await write(script.errorFrame);
      response.end();
      return { framesSent, ended: "broken" };
    }
    if (!(await write(scenario.malformedFrame === number ? script.malformedFrame : frame)))
      return brokenOff(framesSent, ending);
    framesSent += 1;
    if (scenario.frameGapMs !== undefined && number < frames.length - 1) await sleep(scenario.frameGapMs);
  }
  if (await interruption(response, scenario, frames.length, ending)) return brokenOff(framesSent, ending);
  response.end();
  return { framesSent, ended: "served" };
}
