import { describe, expect, it } from "vitest";
import { createPrinter, readableLine } from "./log-lines.ts";

const LINE = '{"level":40,"time":1700000000000,"pid":1,"hostname":"h","name":"auth","msg":"Redis is away","attempt":2}';

describe("log lines", () => {
  it("formats lines for reading on a terminal", () => {
    expect(readableLine(LINE)).toBe('22:13:20.000 warn  Redis is away {"attempt":2}');
    expect(readableLine("{broken")).toBe("{broken");
  });

  it("keeps plain JSON after the name when the output is not a terminal", () => {
    let written = "";
    createPrinter((text) => (written += text), false)("auth", LINE);
    expect(written).toBe(`auth      | ${LINE}\n`);
  });
});
