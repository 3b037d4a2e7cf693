import { expect, it } from "vitest";
import type { StreamPart } from "../../../core/chat/chat.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";
import { newSpeechFrames, newSpeechReader } from "./openai-speech.ts";

function heard(chunks: readonly (string | Buffer)[]): { parts: StreamPart[]; bytes: Buffer; isComplete: boolean } {
  const [splitter, reader] = [newSpeechFrames(), newSpeechReader()];
  const frames = chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]);
  const last = splitter.end();
  const all = last ? [...frames, last] : frames;
  const parts = all.flatMap(({ event }) => (event ? reader.read(event) : []));
  parts.push(...reader.end());
  return { parts, bytes: Buffer.concat(all.map(({ raw }) => raw)), isComplete: reader.isComplete() };
}

const DELTA = 'data: {"type":"speech.audio.delta","audio":"aGk="}\n\n';
const DONE =
  'data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}\n\n';

it("is passed through as bytes without parsing", () => {
  const { parts, bytes, isComplete } = heard([Buffer.from("fffb9000", "hex"), "data: no event"]);
  expect(parts).toEqual([{ type: "finish", reason: "stop", usage: undefined }]);
  expect(bytes.toString("latin1")).toBe(`${Buffer.from("fffb9000", "hex").toString("latin1")}data: no event`);
  expect(isComplete).toBe(true);
});

it("reports its usage if it is events", () => {
  const sent = DELTA + DELTA + DONE;
  const { parts, bytes, isComplete } = heard([sent.slice(0, 70), sent.slice(70)]);
  expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { promptTokens: 14, completionTokens: 101 } });
  expect(bytes.toString()).toBe(sent);
  expect(isComplete).toBe(true);
});

it("is cut if its events end without the last one, and fails if one reports a failure", () => {
  expect(heard([DELTA]).isComplete).toBe(false);
  expect(() => heard([DELTA, 'data: {"error":{"message":"no"}}\n\n'])).toThrow(StreamFailure);
});
