import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { getGroup } from "../../core/call/caller.ts";
import { sendJson } from "../../core/call/exchange.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readObject, textField } from "../wire/json-fields.ts";
import {
  isFreeAction,
  getActionModel,
  readChange,
  readCustomId,
  readSimpleChange,
  SUBMISSIONS,
  type SubmitKind,
} from "../wire/midjourney-actions.ts";
import { findOwnTask } from "./midjourney-tasks.ts";
import { midjourney } from "../wire/midjourney-wire.ts";
import type { TaskCall } from "../accounting/task-call.ts";
import type { TaskRecords } from "../accounting/task-records.ts";
import type { TaskRequest } from "./task-request.ts";
import type { SubmitTask } from "../submission/task-submission.ts";

/** A parsed submission: the body for upstream, and its properties. */
export type Submission = Pick<
  TaskCall,
  "action" | "model" | "isFree" | "body" | "prompt" | "customId" | "botType" | "clientState"
> & {
  /** The task that it continues. */
  readonly originId: string | undefined;
  readonly needsSuccess: boolean;
  /** The URL where upstream reports the task's progress to the caller, if allowed. */
  readonly notifyHook: string | undefined;
};

const MODE_FLAGS = /\s*--(?:fast|relax|turbo)(?=\s|$)/g;

function requireFields(body: Json, names: readonly string[]): void {
  for (const name of names) {
    const value = body[name];
    const isMissing = Array.isArray(value) ? value.length === 0 : textField(body, name).trim() === "";
    if (isMissing) throw new RelayError("invalid_request", `${name}: ${name} is required`, { param: name });
  }
}

function readTarget(body: Json, kind: SubmitKind): { readonly action: string; readonly originId: string | undefined } {
  switch (kind.mode) {
    case "change":
      return { action: readChange(body["action"], body["index"]).action, originId: textField(body, "taskId") };
    case "simple-change": {
      const { action, taskId } = readSimpleChange(textField(body, "content"));
      return { action, originId: taskId };
    }
    case "action":
      return { action: readCustomId(textField(body, "customId")).action, originId: textField(body, "taskId") };
    case "modal":
      return { action: kind.action, originId: textField(body, "taskId") };
    default: {
      // A video may continue from an image that was created here.
      const taskId = kind.action === "VIDEO" ? textField(body, "taskId") : "";
      return { action: kind.action, originId: taskId === "" ? undefined : taskId };
    }
  }
}

/** The body for upstream: the caller's fields without those that the site does not pass on. */
function forwarded(body: Json, options: OptionsInForce): Json {
  const { accountFilter, notifyHook, ...rest } = body as Record<string, unknown>;
  const prompt = rest["prompt"];
  return {
    ...rest,
    ...(typeof prompt === "string" && options.flag("MjModeClearEnabled")
      ? { prompt: prompt.replace(MODE_FLAGS, "").trim() }
      : {}),
    ...(accountFilter !== undefined && options.flag("MjAccountFilterEnabled") ? { accountFilter } : {}),
    ...(notifyHook !== undefined && options.flag("MjNotifyEnabled") ? { notifyHook } : {}),
  };
}

/** Parses a submission. Throws invalid_request naming the missing or invalid field. */
export function readSubmission(sent: Json, kind: SubmitKind, options: OptionsInForce): Submission {
  requireFields(sent, kind.needs);
  const { action, originId } = readTarget(sent, kind);
  const body = forwarded(sent, options);
  const notifyHook = textField(body, "notifyHook");
  return {
    action,
    originId,
    model: getActionModel(action),
    isFree: isFreeAction(action),
    needsSuccess: kind.mode !== "modal" && options.flag("MjActionCheckSuccessEnabled"),
    body,
    prompt: textField(body, "prompt"),
    customId: textField(body, "customId"),
    botType: textField(body, "botType"),
    clientState: textField(body, "state"),
    notifyHook: notifyHook === "" ? undefined : notifyHook,
  };
}

export type SubmissionDeps = {
  readonly options: () => OptionsInForce;
  readonly records: TaskRecords;
  readonly submit: SubmitTask;
  /** Refuses addresses that must not be requested on behalf of callers. */
  readonly checkAddress: (url: string) => Promise<void>;
  readonly now: () => number;
};

/** Serves a submission; `path` is the part after `/mj/`, `prefix` the mode before it, as sent upstream. */
export async function serveSubmission(
  { options, records, submit, checkAddress, now }: SubmissionDeps,
  requested: TaskRequest,
  { path, prefix }: { readonly path: string; readonly prefix: string },
): Promise<void> {
  const kind = SUBMISSIONS[path];
  if (!kind) throw new RelayError("not_found", `Invalid URL (POST /mj/${path})`);
  const admitted = await requested.admit();
  const sent = await requested.readBody();
  const submission = readSubmission(readObject(sent), kind, options());
  if (submission.notifyHook !== undefined) await checkAddress(submission.notifyHook);
  const { originId } = submission;
  const origin = originId === undefined ? undefined : await findOwnTask(records, admitted, originId);
  if (origin && submission.needsSuccess && origin.state?.status !== "SUCCESS")
    throw new RelayError("invalid_request", "task_status_not_success: the original task has not succeeded");
  const call = {
    startedAtMs: now(),
    address: requested.address,
    maxDollars: requested.readMaxDollars(),
    admitted,
    group: getGroup(admitted),
    stream: false,
    platform: midjourney,
    path: `${prefix}/mj/${path}`,
    ...submission,
    prompt: submission.prompt === "" ? (origin?.prompt ?? "") : submission.prompt,
    origin,
  } as const;
  await requested.runOnce(admitted, sent, async (exchange) => {
    const { body, headers } = await submit({ ...call, requestId: exchange.requestId, tried: [] });
    sendJson(exchange, 200, body, headers);
  });
}
