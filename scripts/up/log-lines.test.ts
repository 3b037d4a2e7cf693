import { describe, expect, it } from "vitest";
import { createPrinter, drawBox, type LogFormat } from "./log-lines.ts";

const LINE =
  '{"level":40,"time":1700000000000,"pid":1,"hostname":"h","name":"auth","err":{"type":"Error","message":"no route","stack":"Error\\n at x"},"attempt":2,"msg":"Redis unavailable"}';

function print(format: LogFormat, ...lines: readonly (readonly [string, string])[]): string {
  let written = "";
  const printer = createPrinter((text) => (written += text), { format, isTerminal: false });
  for (const [name, line] of lines) printer(name, line);
  return written;
}

describe("log lines", () => {
  it("puts an event on one readable line, an error as its message", () => {
    expect(print("pretty", ["auth", LINE])).toMatch(
      /^\d\d:\d\d:\d\d auth {6}warn {2}Redis unavailable err="no route" attempt=2\n$/,
    );
  });

  it("keeps a service's JSON unchanged where a program reads it", () => {
    expect(print("json", ["auth", LINE])).toBe(`${LINE}\n`);
  });

  it("makes every line of the JSON form an object with level, time, name and message", () => {
    const lines = print("json", ["up", "building the console"], ["relay", "{broken"]).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(Number), name: "up", msg: "building the console" },
      { level: 40, time: expect.any(Number), name: "relay", msg: "{broken" },
    ]);
  });

  it("uses colours on a terminal only", () => {
    let written = "";
    createPrinter((text) => (written += text), { format: "pretty", isTerminal: true })("auth", LINE);
    expect(written).toContain("\u001B[33mwarn \u001B[0m");
    expect(print("pretty", ["auth", LINE])).not.toContain("\u001B");
  });
});

describe("closing box", () => {
  it("has one width for all lines", () => {
    expect(drawBox(["a", "long line"])).toBe("╭───────────╮\n│ a         │\n│ long line │\n╰───────────╯");
  });
});
