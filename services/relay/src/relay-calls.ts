import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Readmit } from "./admission/readmission.ts";
import { createTokenizer } from "./accounting/tokens/tokenizer.ts";
import type { RelayConfig } from "./config.ts";
import { RunningAttempts } from "./pipeline/attempt/running-attempts.ts";
import { createCallPipeline } from "./pipeline/call-pipeline.ts";
import { createAccessTokens } from "./pipeline/prepare/access-tokens.ts";
import { createInlineImages } from "./pipeline/prepare/inline-images.ts";
import { IDEMPOTENCY_TIMES } from "./pipeline/idempotency/idempotency-times.ts";
import { IdempotentCalls } from "./pipeline/idempotency/idempotent-calls.ts";
import { type Bounds, createStoredCallResponses } from "./pipeline/idempotency/stored-call-responses.ts";
import type { StateCodec } from "./pipeline/provider-state/state-codec.ts";
import type { PhaseTimeouts } from "./pipeline/prepare/prepared-request.ts";
import { createOwnerLiveness, type OwnerLiveness } from "./pipeline/idempotency/owner-liveness.ts";
import type { BackgroundResponses } from "./pipeline/stored-responses/background-responses.ts";
import { BackgroundTakeover } from "./pipeline/stored-responses/background-takeover.ts";
import { ResponseOwners } from "./pipeline/stored-responses/response-owners.ts";
import { StoredResponses } from "./pipeline/stored-responses/stored-responses.ts";
import { createAttemptOutcomes } from "./pipeline/settle/attempt-outcome.ts";
import { createFailureLog } from "./pipeline/settle/failure-log.ts";
import type { Accounting } from "./relay-accounting.ts";
import type { Routing } from "./relay-routing.ts";
import { createStoredFiles, STORED_FILE_TIMEOUT_MS } from "./upstream/downloads/stored-files.ts";
import { createUpstreamClient } from "./upstream/upstream-client.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly relayId: string;
  readonly redis: Redis;
  readonly secretBox: SecretBox;
  readonly log: Logger;
  readonly options: { readonly current: () => OptionsInForce };
  readonly routing: Routing;
  readonly accounting: Accounting;
  readonly stateCodec: StateCodec;
  readonly readmit: Readmit;
  readonly now: () => number;
};

type TakeoverDeps = Pick<Deps, "readmit" | "log" | "accounting"> & {
  readonly background: BackgroundResponses;
  readonly responses: StoredResponses;
  readonly responseOwners: ResponseOwners;
  readonly owners: OwnerLiveness;
};

/** Images that callers give by URL are fetched from public addresses only. */
const createImages = ({ MAX_FILE_DOWNLOAD_MB, PRIVATE_ADDRESS_ALLOWLIST: allowlist }: RelayConfig) =>
  createInlineImages(createPrivateAddressGuard({ allowlist, responseBytesMax: MAX_FILE_DOWNLOAD_MB * 1024 * 1024 }));

/** Files that upstreams store at a URL are fetched from public addresses only, too. */
function createFiles({ MAX_FILE_DOWNLOAD_MB, PRIVATE_ADDRESS_ALLOWLIST: allowlist }: RelayConfig) {
  const bytesMax = MAX_FILE_DOWNLOAD_MB * 1024 * 1024;
  const callTimeoutMs = STORED_FILE_TIMEOUT_MS;
  const guard = createPrivateAddressGuard({ allowlist, responseBytesMax: bytesMax, callTimeoutMs });
  return createStoredFiles({ guard, bytesMax });
}

const toPhaseTimeouts = (config: RelayConfig): PhaseTimeouts => ({
  firstByteMs: (config.FIRST_BYTE_TIMEOUT ?? config.STREAMING_TIMEOUT) * 1000,
  idleMs: config.STREAMING_TIMEOUT * 1000,
  nonStreamingMs: config.RESPONSE_TIMEOUT_SECONDS * 1000,
});

const MEGABYTE = 1024 * 1024;
const IDEMPOTENT_RESPONSE_BYTES_MAX = 4 * MEGABYTE;

/** How many bytes of responses to calls with an idempotency key are stored. */
const toBounds = (config: RelayConfig): Bounds => ({
  response: IDEMPOTENT_RESPONSE_BYTES_MAX,
  user: config.IDEMPOTENCY_USER_MB * MEGABYTE,
  all: config.IDEMPOTENCY_MB * MEGABYTE,
});

/** Takes over background responses of relays that do not run any more. */
const createTakeover = ({ accounting, responseOwners, owners, ...deps }: TakeoverDeps): BackgroundTakeover =>
  new BackgroundTakeover({
    ...deps,
    owners: responseOwners,
    liveness: owners,
    reportReleased: accounting.reportReleased,
    monotonicMs: () => performance.now(),
  });

/** Wires the pipeline of calls and the upstream client. */
export function createCalls({ config, redis, routing, accounting, stateCodec, now, ...deps }: Deps) {
  const options = deps.options.current;
  const client = createUpstreamClient({ connectMs: config.CONNECT_TIMEOUT_SECONDS * 1000 });
  const accessTokens = createAccessTokens({ client, options, now });
  const tokenizer = createTokenizer();
  const running = new RunningAttempts();
  const { reportChannel, snapshot, state } = routing;
  const observer = createAttemptOutcomes({ options, ...state, reportChannel });
  const failures = createFailureLog({ options, publisher: accounting.publisher, now });
  const { relayId, secretBox, log } = deps;
  const stored = { redis, relayId, secretBox, now: accounting.getTimeMs };
  const responses = new StoredResponses({ ...stored, options });
  const responseOwners = new ResponseOwners(stored);
  const owners = createOwnerLiveness(redis);
  const idempotentCalls = new IdempotentCalls({
    responses: createStoredCallResponses({ ...stored, bounds: toBounds(config) }),
    owners,
    relayId,
    times: IDEMPOTENCY_TIMES,
    log,
  });
  const { handleCall, background } = createCallPipeline({
    storedResponses: responses,
    responseOwners,
    idempotentCalls,
    redis,
    stateCodec,
    table: snapshot.current,
    options,
    chooser: state.chooser,
    health: state.health,
    client,
    accessTokens,
    openMeter: accounting.openMeter,
    getChargeLimit: accounting.getChargeLimit,
    hiddenReasoning: accounting.hiddenReasoning,
    tokenizer,
    running,
    observer,
    failures,
    images: createImages(config),
    files: createFiles(config),
    timeouts: toPhaseTimeouts(config),
    now,
  });
  const takeover = createTakeover({ ...deps, accounting, background, responses, responseOwners, owners });
  const served = { handleCall, responses, responseOwners, idempotentCalls, owners };
  const stop = (): void => {
    // Before their attempts end with an error.
    background.handOver();
    running.stop();
  };
  return { ...served, stop, takeover, client, accessTokens, tokenizer, observer, failures };
}
