import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { Agent } from "undici";
import { RelayError } from "../core/errors/relay-error.ts";
import type { AccountClient } from "../accounting/holds/account-client.ts";
import type { PlaceHold } from "../accounting/holds/hold-placement.ts";
import type { UsagePublisher } from "../accounting/usage/usage-publisher.ts";
import type { FailureLog } from "../pipeline/settle/failure-log.ts";
import type { Activity } from "../routing/activity.ts";
import type { Chooser } from "../routing/channel-chooser.ts";
import type { ChannelBreakers } from "../routing/channel-breakers.ts";
import type { ReportChannelFailure } from "../routing/failure-reporter.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import type { UpstreamClient } from "../upstream/upstream-client.ts";
import { createImageProxy } from "./http/image-proxy.ts";
import { midjourney } from "./wire/midjourney-wire.ts";
import { createServeMidjourney } from "./http/midjourney-handler.ts";
import { createServeSuno } from "./http/suno-handler.ts";
import { createSubmitTask } from "./submission/task-submission.ts";
import { suno } from "./wire/suno-wire.ts";
import { createTaskMeters } from "./accounting/task-meter.ts";
import { createTaskObserver } from "./submission/task-observer.ts";
import { createTaskPoller } from "./polling/task-poller.ts";
import { createTaskRecords, type TaskClient } from "./accounting/task-records.ts";
import type { TaskRequest } from "./http/task-request.ts";

type Deps = {
  readonly taskClient: TaskClient;
  readonly secretBox: SecretBox;
  readonly hash: (key: string) => string;
  readonly table: () => RoutingTable;
  readonly options: () => OptionsInForce;
  readonly client: UpstreamClient;
  readonly health: ChannelBreakers;
  readonly chooser: Chooser;
  readonly activity: Activity;
  readonly accounts: AccountClient;
  readonly placeHold: PlaceHold;
  readonly publisher: UsagePublisher;
  readonly config: {
    readonly PRIVATE_ADDRESS_ALLOWLIST: readonly string[];
    readonly TASK_POLL_SECONDS: number;
    readonly CONNECT_TIMEOUT_SECONDS: number;
  };
  readonly failures: FailureLog;
  readonly reportChannel: ReportChannelFailure;
  readonly now: () => number;
  readonly log: Logger;
};

const IMAGE_BYTES_MAX = 128 * 1024 * 1024;

/** The mode before `/mj` as sent upstream: `mj-fast` and similar modes are only for this gateway. */
const toUpstreamPrefix = (mode: string | undefined): string =>
  mode === undefined || mode.startsWith("mj-") ? "" : `/${mode}`;

/** Refuses callers' notification addresses that are private. */
function createHookCheck(guard: ReturnType<typeof createPrivateAddressGuard>) {
  return async function checkHook(url: string): Promise<void> {
    await guard.check(url).catch((cause: unknown) => {
      const message = "notifyHook: this address is not allowed";
      throw new RelayError("invalid_request", message, { param: "notifyHook", cause });
    });
  };
}

/** The handlers of the task APIs. */
export type TaskHandlers = {
  readonly midjourney: (
    request: TaskRequest,
    route: { readonly mode: string | undefined; readonly action: string },
  ) => Promise<void>;
  readonly suno: (request: TaskRequest, action: string) => Promise<void>;
};

/** Image and music tasks: their APIs, and the polling of open tasks. */
export function createTasks(deps: Deps) {
  const { taskClient, secretBox, client, options, table, hash, config, log, now } = deps;
  const records = createTaskRecords({ tasks: taskClient, log });
  const poller = createTaskPoller({
    tasks: taskClient,
    client,
    platforms: [midjourney, suno],
    open: secretBox.open,
    everyMs: config.TASK_POLL_SECONDS * 1000,
    log,
  });
  const isPolling = config.TASK_POLL_SECONDS > 0;
  const opened = (): void => (isPolling ? poller.wake() : undefined);
  const submit = createSubmitTask({
    table,
    options,
    chooser: deps.chooser,
    client,
    openMeter: createTaskMeters(deps),
    observer: createTaskObserver(deps),
    records,
    failures: deps.failures,
    hash,
    seal: secretBox.seal,
    opened,
    now,
  });
  const guard = createPrivateAddressGuard({
    allowlist: config.PRIVATE_ADDRESS_ALLOWLIST,
    responseBytesMax: IMAGE_BYTES_MAX,
  });
  const direct = new Agent({ connect: { timeout: config.CONNECT_TIMEOUT_SECONDS * 1000 } });
  const images = createImageProxy({ records, guard, direct });
  const serveMidjourney = createServeMidjourney({
    options,
    table,
    client,
    records,
    submit,
    images,
    checkAddress: createHookCheck(guard),
    hash,
    woken: opened,
    now,
  });
  const serveSuno = createServeSuno({ records, submit, now });
  return {
    handlers: {
      midjourney: (request, { mode, action }) => serveMidjourney(request, action, toUpstreamPrefix(mode)),
      suno: serveSuno,
    } satisfies TaskHandlers as TaskHandlers,
    start: (): void => (isPolling ? poller.start() : undefined),
    async stop(): Promise<void> {
      records.stop();
      await poller.stop();
      await Promise.all([guard.close(), direct.destroy()]);
    },
  };
}
