import type { Json } from "../../../core/chat/chat.ts";
import { compact } from "../../../core/chat/json.ts";
import type { ProcessedResponse } from "../../contract/provider.ts";
import { jsonResponse } from "../json-content.ts";

/** A segment of speech, in seconds. */
export type Cue = { readonly start: number; readonly end: number; readonly text: string };

/** A transcript, independent of upstream's format. */
export type Transcript = {
  readonly text: string;
  readonly language: string | undefined;
  readonly durationSeconds: number | undefined;
  readonly cues: readonly Cue[];
  /** Segments and words in OpenAI's format. */
  readonly segments: readonly Json[] | undefined;
  readonly words: readonly Json[] | undefined;
};

const two = (value: number): string => String(value).padStart(2, "0");

function clock(seconds: number, separator: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const complete = Math.floor(ms / 1000);
  const parts = [Math.floor(complete / 3600), Math.floor(complete / 60) % 60, complete % 60].map(two).join(":");
  return `${parts}${separator}${String(ms % 1000).padStart(3, "0")}`;
}

const span = ({ start, end }: Cue, separator: string): string =>
  `${clock(start, separator)} --> ${clock(end, separator)}`;

function srt(cues: readonly Cue[]): string {
  return cues.map((cue, index) => `${index + 1}\n${span(cue, ",")}\n${cue.text.trim()}\n\n`).join("");
}

function vtt(cues: readonly Cue[]): string {
  return `WEBVTT\n\n${cues.map((cue) => `${span(cue, ".")}\n${cue.text.trim()}\n\n`).join("")}`;
}

const plain = (text: string, type = "text/plain"): ProcessedResponse => ({
  body: Buffer.from(text),
  contentType: `${type}; charset=utf-8`,
});

function verbose(transcript: Transcript, task: string): Json {
  const { text, language, durationSeconds: duration, segments, words } = transcript;
  return compact({ task, language: language ?? "", duration, text, segments: segments ?? [], words });
}

/** A transcript in the `response_format` that the caller requested. */
export function writeTranscript(transcript: Transcript, format: unknown, task: string): ProcessedResponse {
  switch (format) {
    case "text":
      return plain(`${transcript.text}\n`);
    case "srt":
      return plain(srt(transcript.cues));
    case "vtt":
      return plain(vtt(transcript.cues), "text/vtt");
    default: {
      const { text, durationSeconds: seconds } = transcript;
      const usage = seconds === undefined ? undefined : { type: "duration", seconds };
      const response = format === "verbose_json" ? verbose(transcript, task) : compact({ text, usage });
      return jsonResponse(response);
    }
  }
}
