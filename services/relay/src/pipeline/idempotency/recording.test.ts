import { expect, it } from "vitest";
import { createDetachedExchange } from "./detached-exchange.ts";
import { Recording } from "./recording.ts";

const untilNextTick = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const getVisible = ({ pieces, visible }: Recording): string => Buffer.concat(pieces.slice(0, visible)).toString();

it("shows pieces in the next tick, and those before the end only with the published end", async () => {
  const recording = new Recording("f", "r");
  const { response } = createDetachedExchange(recording);
  response.setHeader("x-set", "1");
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("one ");
  expect(getVisible(recording)).toBe("");
  await untilNextTick();
  expect(getVisible(recording)).toBe("one ");
  response.write("two ");
  response.addTrailers({ "x-turnpike-cost": "0.1" });
  response.end("three");
  await untilNextTick();
  expect(getVisible(recording)).toBe("one ");
  expect(recording.ending).toBeUndefined();
  recording.publishEnd();
  expect(getVisible(recording)).toBe("one two three");
  expect(recording).toMatchObject({
    head: { status: 200, headers: { "x-set": "1", "content-type": "text/event-stream" } },
    ending: { isWhole: true, trailers: { "x-turnpike-cost": "0.1" } },
  });
});

it("ends as cut when its response is destroyed or grows beyond its bound", () => {
  const destroyed = new Recording("f", "r");
  createDetachedExchange(destroyed).response.destroy();
  expect(destroyed.written).toMatchObject({ isWhole: false });
  const large = new Recording("f", "r");
  const { response } = createDetachedExchange(large);
  for (let megabytes = 0; megabytes < 65; megabytes++) response.write(Buffer.alloc(1024 * 1024));
  expect(large.written).toMatchObject({ isWhole: false });
});
