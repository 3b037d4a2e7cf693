import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageRow, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { inItem, next } from "./event-streams.ts";

const TOOL_PROGRESS = everywhere(
  leftOut("progress of a tool that the provider runs; the item that is done is charged"),
);
const NOT_OFFERED = everywhere(leftOut("progress of a tool that calls of other dialects cannot offer"));
const AUDIO = everywhere(leftOut("calls of other dialects cannot request audio from this API"));

const progress = (type: string, fields: Json = {}) => ({ example: next(inItem(type, fields)) });

/** The events of tools that the provider runs, and of audio. */
export const TOOL_EVENTS: Readonly<Record<string, CoverageRow>> = {
  "response.web_search_call.in_progress": { ...progress("response.web_search_call.in_progress"), ...TOOL_PROGRESS },
  "response.web_search_call.searching": { ...progress("response.web_search_call.searching"), ...TOOL_PROGRESS },
  "response.web_search_call.completed": { ...progress("response.web_search_call.completed"), ...TOOL_PROGRESS },
  ...Object.fromEntries(
    [
      "response.code_interpreter_call.in_progress",
      "response.code_interpreter_call.interpreting",
      "response.code_interpreter_call.completed",
      "response.file_search_call.in_progress",
      "response.file_search_call.searching",
      "response.file_search_call.completed",
      "response.image_generation_call.in_progress",
      "response.image_generation_call.generating",
      "response.image_generation_call.completed",
      "response.mcp_call.in_progress",
      "response.mcp_call.completed",
      "response.mcp_call.failed",
      "response.mcp_list_tools.in_progress",
      "response.mcp_list_tools.completed",
      "response.mcp_list_tools.failed",
    ].map((type) => [type, { ...progress(type), ...NOT_OFFERED }]),
  ),
  "response.code_interpreter_call_code.delta": {
    ...progress("response.code_interpreter_call_code.delta", { delta: "print(1)" }),
    ...NOT_OFFERED,
  },
  "response.code_interpreter_call_code.done": {
    ...progress("response.code_interpreter_call_code.done", { code: "print(1)" }),
    ...NOT_OFFERED,
  },
  "response.image_generation_call.partial_image": {
    ...progress("response.image_generation_call.partial_image", {
      partial_image_index: 0,
      partial_image_b64: "iVBORw0KGgo=",
    }),
    ...everywhere(leftOut("a preview of the image, which the item that is done has")),
  },
  "response.mcp_call_arguments.delta": {
    ...progress("response.mcp_call_arguments.delta", { delta: "{}" }),
    ...NOT_OFFERED,
  },
  "response.mcp_call_arguments.done": {
    ...progress("response.mcp_call_arguments.done", { arguments: "{}" }),
    ...NOT_OFFERED,
  },
  "response.audio.delta": { example: next({ type: "response.audio.delta", delta: "UklGRg==" }), ...AUDIO },
  "response.audio.done": { example: next({ type: "response.audio.done" }), ...AUDIO },
  "response.audio.transcript.delta": {
    example: next({ type: "response.audio.transcript.delta", delta: "Hello" }),
    ...AUDIO,
  },
  "response.audio.transcript.done": { example: next({ type: "response.audio.transcript.done" }), ...AUDIO },
};
