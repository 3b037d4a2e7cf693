import { CatalogueServiceClient, type CatalogueServiceServer } from "@turnpike/proto/billing/v1/catalogue_service";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import {
  AuthServiceClient,
  type AuthServiceServer,
  AuthServiceService,
  User,
} from "@turnpike/proto/auth/v1/auth_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
  SecretOptionServiceService,
} from "@turnpike/proto/auth/v1/secret_option_service";
import { AccountServiceClient, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { CreditServiceClient, type CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import { PaymentServiceClient, type PaymentServiceServer } from "@turnpike/proto/billing/v1/payment_service";
import { LedgerServiceClient, type LedgerServiceServer } from "@turnpike/proto/billing/v1/ledger_service";
import { LogServiceClient, type LogServiceServer } from "@turnpike/proto/billing/v1/log_service";
import { PriceBookServiceClient, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { PricingServiceClient, type PricingServiceServer } from "@turnpike/proto/billing/v1/pricing_service";
import {
  ProviderReportServiceClient,
  type ProviderReportServiceServer,
} from "@turnpike/proto/billing/v1/provider_report_service";
import {
  ChannelReportServiceClient,
  type ChannelReportServiceServer,
  ChannelReportServiceService,
  type FetchReportResponse,
} from "@turnpike/proto/channel/v1/channel_report_service";
import { RedemptionServiceClient, type RedemptionServiceServer } from "@turnpike/proto/billing/v1/redemption_service";
import { ReportServiceClient, type ReportServiceServer } from "@turnpike/proto/billing/v1/report_service";
import { TaskServiceClient, type TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { TokenServiceClient, type TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import { TokenUsageServiceClient, type TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { isPriceKey } from "@turnpike/contract/options/price-options";
import { createLookupHash } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { auditRecorded } from "@turnpike/shared/events/auth";
import { connectNats, createBus, encodeEvent, getSubject } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { createGrpcClient, type GrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createLogger } from "@turnpike/shared/log/log";
import { headers } from "@nats-io/transport-node";
import { createUsageSigner, USAGE_SIGNATURE_HEADER } from "@turnpike/shared/crypto/usage-signature";
import { getUsageHeaders } from "@turnpike/shared/events/usage-headers";
import { createStoreClock } from "@turnpike/shared/mongo/store-clock";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { createBilling } from "../../../services/billing/src/billing.ts";
import { createPendingAccounts } from "../../../services/billing/src/auth-client/pending-accounts.ts";
import { createSecretOptions } from "../../../services/billing/src/auth-client/secret-options.ts";
import { createInviterLookup, createUsernameLookup } from "../../../services/billing/src/auth-client/users.ts";
import { migrate } from "../../../services/billing/src/migrate.ts";
import { getMongoAppName } from "../../../services/billing/src/recovery/orphan-transactions.ts";
import { createFormerPrices } from "../../../services/billing/src/prices/price-takeover.ts";
import { addRpcs } from "../../../services/billing/src/rpcs.ts";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { getUsageStream } from "../../../services/billing/src/usage-stream/usage-stream.ts";
import type { BackingUrls } from "../../lib/backing/backing-urls.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

export const INTERNAL_SECRET = "a secret of the tests";
export const MASTER_KEY = "a master key of the tests";
export const log = createLogger("billing-test", process.env["TEST_LOG_LEVEL"] ?? "silent");
const signer = createUsageSigner(INTERNAL_SECRET);
export const hashKey = createLookupHash(MASTER_KEY);

const never = (): Promise<never> => Promise.reject(new AppError("internal", "not part of these tests"));

/** Fake auth for billing: a real server that returns options and names. */
async function startAuth() {
  const options: { key: string; value: string }[] = [];
  const inviters = new Map<number, number>();
  /** Opens the accounts that billing requests; none is owed for other users. */
  const owed = new Map<number, () => Promise<unknown>>();
  const known: Partial<Handlers<AuthServiceServer>> = {
    getOptionsSnapshot: async () => ({ revision: options.length, options }),
    listFormerPriceOptions: async () => ({ options: options.filter(({ key }) => isPriceKey(key)) }),
    getUser: async ({ id }) => {
      return { user: User.fromPartial({ id, username: `user${id}`, inviterId: inviters.get(id) ?? 0 }) };
    },
    openAccount: async ({ userId }) => {
      await owed.get(userId)?.();
      return {};
    },
  };
  const handlers = new Proxy(known, { get: (target, name: keyof typeof known) => target[name] ?? never });
  const all = Object.fromEntries(
    Object.keys(AuthServiceService).map((name) => [name, handlers[name as keyof typeof known]]),
  ) as Handlers<AuthServiceServer>;
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(AuthServiceService, all);
  const secrets = new Map<string, string>();
  const secretHandlers: Handlers<SecretOptionServiceServer> = {
    getSecretOptions: async ({ keys }) => ({
      values: Object.fromEntries(keys.map((key) => [key, secrets.get(key) ?? ""])),
    }),
  };
  server.add(SecretOptionServiceService, secretHandlers);
  const listening = await server.listen("127.0.0.1", 0);
  return { address: `127.0.0.1:${listening.port}`, options, inviters, owed, secrets, stop: listening.stop };
}

/** Fake channel service for billing: a real server that returns the reports of accounts. */
async function startChannelReports() {
  const channel = {
    /** The channels of each account, the oldest first, and its report of each day; an account without one fails. */
    accounts: new Map<number, { channelIds: number[]; reports: Map<number, Partial<FetchReportResponse>> }>(),
    fetched: [] as { id: number; daySeconds: number }[],
  };
  const handlers: Handlers<ChannelReportServiceServer> = {
    setReportKey: never,
    getReportAccount: never,
    listReportChannels: async () => ({ ids: [...channel.accounts.keys()] }),
    async fetchReport({ id, daySeconds }) {
      channel.fetched.push({ id, daySeconds });
      const account = channel.accounts.get(id);
      const report = account?.reports.get(daySeconds);
      if (!account || !report) throw new AppError("report_failed", "HTTP 503", { params: { detail: "HTTP 503" } });
      return { lines: [], kinds: [], hasTiers: false, channelIds: account.channelIds, ...report };
    },
  };
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(ChannelReportServiceService, handlers);
  const listening = await server.listen("127.0.0.1", 0);
  return Object.assign(channel, { address: `127.0.0.1:${listening.port}`, stop: listening.stop });
}

type ReplicaSettings = {
  readonly authAddress: string;
  readonly channelAddress: string;
  readonly stripeApiUrl: string;
  /** Private addresses that catalogues may be fetched from. */
  readonly allowlist: readonly string[];
};

/** Clients of billing at an address. */
export function createClients(address: string) {
  const to = { address, internalSecret: INTERNAL_SECRET };
  return {
    accounts: createGrpcClient<AccountServiceServer>(AccountServiceClient, to),
    credits: createGrpcClient<CreditServiceServer>(CreditServiceClient, to),
    ledger: createGrpcClient<LedgerServiceServer>(LedgerServiceClient, to),
    payments: createGrpcClient<PaymentServiceServer>(PaymentServiceClient, to),
    tokens: createGrpcClient<TokenServiceServer>(TokenServiceClient, to),
    tokenUsage: createGrpcClient<TokenUsageServiceServer>(TokenUsageServiceClient, to),
    redemptions: createGrpcClient<RedemptionServiceServer>(RedemptionServiceClient, to),
    logs: createGrpcClient<LogServiceServer>(LogServiceClient, to),
    reports: createGrpcClient<ReportServiceServer>(ReportServiceClient, to),
    tasks: createGrpcClient<TaskServiceServer>(TaskServiceClient, to),
    catalogues: createGrpcClient<CatalogueServiceServer>(CatalogueServiceClient, to),
    priceBook: createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, to),
    prices: createGrpcClient<PricingServiceServer>(PricingServiceClient, to),
    providerReports: createGrpcClient<ProviderReportServiceServer>(ProviderReportServiceClient, to),
  };
}
export type BillingClients = ReturnType<typeof createClients>;

async function startReplica(
  backing: BackingUrls,
  { authAddress, channelAddress, stripeApiUrl, allowlist }: ReplicaSettings,
) {
  const { namespace } = backing;
  const connection = await connectMongo(backing.mongodbUrl, { appName: getMongoAppName(backing.mongodbUrl) });
  const redis = connectRedis({ url: backing.redisUrl, namespace, log, commandTimeoutMs: 2_000 });
  await waitForRedis(redis, 3_000);
  const nats = await connectNats({ url: backing.natsUrl, name: "billing-test", log });
  const bus = createBus({ nats, source: "billing", namespace, log });
  const to = { address: authAddress, internalSecret: INTERNAL_SECRET };
  const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, to);
  const options = createOptionsSnapshot({
    fetch: () => auth.getOptionsSnapshot({}),
    fetchPrices: () => billing.priceBook.snapshot(),
    bus,
    log,
  });
  const collections = createCollections(connection);
  await migrate(connection, collections);
  const secrets = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, to);
  const channelReports = createGrpcClient<ChannelReportServiceServer>(ChannelReportServiceClient, {
    address: channelAddress,
    internalSecret: INTERNAL_SECRET,
  });
  const money = { channelReports, secretOptions: createSecretOptions(secrets), stripeApiUrl };
  const known = auth as GrpcClient<AuthServiceServer>;
  const accountOwners = {
    getUsername: createUsernameLookup(known),
    findInviter: createInviterLookup(known),
    openPendingAccount: createPendingAccounts(known),
  };
  const storeClock = await createStoreClock(connection);
  const shared = { connection, storeClock, signer, collections, redis, nats, bus, namespace, options, log };
  const readFormerPrices = createFormerPrices(known);
  const guard = createPrivateAddressGuard({ allowlist });
  const billing = createBilling({
    ...shared,
    masterKey: MASTER_KEY,
    ...accountOwners,
    ...money,
    guard,
    readFormerPrices,
  });
  billing.priceTakeover.start();
  while (!(await billing.priceBook.isStored())) await new Promise((resolve) => setTimeout(resolve, 10));
  await options.start();
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  addRpcs(server, billing);
  const listening = await server.listen("127.0.0.1", 0);
  billing.consumer.start();
  billing.spent.start();
  billing.scheduler.start();
  billing.orphans.start();
  const clients = createClients(`127.0.0.1:${listening.port}`);
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    for (const client of Object.values(clients)) client.close();
    await listening.stop();
    await billing.priceTakeover.stop();
    await billing.consumer.stop();
    await billing.scheduler.stop();
    await billing.orphans.stop();
    options.stop();
    auth.close();
    secrets.close();
    channelReports.close();
    await nats.close();
    redis.disconnect();
    await connection.close();
  };
  return { ...shared, ...clients, billing, stop };
}
export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** A billing service on its own real MongoDB, Redis and NATS, reached over gRPC; `addReplica` starts another one. */
export async function startBillingWorld(
  settings: { options?: Record<string, string>; stripeApiUrl?: string; allowlist?: readonly string[] } = {},
) {
  const backing = testBacking();
  const auth = await startAuth();
  for (const [key, value] of Object.entries(settings.options ?? {})) auth.options.push({ key, value });
  const channel = await startChannelReports();
  const of = {
    authAddress: auth.address,
    channelAddress: channel.address,
    stripeApiUrl: settings.stripeApiUrl ?? "http://127.0.0.1:1",
    allowlist: settings.allowlist ?? [],
  };
  const replicas = [await startReplica(backing, of)];
  const [first] = replicas as [Replica];
  const names = getUsageStream(backing.namespace);
  const manager = await jetstreamManager(first.nats);
  // The consumer creates its stream in the background.
  for (let attempt = 1; ; attempt++) {
    const info = await manager.consumers.info(names.stream, names.consumer).catch((error: unknown) => error);
    if (!(info instanceof Error)) break;
    if (attempt === 200) throw info;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const audits: { action: string; target: string; before: string; after: string }[] = [];
  first.bus.listen(auditRecorded, (row) => void audits.push(row));
  const publish = async (records: readonly UsageRecord[], id?: string): Promise<void> => {
    const text = encodeEvent(usageRecorded, "relay", { records: [...records] });
    await publishText(text, id);
  };
  const subject = getSubject(backing.namespace, usageRecorded.subject);
  const publishText = async (text: string, id?: string): Promise<void> => {
    const signed = getUsageHeaders(signer, text);
    await jetstream(first.nats).publish(subject, text, { headers: signed, ...(id === undefined ? {} : { msgID: id }) });
  };
  /** A message as another client of NATS would publish it. */
  const publishUnsigned = async (text: string, signature?: string): Promise<void> => {
    const made = headers();
    if (signature !== undefined) made.set(USAGE_SIGNATURE_HEADER, signature);
    await jetstream(first.nats).publish(subject, text, { headers: made });
  };
  return {
    ...first,
    backing,
    authAddress: auth.address,
    /** The accounts of providers that have reports. */
    reportAccounts: channel.accounts,
    fetchedReports: channel.fetched,
    /** Options stored by auth, including price options of an earlier version. */
    authOptions: auth.options,
    /** Inviter of each user, as stored by auth. */
    inviters: auth.inviters,
    owed: auth.owed,
    /** Secret options, as stored by auth. */
    secrets: auth.secrets,
    names,
    manager,
    audits,
    publish,
    publishText,
    publishUnsigned,
    sign: signer.sign,
    async addReplica(): Promise<Replica> {
      const replica = await startReplica(backing, of);
      replicas.push(replica);
      return replica;
    },
    async setOption(key: string, value: string): Promise<void> {
      if (isPriceKey(key))
        await first.priceBook.changePrices(
          { changes: [{ key, value, reset: false, set: {}, remove: [] }], expectedRevision: undefined },
          admin,
        );
      else auth.options.push({ key, value });
      await first.options.start();
    },
    /** Waits until everything in the stream is applied. */
    async drained(timeoutMs = 20_000): Promise<void> {
      const untilMs = Date.now() + timeoutMs;
      for (;;) {
        // The stream keeps each message until it is acknowledged; its consumer counts a stored one a moment later.
        const { state } = await manager.streams.info(names.stream);
        if (state.messages === 0) return;
        if (Date.now() > untilMs) throw new Error(`not drained: ${state.messages} messages`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop(): Promise<void> {
      for (const replica of replicas.toReversed()) {
        if (replica === first) await manager.streams.delete(names.stream).catch(() => undefined);
        await replica.stop();
      }
      await auth.stop();
      await channel.stop();
    },
  };
}
export type BillingWorld = Awaited<ReturnType<typeof startBillingWorld>>;

export const actor = (userId: number, role = 1): { actor: Actor } => ({
  actor: { userId, username: `user${userId}`, role, address: "192.0.2.7" },
});
export const admin = actor(1, 10);

export const tokenInput = {
  name: "laptop",
  expiredTime: -1,
  remainQuota: 1_000,
  unlimitedQuota: false,
  modelLimitsEnabled: false,
  modelLimits: "",
  allowIps: "",
  group: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 60,
  rateLimitCount: 1_000,
  rateLimitSuccess: 10,
  budgetPeriod: "",
  periodQuota: 0,
  tokensPerMinute: 0,
  concurrentCalls: 0,
};

/** The account of a user, as the service returns it. */
export async function readAccount(world: Pick<BillingWorld, "accounts">, userId: number) {
  const [account] = (await world.accounts.getAccounts({ userIds: [userId] })).accounts;
  return account;
}
