import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { GetRoutingSnapshotResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { optionsChanged, userChanged } from "@turnpike/shared/events/auth";
import { accountChanged, tokenChanged } from "@turnpike/shared/events/billing";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import { createAdmission } from "./admission/admission.ts";
import { createReadmission } from "./admission/readmission.ts";
import { type CallerDirectory, createCallerDirectory } from "./admission/caller-directory.ts";
import type { ResolvedOidcToken } from "./admission/caller-lookups.ts";
import type { Principal } from "./core/call/caller.ts";
import type { RelayConfig } from "./config.ts";
import type { HighBalanceCache } from "./accounting/holds/high-balance-cache.ts";
import { createHeartbeat } from "./accounting/holds/heartbeat.ts";
import type { UsageStream } from "./accounting/usage/usage-stream.ts";
import { observeRelay } from "./core/telemetry/relay-metrics.ts";
import type { FindLogRow } from "./http/routes/key-routes.ts";
import type { GetTokenBalance } from "./http/routes/billing-routes.ts";
import { toProxyTrust } from "@turnpike/shared/http/client-address";
import { createClientAddress } from "./http/server/client-address.ts";
import { createEntryPoints } from "./http/entry-points.ts";
import { createTasks } from "./tasks/tasks.ts";
import type { TaskClient } from "./tasks/accounting/task-records.ts";
import { createAccounting } from "./relay-accounting.ts";
import { createCalls } from "./relay-calls.ts";
import type { StateCodec } from "./pipeline/provider-state/state-codec.ts";
import { createRouting } from "./relay-routing.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly relayId: string;
  readonly redis: Redis;
  readonly bus: Bus;
  readonly options: Snapshot<OptionsInForce>;
  readonly now: () => number;
  readonly log: Logger;
  readonly spoolRoot: string;
  readonly usageStream: UsageStream;
  readonly fetchRouting: () => Promise<GetRoutingSnapshotResponse>;
  readonly resolveToken: (key: string) => Promise<Token>;
  readonly getToken: (userId: number, tokenId: number) => Promise<Token>;
  readonly resolveOidcToken: (oidcToken: string) => Promise<ResolvedOidcToken>;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly taskClient: TaskClient;
  readonly secretBox: SecretBox;
  readonly stateCodec: StateCodec;
  /** The HMAC by which other services identify a key. */
  readonly hash: (key: string) => string;
  readonly verifyClientAddress: (address: string, proof: string) => boolean;
  readonly verifyPlayground: (header: string, nowSeconds: number) => number | undefined;
  readonly getTokenBalance: GetTokenBalance;
  readonly findLogRow: FindLogRow;
};

/** Drops cached data of a token, user or balance when the service that owns it reports a change. */
function forgetWhatChanges(bus: Bus, directory: CallerDirectory, highBalances: HighBalanceCache): void {
  bus.listen(accountChanged, ({ userId }) => highBalances.forget(userId));
  bus.listen(tokenChanged, ({ tokenId, userId }) => {
    highBalances.forget(userId);
    directory.forgetToken(tokenId);
    directory.forgetUnknown();
  });
  bus.listen(optionsChanged, ({ keys }) => {
    if (keys.includes("OidcTokenIssuers")) directory.forgetOidcTokens();
  });
  bus.listen(userChanged, ({ userId }) => directory.forgetUser(userId));
}

const hasOidcIssuers = (options: OptionsInForce): boolean =>
  options.json<readonly unknown[]>("OidcTokenIssuers").length > 0;

const toEntryLimits = (config: RelayConfig) => ({
  bodyBytesMax: config.BODY_LIMIT_MB * 1024 * 1024,
  connectTimeoutMs: config.CONNECT_TIMEOUT_SECONDS * 1000,
  realtimeIdleMs: config.REALTIME_IDLE_SECONDS * 1000,
});

/** Wires the relay's components: what the HTTP server needs, and how to start and stop it. */
export function createRelay(deps: Deps) {
  const { config, now, bus } = deps;
  const options = deps.options.current;
  const routing = createRouting(deps);
  const { snapshot, state, reports, reportChannel } = routing;
  const table = snapshot.current;
  const directory = createCallerDirectory({ ...deps, hasOidcIssuers: () => hasOidcIssuers(options()) });
  const accounting = createAccounting(deps);
  const { accounts, publisher, placeHold, openMeter } = accounting;
  forgetWhatChanges(bus, directory, accounting.highBalances);
  const readmit = createReadmission({ ...deps, now: accounting.getTimeMs });
  const calls = createCalls({ ...deps, routing, accounting, readmit });
  const shared = { ...deps, ...state, options, table, now, getTimeMs: accounting.getTimeMs };
  const tasks = createTasks({ ...shared, ...calls, accounts, publisher, placeHold, reportChannel });
  const heartbeat = createHeartbeat(accounts);
  observeRelay({
    spooledBytes: publisher.spooledBytes,
    spoolLimitBytes: config.SPOOL_LIMIT_MB * 1024 * 1024,
    breakers: state.health.breakers,
    routedChannels: () => table().channelCount,
  });
  const entryPoints = createEntryPoints({
    ...shared,
    ...calls,
    openMeter,
    tasks: tasks.handlers,
    admit: createAdmission({ directory, now: accounting.getTimeMs }),
    clientAddress: createClientAddress({
      trust: () => toProxyTrust(options(), config.TRUSTED_PROXIES),
      verifyProof: deps.verifyClientAddress,
    }),
    ...toEntryLimits(config),
  });
  return {
    client: calls.client,
    accessTokens: calls.accessTokens,
    ...entryPoints,
    isRoutingLoaded: snapshot.isLoaded,
    hasRoom: publisher.hasRoom,
    /** Ends the calls that run still, and those that begin later; background responses go on elsewhere. */
    stopCalls: calls.stop,
    async start(): Promise<void> {
      // Teaches the time of Redis, by which tokens expire. Without Redis the heartbeat retries it.
      await accounts.heartbeat().catch(() => undefined);
      for (const loop of [heartbeat, ...accounting.loops, reports]) loop.start();
      await snapshot.start();
      tasks.start();
      calls.takeover.loop.start();
    },
    stopTakeover: calls.takeover.loop.stop,
    async stop(): Promise<void> {
      await tasks.stop();
      snapshot.stop();
      deps.options.stop();
      await accounting.flush();
      await Promise.all([heartbeat, ...accounting.loops].map((loop) => loop.stop()));
      reports.stop();
      await accounts.retire().catch(() => undefined);
      await calls.client.close();
    },
  };
}
