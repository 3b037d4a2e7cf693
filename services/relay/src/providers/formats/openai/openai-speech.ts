import { createFrameSplitter } from "../../../upstream/frame-splitter.ts";
import type { ReportedUsage, StreamPart } from "../../../core/chat/chat.ts";
import { newBytesReader, newChunkFrames } from "../../shared/endpoints/bytes-reader.ts";
import { errorInside, parseEventData } from "../../shared/upstream-failure.ts";
import type { FrameSplitter, StreamReader } from "../../../core/wire/stream.ts";
import { readInputOutputUsage } from "./response/openai-image-response.ts";

const EVENTS = /^\s*(?:data|event):/;

/** Audio as raw bytes, or (`stream_format: "sse"`) as events: the first bytes of a response distinguish them. */
export function newSpeechFrames(): FrameSplitter {
  let splitter: FrameSplitter | undefined;
  return {
    push(chunk) {
      splitter ??= EVENTS.test(chunk.toString("latin1", 0, 16)) ? createFrameSplitter() : newChunkFrames();
      return splitter.push(chunk);
    },
    end: () => splitter?.end(),
  };
}

/**
 * Parses audio events: `speech.audio.delta` with a base64 chunk, then `speech.audio.done`, which reports the usage
 * (https://platform.openai.com/docs/api-reference/audio/speech-audio-done-event). Raw bytes are not parsed.
 */
export function newSpeechReader(): StreamReader {
  const bytes = newBytesReader();
  let isEvents = false;
  let isDone = false;
  let usage: ReportedUsage;
  return {
    read(sent): StreamPart[] {
      const { event, data } = sent;
      if (data === "") return bytes.read(sent);
      isEvents = true;
      if (data === "[DONE]") return [];
      const body = parseEventData(data);
      if (body["error"] || event === "error" || body["type"] === "error") throw errorInside(body);
      if (body["type"] === "speech.audio.done") {
        isDone = true;
        usage = readInputOutputUsage(body["usage"]);
      }
      return [];
    },
    end: () => (isEvents ? [{ type: "finish", reason: "stop", usage }] : bytes.end()),
    isComplete: () => (isEvents ? isDone : bytes.isComplete()),
  };
}
