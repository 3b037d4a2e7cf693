import { describe, expect, it } from "vitest";
import { EventLog } from "./event-log.ts";
import type { EventPiece, StoredResponses } from "./stored-responses.ts";

const PLACE = { userId: 1, id: "resp_1" };
type Piece = Omit<EventPiece, "relayId">;

/** A store in memory that fails so many times, and may report a cancellation. */
function createStore({ failures = 0, isFull = false, isCancelled = false } = {}) {
  const pieces: Piece[] = [];
  let left = failures;
  const append = (_place: unknown, piece: Piece, before: number) => {
    if (left-- > 0) return Promise.reject(new Error("down"));
    if (isFull) return Promise.resolve({ isStored: false, isCancelled });
    const isNew = pieces.length === before && (piece.events.length > 0 || piece.isEnd);
    if (isNew) pieces.push(piece);
    return Promise.resolve({ isStored: true, isCancelled });
  };
  return { pieces, responses: { append } as unknown as StoredResponses };
}
const event = (number: number) => ({ number, text: `event ${number}` });
const getNumbers = (pieces: readonly Piece[]): number[] =>
  pieces.flatMap(({ events }) => events).map(({ number }) => number);

describe("event log of a stream", () => {
  it("stores events in order, with their end, though Redis fails in between", async () => {
    const { pieces, responses } = createStore({ failures: 2 });
    const log = new EventLog(responses);
    log.add(event(0));
    log.begin(PLACE);
    log.add(event(1));
    await log.end();
    log.add(event(2));
    expect(getNumbers(pieces)).toEqual([0, 1]);
    expect(pieces.at(-1)?.isEnd).toBe(true);
  });

  it("drops the events of an attempt that failed before the client saw them", async () => {
    const { pieces, responses } = createStore();
    const log = new EventLog(responses);
    log.add(event(0));
    log.restart();
    log.begin(PLACE);
    log.add(event(0));
    log.add(event(1));
    await log.end();
    expect(getNumbers(pieces)).toEqual([0, 1]);
  });

  it("stores no part of a stream that does not fit", async () => {
    const { pieces, responses } = createStore({ isFull: true });
    const log = new EventLog(responses);
    log.begin(PLACE);
    log.add(event(0));
    await log.end();
    expect(pieces).toEqual([]);
  });

  it("detects that its response was cancelled while no event arrives", async () => {
    const cancelled = Promise.withResolvers<void>();
    const log = new EventLog(createStore({ isCancelled: true }).responses, {
      run: 0,
      pieces: 0,
      onCancelled: () => cancelled.resolve(),
      onTakenOver: () => undefined,
    });
    log.begin(PLACE);
    await cancelled.promise;
    await log.end();
  });

  it("stores nothing before the response has an id", async () => {
    const { pieces, responses } = createStore();
    const log = new EventLog(responses);
    log.add(event(0));
    await log.end();
    expect(pieces).toEqual([]);
  });
});
