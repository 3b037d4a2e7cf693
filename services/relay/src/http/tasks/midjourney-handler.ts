import { ROLE } from "@turnpike/contract/limits";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { Admitted } from "../../core/call/caller.ts";
import { getGroup } from "../../core/call/caller.ts";
import { sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { RoutingTable } from "../../routing/routing-table.ts";
import { createNoResponseError } from "../../upstream/upstream-errors.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { ImageProxy } from "./image-proxy.ts";
import { readIds, readObject, textField } from "./json-fields.ts";
import { writeMidjourneyTask } from "./midjourney-response.ts";
import { SUBMISSIONS } from "./midjourney-actions.ts";
import { readSubmission } from "./midjourney-submission.ts";
import { midjourney } from "./midjourney-wire.ts";
import type { SubmitTask } from "./task-submission.ts";
import { accountOfOrigin } from "./task-accounts.ts";
import type { TaskRecords } from "./task-records.ts";
import { decodeId, type TaskRequest } from "./task-request.ts";

type Deps = {
  readonly options: () => OptionsInForce;
  readonly table: () => RoutingTable;
  readonly client: UpstreamClient;
  readonly records: TaskRecords;
  readonly submit: SubmitTask;
  readonly images: ImageProxy;
  /** Refuses addresses that must not be requested on behalf of callers. */
  readonly checkAddress: (url: string) => Promise<void>;
  readonly hash: (key: string) => string;
  readonly woken: () => void;
  readonly now: () => number;
};

const TASK_PATH = /^task\/([^/]+)\/(fetch|image-seed)$/;
const IMAGE_PATH = /^image\/([^/]+)$/;
const SEED_TIMEOUT_MS = 30_000;
const SEED_BYTES_MAX = 1024 * 1024;

const ownId = ({ caller }: Admitted): number => caller.known.token.userId;
const notFound = (): RelayError =>
  new RelayError("invalid_request", "task_no_found: there is no such task", { param: "id" });

/**
 * Serves the Midjourney API under `/mj/`. `path` is the part after it; `prefix` is the mode before it, as sent
 * upstream.
 */
export function createServeMidjourney(deps: Deps) {
  const { records, options } = deps;
  const own = async (admitted: Admitted, id: string): Promise<Task> => {
    const [task] = await records.find(ownId(admitted), midjourney.name, [id]);
    if (!task) throw notFound();
    return task;
  };
  const write = (task: Task) => writeMidjourneyTask(task, options(), deps.now());

  const submit = async (asked: TaskRequest, path: string, prefix: string): Promise<void> => {
    const kind = SUBMISSIONS[path];
    if (!kind) throw new RelayError("not_found", `Invalid URL (POST /mj/${path})`);
    const admitted = await asked.admit();
    const submission = readSubmission(readObject(await asked.readBody()), kind, options());
    if (submission.notifyHook !== undefined) await deps.checkAddress(submission.notifyHook);
    const { originId } = submission;
    const origin = originId === undefined ? undefined : await own(admitted, originId);
    if (origin && submission.needsSuccess && origin.state?.status !== "SUCCESS")
      throw new RelayError("invalid_request", "task_status_not_success: the original task has not succeeded");
    const body = await deps.submit({
      requestId: asked.exchange.requestId,
      startedAtMs: deps.now(),
      address: asked.address,
      admitted,
      group: getGroup(admitted),
      stream: false,
      platform: midjourney,
      path: `${prefix}/mj/${path}`,
      ...submission,
      prompt: submission.prompt === "" ? (origin?.prompt ?? "") : submission.prompt,
      origin,
      tried: [],
    });
    sendJson(asked.exchange, 200, body);
  };
  const seed = async (asked: TaskRequest, id: string): Promise<void> => {
    const task = await own(await asked.admit(), id);
    const { channel, key } = accountOfOrigin(task, deps.table(), deps.hash);
    const request = {
      method: "GET" as const,
      url: `${channel.baseUrl}/mj/task/${encodeURIComponent(id)}/image-seed`,
      headers: { accept: "application/json", ...midjourney.headers(key) },
      body: undefined,
      firstByteMs: SEED_TIMEOUT_MS,
      idleMs: SEED_TIMEOUT_MS,
      ...through(channel.proxy),
    };
    const onCancel = (cancel: (reason: Error) => void): void =>
      asked.exchange.onDisconnect(() => cancel(new Error("the client disconnected")));
    const answer = await receiveResponse(deps.client, request, { bytesMax: SEED_BYTES_MAX, onCancel }).catch(
      (cause: unknown) => {
        throw createNoResponseError(cause);
      },
    );
    sendJson(asked.exchange, answer.status, answer.body);
  };
  const list = async (asked: TaskRequest): Promise<void> => {
    const admitted = await asked.admit();
    const ids = readIds(readObject(await asked.readBody()));
    const found = new Map(
      (await records.find(ownId(admitted), midjourney.name, ids)).map((task) => [task.upstreamId, task]),
    );
    const tasks = ids.flatMap((id) => found.get(id) ?? []);
    sendJson(asked.exchange, 200, JSON.stringify(tasks.map(write)));
  };
  /** Upstream's notification that a task changed. Its content is not trusted: upstream is polled instead. */
  const notify = async (asked: TaskRequest): Promise<void> => {
    const admitted = await asked.admit();
    const id = textField(readObject(await asked.readBody()), "id");
    if (id === "") throw new RelayError("invalid_request", "id: id is required", { param: "id" });
    const isOperator = admitted.caller.principal.role >= ROLE.admin;
    const [task] = await records.find(isOperator ? 0 : ownId(admitted), midjourney.name, [id]);
    if (!task) throw notFound();
    await records.wake(midjourney.name, id);
    deps.woken();
    sendJson(asked.exchange, 200, '{"code":1,"description":"ok","properties":{},"result":""}');
  };
  const get = async (asked: TaskRequest, path: string): Promise<void> => {
    const image = IMAGE_PATH.exec(path)?.[1];
    if (image !== undefined) return deps.images(asked.exchange, decodeId(image));
    const [, id, what] = TASK_PATH.exec(path) ?? [];
    if (id === undefined) throw new RelayError("not_found", `Invalid URL (GET /mj/${path})`);
    if (what === "image-seed") return seed(asked, decodeId(id));
    const task = await own(await asked.admit(), decodeId(id));
    sendJson(asked.exchange, 200, JSON.stringify(write(task)));
  };
  return (asked: TaskRequest, path: string, prefix: string): Promise<void> => {
    if (asked.request.method === "GET") return get(asked, path);
    if (asked.request.method !== "POST")
      throw new RelayError("method_not_allowed", `${asked.request.method ?? ""} is not allowed here`);
    if (path === "task/list-by-condition") return list(asked);
    return path === "notify" ? notify(asked) : submit(asked, path, prefix);
  };
}
