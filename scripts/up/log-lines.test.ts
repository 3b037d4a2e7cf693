import { describe, expect, it } from "vitest";
import { createPrinter, readableLine } from "./log-lines.ts";

const LINE = '{"level":40,"time":1700000000000,"pid":1,"hostname":"h","name":"auth","msg":"Redis is away","attempt":2}';

describe("log lines", () => {
  it("are readable on a terminal", () => {
    expect(readableLine(LINE)).toBe('22:13:20.000 warn  Redis is away {"attempt":2}');
    expect(readableLine("{broken")).toBe("{broken");
  });

  it("stay JSON after the name and without colour elsewhere", () => {
    let written = "";
    createPrinter((text) => (written += text), false)("auth", LINE);
    expect(written).toBe(`auth      | ${LINE}\n`);
  });
});
