import { TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject } from "../../core/chat/json.ts";
import { jsonField, textField, timeField } from "./json-fields.ts";
import { POLL_TIMEOUT_MS, postJson, type TaskPlatform } from "./task-platform.ts";

const SUCCESS = "success";

/** Suno's times are in seconds; some upstreams send milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;
function timeMs(task: Json, name: string): number {
  const time = timeField(task, name);
  return time >= MILLISECONDS_FROM ? time : time * 1000;
}

/** One task in the format of Suno upstreams. */
export const readSunoTask = (task: Json): TaskState =>
  TaskState.fromPartial({
    status: textField(task, "status"),
    progress: textField(task, "progress"),
    failReason: textField(task, "fail_reason"),
    submitTimeMs: timeMs(task, "submit_time"),
    startTimeMs: timeMs(task, "start_time"),
    finishTimeMs: timeMs(task, "finish_time"),
    dataJson: jsonField(task, "data"),
    code: 1,
  });

/** Suno through a proxy of its API. */
export const suno: TaskPlatform = {
  name: "suno",
  channelTypes: new Set([36]),
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  readSubmit(response, raw) {
    const code = textField(response, "code");
    const upstreamId = textField(response, "data");
    if (code === SUCCESS && upstreamId !== "") {
      const state = TaskState.fromPartial({ status: "NOT_START", progress: "0%", code: 1 });
      return { outcome: "accepted", upstreamId, state, body: raw };
    }
    if (code === "" || code === SUCCESS) return undefined;
    const message = textField(response, "message");
    return { outcome: "refused", message, code, canFailOver: false, isUnusable: false, body: undefined };
  },
  pollRequest: ({ baseUrl, key }, ids) =>
    postJson(`${baseUrl}/suno/fetch`, suno.headers(key), { ids }, POLL_TIMEOUT_MS),
  readPoll(response) {
    const body = asObject(response);
    if (body?.["code"] !== SUCCESS || !Array.isArray(body["data"])) return undefined;
    const states = new Map<string, TaskState>();
    for (const item of asList(body["data"])) {
      const task = asObject(item);
      if (task) states.set(textField(task, "task_id"), readSunoTask(task));
    }
    return states;
  },
};
