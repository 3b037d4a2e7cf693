import { describe, expect, it } from "vitest";
import { createFrameSplitter, isSilent } from "./frame-splitter.ts";

const STREAM = 'event: a\ndata: {"x":"é中"}\n\n: ping\n\ndata: one\ndata: two\n\ndata:[DONE]\n\n';
const EVENTS = [
  { event: "a", data: '{"x":"é中"}' },
  undefined,
  { event: undefined, data: "one\ntwo" },
  { event: undefined, data: "[DONE]" },
];

function split(bytes: Buffer, size: number) {
  const splitter = createFrameSplitter();
  const frames = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...splitter.push(bytes.subarray(at, at + size)));
  return { frames, last: splitter.end() };
}

describe("frame splitter", () => {
  it("parses a document without a field name as an event, since some providers report failures that way", () => {
    const document = '{\n  "error": {"code": 500}\n}';
    const { frames } = split(Buffer.from(`data: a\n\n${document}\n\n`), 7);
    expect(frames.map(({ event }) => event?.data)).toEqual(["a", document]);
    expect(split(Buffer.from(document), 1_000).last?.event?.data).toBe(document);
  });

  it("distinguishes ignorable fields from lines that are not fields", () => {
    expect([": ping\n\n", "event: ping\nid: 1\nretry: 5\r\n\r\n"].map((text) => isSilent(Buffer.from(text)))).toEqual([
      true,
      true,
    ]);
    expect([": a\nhttp://10.0.0.1\n\n", "boom\n\n"].map((text) => isSilent(Buffer.from(text)))).toEqual([false, false]);
  });

  it.each([1, 2, 3, 5, 7, 1000])("finds the same frames when the bytes arrive %d at a time", (size) => {
    for (const text of [STREAM, STREAM.replaceAll("\n", "\r\n")]) {
      const { frames, last } = split(Buffer.from(text), size);
      expect(frames.map((frame) => frame.event)).toEqual(EVENTS);
      expect(Buffer.concat(frames.map((frame) => frame.raw)).toString()).toBe(text);
      expect(last).toBeUndefined();
    }
  });

  it.each([
    { size: 1, pieces: 7 },
    { size: 5, pieces: 7 },
    { size: 70, pieces: 6 },
  ])("merges skimmed frames that arrive together, $size bytes at a time", ({ size, pieces }) => {
    const text = "data: first\n\ndata: é\n\ndata: b\n\n: ping\n\ndata: c\n\ndata: read\n\ndata: d\n\n";
    const bytes = Buffer.from(text);
    const splitter = createFrameSplitter();
    const order: string[] = [];
    const skim = ({ data }: { data: string }) => {
      order.push(`skim ${data}`);
      return order.includes("first") && data.length === 1 ? data : undefined;
    };
    const raw: Buffer[] = [];
    let skimmed = "";
    for (let at = 0; at < bytes.length; at += size) {
      for (const frame of splitter.push(bytes.subarray(at, at + size), skim)) {
        raw.push(frame.raw);
        skimmed += frame.skimmed ?? "";
        if (frame.event) order.push(frame.event.data);
      }
    }
    expect(Buffer.concat(raw).toString()).toBe(text);
    expect(skimmed).toBe("ébcd");
    expect(order.filter((step) => !step.startsWith("skim"))).toEqual(["first", "read"]);
    // Nothing is skimmed before the preceding frames were parsed.
    expect(order.indexOf("first")).toBeLessThan(order.indexOf("skim é"));
    expect(order.indexOf("read")).toBeLessThan(order.indexOf("skim d"));
    expect(raw).toHaveLength(pieces);
  });

  it("skims a chunk that is one frame, and only behind complete frames", () => {
    const splitter = createFrameSplitter();
    const skim = ({ data }: { data: string }) => (data === "no" ? undefined : data);
    const skimChunk = (text: string) => splitter.skimChunk?.(Buffer.from(text), skim);
    expect(skimChunk("data: é\n\n")).toBe("é");
    expect(skimChunk("event: text\ndata: é\n\n")).toBe("é");
    for (const text of [
      "data: no\n\n",
      "data: a\n\ndata: b\n\n",
      "data: a\ndata: b\n\n",
      "event: text\ndata: a\ndata: b\n\n",
      "event: text\nid: 1\ndata: a\n\n",
      "event: text\r\ndata: a\r\n\r\n",
      "data: a\n",
      ": a\n\n",
      "\n\n",
      "",
    ])
      expect(skimChunk(text)).toBeUndefined();
    expect([...splitter.push(Buffer.from("data: be"))]).toEqual([]);
    expect(skimChunk("data: a\n\n")).toBeUndefined();
    expect([...splitter.push(Buffer.from("gun\n\n"))].map(({ event }) => event?.data)).toEqual(["begun"]);
    expect(skimChunk("data: a\n\n")).toBe("a");
  });

  it("parses the first frame after a byte order mark", () => {
    const { frames } = split(Buffer.from("\uFEFFdata: a\n\ndata: b\n\n"), 4);
    expect(frames.map(({ event }) => event?.data)).toEqual(["a", "b"]);
  });

  it("returns a last frame that is closed only by the end of the stream", () => {
    expect(split(Buffer.from("data: a\n\ndata: b"), 4).last?.event).toEqual({ event: undefined, data: "b" });
  });
});
