import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as auth from "./auth.ts";
import * as billing from "./billing.ts";
import { decodeEvent, encodeEvent } from "./bus.ts";
import * as channel from "./channel.ts";
import { Envelope, type EventType } from "./define-event.ts";
import * as relay from "./relay.ts";

/**
 * Messages as the released version wrote them. During a rolling update both versions read each other's: these must
 * remain readable (relays store usage on disk, streams do too), and their fields must be written as long as their
 * subject exists.
 */
const released = readFileSync(join(import.meta.dirname, "__fixtures__/released.ndjson"), "utf8")
  .split("\n")
  .filter((line) => line !== "");

const isEvent = (value: unknown): value is EventType =>
  typeof value === "object" && value !== null && "subject" in value && "data" in value;
const events = new Map(
  [auth, billing, channel, relay]
    .flatMap((module) => Object.values(module as Record<string, unknown>))
    .filter(isEvent)
    .map((event) => [event.subject, event]),
);
const toEvent = (line: string): EventType => {
  const event = events.get(Envelope.parse(JSON.parse(line)).type);
  if (!event) throw new Error("a released event is missing: keep it until no version sends it");
  return event;
};

/** The same with one more field in every object, as a later version may write it. */
function withNews(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNews);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([name, part]) => [name, withNews(part)] as const);
  return { ...Object.fromEntries(known), addedByALaterVersion: { deep: [1] } };
}

/** The paths of all fields, without list indexes. */
function listPaths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listPaths(item, path));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) => listPaths(part, `${path}.${name}`));
}

describe("events of the released version", () => {
  it("has a recorded message of every event", () => {
    expect(released.map((line) => toEvent(line).subject).toSorted()).toEqual([...events.keys()].toSorted());
  });

  it.each(released.map((line) => [toEvent(line).subject, line]))("reads %s, with unknown fields too", (_, line) => {
    const event = toEvent(line);
    const { data } = JSON.parse(line) as { data: unknown };
    expect(decodeEvent(event, line).data).toEqual(data);
    expect(decodeEvent(event, JSON.stringify(withNews(JSON.parse(line)))).data).toEqual(data);
  });

  it.each(released.map((line) => [toEvent(line).subject, line]))("writes %s with every released field", (_, line) => {
    const event = toEvent(line);
    const { data } = JSON.parse(line) as { data: unknown };
    const written = JSON.parse(encodeEvent(event, "test", data as never)) as { data: unknown };
    expect(listPaths(written)).toEqual(expect.arrayContaining([...new Set(listPaths(JSON.parse(line)))]));
  });
});
