import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { GetRoutingSnapshotResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { userChanged } from "@turnpike/shared/events/auth";
import { accountChanged, tokenChanged } from "@turnpike/shared/events/billing";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import { channelChanged } from "@turnpike/shared/events/channel";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { type Redis } from "@turnpike/shared/redis/redis";
import { createSnapshot, type Snapshot } from "@turnpike/shared/snapshot/snapshot";
import { createAdmission } from "./admission/admission.ts";
import { type CallerDirectory, createCallerDirectory } from "./admission/caller-directory.ts";
import type { Principal } from "./core/call/caller.ts";
import { createAccounting } from "./relay-accounting.ts";
import { createAttemptOutcomes } from "./pipeline/settle/attempt-outcome.ts";
import type { PhaseTimeouts } from "./pipeline/prepare/request-preparation.ts";
import { createCallPipeline } from "./pipeline/call-pipeline.ts";
import type { RelayConfig } from "./config.ts";
import { type HighBalanceCache } from "./accounting/holds/high-balance-cache.ts";
import { createHeartbeat } from "./accounting/holds/heartbeat.ts";
import { createTokenizer } from "./accounting/tokens/tokenizer.ts";
import { observeRelay } from "./core/telemetry/relay-metrics.ts";
import { createChannelFailureReporter } from "./routing/channel-report.ts";
import { createChannelReports } from "./routing/channel-reports.ts";
import { createInlineImages } from "./pipeline/prepare/inline-images.ts";
import { createStoredFiles, STORED_FILE_TIMEOUT_MS } from "./upstream/downloads/stored-files.ts";
import { createRoutingState } from "./routing/routing-state.ts";
import { createRoutingTable } from "./routing/routing-table.ts";
import type { GetTokenBalance } from "./http/routes/billing-routes.ts";
import { createClientAddress } from "./http/server/client-address.ts";
import { createEntryPoints } from "./http/entry-points.ts";
import { createTasks } from "./http/tasks/tasks.ts";
import type { TaskClient } from "./http/tasks/task-records.ts";
import { createAccessTokens } from "./pipeline/prepare/access-tokens.ts";
import { createUpstreamClient } from "./upstream/upstream-client.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly relayId: string;
  readonly redis: Redis;
  readonly bus: Bus;
  readonly options: Snapshot<OptionsInForce>;
  readonly now: () => number;
  readonly log: Logger;
  readonly spoolRoot: string;
  readonly publishUsage: (payload: string, id: string) => Promise<void>;
  readonly fetchRouting: () => Promise<GetRoutingSnapshotResponse>;
  readonly resolveToken: (key: string) => Promise<Token>;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly taskClient: TaskClient;
  readonly secretBox: SecretBox;
  /** The HMAC by which other services identify a key. */
  readonly hash: (key: string) => string;
  readonly verifyClientAddress: (address: string, proof: string) => boolean;
  readonly verifyPlayground: (header: string) => number | undefined;
  readonly getTokenBalance: GetTokenBalance;
};

/** Drops cached data of a channel, token, user or balance when the service that owns it reports a change. */
function forgetWhatChanges(
  bus: Deps["bus"],
  parts: { routing: { refresh: () => void }; directory: CallerDirectory; highBalances: HighBalanceCache },
): void {
  const { routing, directory, highBalances } = parts;
  bus.listen(channelChanged, () => routing.refresh());
  bus.listen(accountChanged, ({ userId }) => highBalances.forget(userId));
  bus.listen(tokenChanged, ({ tokenId, userId }) => {
    highBalances.forget(userId);
    directory.forgetToken(tokenId);
    directory.forgetUnknown();
  });
  bus.listen(userChanged, ({ userId }) => directory.forgetUser(userId));
}

/** Images that callers give by URL are fetched from public addresses only. */
const createImages = ({ MAX_FILE_DOWNLOAD_MB, PRIVATE_ADDRESS_ALLOWLIST: allowlist }: RelayConfig) =>
  createInlineImages(createPrivateAddressGuard({ allowlist, answerBytesMax: MAX_FILE_DOWNLOAD_MB * 1024 * 1024 }));

