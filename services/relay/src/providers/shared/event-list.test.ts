import { describe, expect, it } from "vitest";
import { startsAsEvents } from "./event-list.ts";

describe("first bytes of a body", () => {
  it.each(["event: x", "data: {}", "data:{}", ": ping", "id: 1", "retry: 5", "\uFEFFevent: x", "\n\ndata: {}"])(
    "are those of events: %j",
    (text) => expect(startsAsEvents(Buffer.from(text))).toBe(true),
  );

  it.each(['{"data": 1}', "[1]", "<html>", "database error", "events", "  {}"])("are not: %j", (text) =>
    expect(startsAsEvents(Buffer.from(text))).toBe(false),
  );

  it.each(["", "e", "data"])("do not decide yet: %j", (text) =>
    expect(startsAsEvents(Buffer.from(text))).toBeUndefined(),
  );
});
