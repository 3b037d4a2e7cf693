import { ROLE } from "@turnpike/contract/codes";
import type { Task } from "@turnpike/proto/billing/v1/task_service";
import { sendJson } from "../../core/call/exchange.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { ImageProxy } from "./image-proxy.ts";
import { readIds, readObject, textField } from "../wire/json-fields.ts";
import { getSiteAddress, writeMidjourneyTask } from "./midjourney-response.ts";
import { type SeedDeps, sendImageSeed } from "./midjourney-seed.ts";
import { serveSubmission, type SubmissionDeps } from "./midjourney-submission.ts";
import { findOwnTask, getOwner, taskNotFound } from "./midjourney-tasks.ts";
import { midjourney } from "../wire/midjourney-wire.ts";
import { decodeId, type TaskRequest } from "./task-request.ts";

type Deps = SubmissionDeps &
  SeedDeps & {
    readonly images: ImageProxy;
    /** Polls open tasks soon. */
    readonly woken: () => void;
  };

const TASK_PATH = /^task\/([^/]+)\/(fetch|image-seed)$/;
const IMAGE_PATH = /^image\/([^/]+)$/;

/**
 * Serves the Midjourney API under `/mj/`. `path` is the part after it; `prefix` is the mode before it, as sent
 * upstream.
 */
export function createServeMidjourney(deps: Deps) {
  const { records, options } = deps;
  const write = ({ request }: TaskRequest, task: Task) => {
    const inForce = options();
    return writeMidjourneyTask(task, {
      options: inForce,
      site: getSiteAddress(request, inForce),
      nowMs: deps.now(),
    });
  };

  const list = async (requested: TaskRequest): Promise<void> => {
    const admitted = await requested.admit();
    const ids = readIds(readObject(await requested.readBody()));
    const found = new Map(
      (await records.find(getOwner(admitted), midjourney.name, ids)).map((task) => [task.upstreamId, task]),
    );
    const tasks = ids.flatMap((id) => found.get(id) ?? []);
    sendJson(requested.exchange, 200, JSON.stringify(tasks.map((task) => write(requested, task))));
  };
  /** Upstream's notification that a task changed. Its content is not trusted: upstream is polled instead. */
  const notify = async (requested: TaskRequest): Promise<void> => {
    const admitted = await requested.admit();
    const id = textField(readObject(await requested.readBody()), "id");
    if (id === "") throw new RelayError("invalid_request", "id: id is required", { param: "id" });
    const isOperator = admitted.caller.principal.role >= ROLE.admin;
    const [task] = await records.find(isOperator ? 0 : getOwner(admitted), midjourney.name, [id]);
    if (!task) throw taskNotFound();
    await records.wake(midjourney.name, id);
    deps.woken();
    sendJson(requested.exchange, 200, '{"code":1,"description":"ok","properties":{},"result":""}');
  };
  const get = async (requested: TaskRequest, path: string): Promise<void> => {
    const image = IMAGE_PATH.exec(path)?.[1];
    if (image !== undefined) return deps.images(requested.exchange, decodeId(image));
    const [, id, what] = TASK_PATH.exec(path) ?? [];
    if (id === undefined) throw new RelayError("not_found", `Invalid URL (GET /mj/${path})`);
    const task = await findOwnTask(records, await requested.admit(), decodeId(id));
    if (what === "image-seed") return sendImageSeed(deps, requested.exchange, task);
    sendJson(requested.exchange, 200, JSON.stringify(write(requested, task)));
  };
  return (requested: TaskRequest, path: string, prefix: string): Promise<void> => {
    if (requested.request.method === "GET") return get(requested, path);
    if (requested.request.method !== "POST")
      throw new RelayError("method_not_allowed", `${requested.request.method ?? ""} is not allowed here`);
    if (path === "task/list-by-condition") return list(requested);
    return path === "notify" ? notify(requested) : serveSubmission(deps, requested, { path, prefix });
  };
}
