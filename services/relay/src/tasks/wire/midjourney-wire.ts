import { TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { jsonField, textField, timeField } from "./json-fields.ts";
import { isFreeAction } from "./midjourney-actions.ts";
import { POLL_TIMEOUT_MS, postJson, type SubmitResponse, type TaskPlatform } from "./task-platform.ts";

const SUBMITTED = 1;
const NO_ACCOUNT = 3;
const EXISTS = 21;
const QUEUED = 22;
const QUEUE_FULL = 23;
const ACCEPTED = new Set([SUBMITTED, EXISTS, QUEUED]);

/** A task that existed already may be finished: its image is in the response. */
function readExistingState(response: Json): Partial<TaskState> {
  const properties = asObject(response["properties"]);
  const [imageUrl, status] = [properties?.["imageUrl"], properties?.["status"]];
  return typeof imageUrl === "string" && typeof status === "string" ? { imageUrl, status } : {};
}

/**
 * An upload finishes at once: its result is not a task but the list of Discord's URLs of the images
 * (midjourney-proxy-plus, `/submit/upload-discord-images`); the first URL is its id.
 */
function toUploadState(uploaded: string | undefined): Partial<TaskState> {
  return { status: "SUCCESS", ...(uploaded === undefined ? {} : { imageUrl: uploaded }) };
}

function readAccepted(
  response: Json,
  raw: Buffer,
  about: { code: number; action: string },
): SubmitResponse | undefined {
  const { code, action } = about;
  const uploaded = action === "UPLOAD" ? asText(asList(response["result"])[0]) : undefined;
  const upstreamId = uploaded ?? textField(response, "result");
  if (upstreamId === "") return undefined;
  const known = code === EXISTS ? readExistingState(response) : {};
  const done = action === "UPLOAD" && code === SUBMITTED ? toUploadState(uploaded) : {};
  const keepsCode = code === SUBMITTED || (code === EXISTS && isFreeAction(action));
  return {
    outcome: "accepted",
    upstreamId,
    state: TaskState.fromPartial({ code, description: textField(response, "description"), ...known, ...done }),
    body: keepsCode ? raw : JSON.stringify({ ...response, code: SUBMITTED }),
  };
}

function readSubmit(response: Json, raw: Buffer, action: string): SubmitResponse | undefined {
  const code = asNumber(response["code"]);
  if (code === undefined) return undefined;
  if (ACCEPTED.has(code)) return readAccepted(response, raw, { code, action });
  return {
    outcome: "refused",
    message: textField(response, "description"),
    code: String(code),
    canFailOver: code === NO_ACCOUNT || code === QUEUE_FULL,
    isUnusable: code === NO_ACCOUNT,
    body: raw,
  };
}

/** One task in the format of Midjourney proxies. */
export const readMidjourneyTask = (task: Json): TaskState =>
  TaskState.fromPartial({
    status: textField(task, "status"),
    progress: textField(task, "progress"),
    failReason: textField(task, "failReason"),
    submitTimeMs: timeField(task, "submitTime"),
    startTimeMs: timeField(task, "startTime"),
    finishTimeMs: timeField(task, "finishTime"),
    imageUrl: textField(task, "imageUrl"),
    promptEn: textField(task, "promptEn"),
    description: textField(task, "description"),
    buttonsJson: jsonField(task, "buttons"),
    propertiesJson: jsonField(task, "properties"),
    code: SUBMITTED,
  });

/** Midjourney Proxy and Midjourney Proxy Plus, whose APIs are the same for the endpoints used here. */
export const midjourney: TaskPlatform = {
  name: "mj",
  channelTypes: new Set([2, 5]),
  headers: (key) => ({ "mj-api-secret": key }),
  readSubmit,
  pollRequest: ({ baseUrl, key }, ids) =>
    postJson(`${baseUrl}/mj/task/list-by-condition`, midjourney.headers(key), { ids }, POLL_TIMEOUT_MS),
  readPoll(response) {
    if (!Array.isArray(response)) return undefined;
    const states = new Map<string, TaskState>();
    for (const item of asList(response)) {
      const task = asObject(item);
      if (task) states.set(textField(task, "id"), readMidjourneyTask(task));
    }
    return states;
  },
};