/** Files that upstreams store at a URL are fetched from public addresses only, too. */
function createFiles({ MAX_FILE_DOWNLOAD_MB, PRIVATE_ADDRESS_ALLOWLIST: allowlist }: RelayConfig) {
  const bytesMax = MAX_FILE_DOWNLOAD_MB * 1024 * 1024;
  const bounds = { answerBytesMax: bytesMax, callTimeoutMs: STORED_FILE_TIMEOUT_MS };
  return createStoredFiles({ guard: createPrivateAddressGuard({ allowlist, ...bounds }), bytesMax });
}

const toPhaseTimeouts = (config: RelayConfig): PhaseTimeouts => ({
  firstByteMs: (config.FIRST_BYTE_TIMEOUT ?? config.STREAMING_TIMEOUT) * 1000,
  idleMs: config.STREAMING_TIMEOUT * 1000,
  nonStreamingMs: config.RESPONSE_TIMEOUT_SECONDS * 1000,
});

/** Wires the relay's components: what the HTTP server needs, and how to start and stop it. */
export function createRelay(deps: Deps) {
  const { config, log, now, bus } = deps;
  const routing = createSnapshot({
    name: "routing",
    initial: createRoutingTable([]),
    fetch: () => deps.fetchRouting().then(({ channels, idle }) => createRoutingTable(channels, idle)),
    log,
  });
  const directory = createCallerDirectory({
    resolveToken: deps.resolveToken,
    getPrincipal: deps.getPrincipal,
    now,
    log,
  });
  const accounting = createAccounting(deps);
  const { accounts, publisher, placeHold, openMeter } = accounting;
  forgetWhatChanges(bus, { routing, directory, highBalances: accounting.highBalances });

  const client = createUpstreamClient({ connectMs: config.CONNECT_TIMEOUT_SECONDS * 1000 });
  const accessTokens = createAccessTokens({ client, options: deps.options.current, now });
  const channels = createRoutingState({ hash: deps.hash, now });
  const { health, activity } = channels;
  const tokenizer = createTokenizer();
  const reportChannel = createChannelFailureReporter({ bus, hash: deps.hash });
  const observer = createAttemptOutcomes({
    options: deps.options.current,
    ...channels,
    publisher,
    reportChannel,
    now,
  });
  const handleCall = createCallPipeline({
    redis: deps.redis,
    table: routing.current,
    options: deps.options.current,
    chooser: channels.chooser,
    health,
    client,
    accessTokens,
    openMeter,
    tokenizer,
    observer,
    images: createImages(config),
    files: createFiles(config),
    timeouts: toPhaseTimeouts(config),
    now,
  });
  const table = routing.current;
  const options = deps.options.current;
  const money = { accounts, publisher, placeHold };
  const tasks = createTasks({ ...deps, ...channels, ...money, client, table, options, reportChannel });
  observeRelay({
    spooledBytes: publisher.spooledBytes,
    spoolLimitBytes: config.SPOOL_LIMIT_MB * 1024 * 1024,
    breakers: health.breakers,
    routedChannels: () => routing.current().channelCount,
  });

  const heartbeat = createHeartbeat(accounts);
  const reports = createChannelReports({ activity, bus, relayId: deps.relayId, now });
  const server = {
    admit: createAdmission({ directory, now }),
    clientAddress: createClientAddress({
      trustedProxies: config.TRUSTED_PROXIES,
      verifyProof: deps.verifyClientAddress,
    }),
    handleCall,
    table,
    tokenizer,
  };
  const { realtime, serveRoute } = createEntryPoints({
    ...deps,
    ...server,
    ...channels,
    tasks: tasks.handlers,
    options,
    observer,
    openMeter,
    bodyBytesMax: config.BODY_LIMIT_MB * 1024 * 1024,
    connectTimeoutMs: config.CONNECT_TIMEOUT_SECONDS * 1000,
    realtimeIdleMs: config.REALTIME_IDLE_SECONDS * 1000,
  });
  return {
    client,
    accessTokens,
    realtime,
    serveRoute,
    isRoutingLoaded: routing.isLoaded,
    hasRoom: publisher.hasRoom,
    async start(): Promise<void> {
      heartbeat.start();
      reports.start();
      await routing.start();
      tasks.start();
    },
    async stop(): Promise<void> {
      await tasks.stop();
      routing.stop();
      deps.options.stop();
      await accounting.flush();
      heartbeat.stop();
      reports.stop();
      await accounts.retire().catch(() => undefined);
      await client.close();
    },
  };
}
