import type { Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { parseJson } from "../../core/chat/json.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import type { OnCancel, OutgoingRequest, UpstreamResponse } from "../../upstream/upstream-call.ts";
import { getUpstreamAccount } from "../accounting/task-accounts.ts";
import type { TaskPlatform } from "../wire/task-platform.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly platforms: readonly TaskPlatform[];
  /** Decrypts a key. */
  readonly open: (box: string) => string;
};

const RESPONSE_BYTES_MAX = 32 * 1024 * 1024;

/** Requests the states of open tasks from the accounts that run them. */
export class TaskUpstreams {
  readonly #deps: Deps;
  readonly #platforms: ReadonlyMap<string, TaskPlatform>;
  /** Cancels the requests in flight. */
  readonly #cancels = new Set<() => void>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#platforms = new Map(deps.platforms.map((platform) => [platform.name, platform]));
  }

  /** The states of tasks of one account, by upstream's task id. Rejects if upstream does not respond with them. */
  async getStates(tasks: readonly Task[]): Promise<ReadonlyMap<string, TaskState>> {
    const [first] = tasks;
    const platform = this.#platforms.get(first?.platform ?? "");
    if (!first?.account || !platform) throw new Error(`no platform ${first?.platform ?? ""}`);
    const upstream = getUpstreamAccount(first.account, this.#deps.open);
    const ids = [...new Set(tasks.map(({ upstreamId }) => upstreamId))];
    const request = { ...platform.pollRequest(upstream, ids), ...through(upstream.proxy) };
    const { status, body } = await this.#receive(request);
    const states = status === 200 ? platform.readPoll(parseJson(body.toString("utf8"))) : undefined;
    if (!states) throw new Error(`upstream responded ${status} without its task list`);
    return states;
  }

  /** Cancels the requests in flight: the relay is stopping. */
  cancel(): void {
    for (const cancel of this.#cancels) cancel();
  }

  async #receive(request: OutgoingRequest): Promise<UpstreamResponse> {
    let cancelThis: (() => void) | undefined;
    const onCancel: OnCancel = (cancel) => {
      cancelThis = () => cancel(new Error("the relay is stopping"));
      this.#cancels.add(cancelThis);
    };
    try {
      return await receiveResponse(this.#deps.client, request, { bytesMax: RESPONSE_BYTES_MAX, onCancel });
    } finally {
      if (cancelThis) this.#cancels.delete(cancelThis);
    }
  }
}
