import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { Admitted } from "../../core/call/caller.ts";
import { getGroup } from "../../core/call/caller.ts";
import type { Json } from "../../core/chat/chat.ts";
import { sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readIds, readObject, readStored, textField } from "../wire/json-fields.ts";
import type { SubmitTask } from "../submission/task-submission.ts";
import { suno } from "../wire/suno-wire.ts";
import type { TaskRecords } from "../accounting/task-records.ts";
import { decodeId, type TaskRequest } from "./task-request.ts";

const DEFAULT_MODEL = "chirp-v3-0";
const ACTIONS = new Set(["music", "lyrics"]);
const SUBMIT_PATH = /^submit\/([\w-]+)$/;
const FETCH_PATH = /^fetch\/([^/]+)$/;

const invalid = (message: string, param?: string): RelayError =>
  new RelayError("invalid_request", message, param === undefined ? {} : { param });
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** The body of a submission for upstream. Throws invalid_request naming the missing field. */
export function readSunoBody(action: string, body: Json): Json {
  if (!ACTIONS.has(action)) throw invalid("action: must be music or lyrics", "action");
  if (action === "lyrics" && textField(body, "prompt").trim() === "")
    throw invalid("prompt: prompt is required", "prompt");
  if (textField(body, "continue_clip_id") !== "" && textField(body, "task_id") === "")
    throw invalid("task_id: task_id is required to continue a clip", "task_id");
  return action === "music" && textField(body, "mv") === "" ? { ...body, mv: DEFAULT_MODEL } : body;
}

const writeTask = ({ upstreamId, action, state }: Task) => ({
  task_id: upstreamId,
  action,
  status: state?.status ?? "",
  fail_reason: state?.failReason ?? "",
  submit_time: seconds(state?.submitTimeMs ?? 0),
  start_time: seconds(state?.startTimeMs ?? 0),
  finish_time: seconds(state?.finishTimeMs ?? 0),
  progress: state?.progress ?? "",
  data: readStored(state?.dataJson ?? "", null),
});

const success = (data: unknown): string => JSON.stringify({ code: "success", message: "", data });

/** Serves the Suno API under `/suno/`; `path` is the part after it. */
export function createServeSuno(deps: { records: TaskRecords; submit: SubmitTask; now: () => number }) {
  const { records } = deps;
  const find = (admitted: Admitted, ids: readonly string[]): Promise<readonly Task[]> =>
    records.find(admitted.caller.known.token.userId, suno.name, ids);
  const one = async (admitted: Admitted, id: string): Promise<Task> => {
    const [task] = await find(admitted, [id]);
    if (!task) throw invalid("task_not_exist: there is no such task");
    return task;
  };
  const submit = async (requested: TaskRequest, named: string): Promise<void> => {
    const admitted = await requested.admit();
    const action = named.toLowerCase();
    const sent = await requested.readBody();
    const body = readSunoBody(action, readObject(sent));
    const originId = textField(body, "continue_clip_id") === "" ? "" : textField(body, "task_id");
    const origin = originId === "" ? undefined : await one(admitted, originId);
    const call = {
      startedAtMs: deps.now(),
      address: requested.address,
      maxDollars: requested.readMaxDollars(),
      admitted,
      group: getGroup(admitted),
      platform: suno,
      action: action.toUpperCase(),
      model: `suno_${action}`,
      stream: false,
      isFree: false,
      path: `/suno/submit/${action}`,
      body,
      prompt: textField(body, "prompt") || textField(body, "gpt_description_prompt"),
      customId: "",
      botType: "",
      clientState: "",
      origin,
    } as const;
    await requested.runOnce(admitted, sent, async (exchange) => {
      const submitted = await deps.submit({ ...call, requestId: exchange.requestId, tried: [] });
      sendJson(exchange, 200, submitted.body, submitted.headers);
    });
  };
  const fetchMany = async (requested: TaskRequest): Promise<void> => {
    const admitted = await requested.admit();
    // The body may name an action; the ids alone select the tasks.
    const tasks = await find(admitted, readIds(readObject(await requested.readBody())));
    sendJson(requested.exchange, 200, success(tasks.map(writeTask)));
  };
  return async (requested: TaskRequest, path: string): Promise<void> => {
    const { method = "" } = requested.request;
    const action = method === "POST" ? SUBMIT_PATH.exec(path)?.[1] : undefined;
    if (action !== undefined) return submit(requested, action);
    if (method === "POST" && path === "fetch") return fetchMany(requested);
    const id = method === "GET" ? FETCH_PATH.exec(path)?.[1] : undefined;
    if (id === undefined) throw new RelayError("not_found", `Invalid URL (${method} /suno/${path})`);
    const task = await one(await requested.admit(), decodeId(id));
    sendJson(requested.exchange, 200, success(writeTask(task)));
  };
}
