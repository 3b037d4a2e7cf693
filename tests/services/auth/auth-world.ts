import { PRICE_KEYS, PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { expect } from "vitest";
import { AuthServiceClient, type AuthServiceServer, AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import {
  AccountServiceClient,
  type AccountServiceServer,
  AccountServiceService,
  type OpenAccountRequest,
} from "@turnpike/proto/billing/v1/account_service";
import {
  type AddCreditRequest,
  CreditServiceClient,
  type CreditServiceServer,
  CreditServiceService,
} from "@turnpike/proto/billing/v1/credit_service";
import {
  PriceBookServiceClient,
  type PriceBookServiceServer,
  PriceBookServiceService,
} from "@turnpike/proto/billing/v1/price_book_service";
import {
  IdentityServiceClient,
  type IdentityServiceServer,
  IdentityServiceService,
} from "@turnpike/proto/auth/v1/identity_service";
import {
  PriceHistoryServiceClient,
  type PriceHistoryServiceServer,
  PriceHistoryServiceService,
} from "@turnpike/proto/auth/v1/price_history_service";
import { SelfServiceClient, type SelfServiceServer, SelfServiceService } from "@turnpike/proto/auth/v1/self_service";
import { SiteServiceClient, type SiteServiceServer, SiteServiceService } from "@turnpike/proto/auth/v1/site_service";
import {
  MailServiceClient,
  type MailServiceServer,
  MailServiceService,
  type SendMailRequest,
} from "@turnpike/proto/messaging/v1/mail_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { auditStream } from "@turnpike/shared/audit/audit-stream";
import { auditRecorded } from "@turnpike/shared/events/auth";
import { createEventConsumer, onEvent } from "@turnpike/shared/events/event-consumer";
import { type Bus, connectNats, createBus, type NatsConnection } from "@turnpike/shared/events/bus";
import { createGrpcClient, type GrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createPrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import { createAuth } from "../../../services/auth/src/auth.ts";
import { type Endpoints, EndpointsConfig } from "../../../services/auth/src/oauth/endpoints.ts";
import type { BackingUrls } from "../../lib/backing/backing-urls.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const INTERNAL_SECRET = "a secret of the tests";
const MASTER_KEY = "a master key of the tests";
/** The only private address that auth may call in tests. */
export const OPENED_ADDRESS = "127.0.0.1";
export const PASSWORD = "correct horse";
export const log = createLogger("auth-test", "silent");

const never = (): Promise<never> => Promise.reject(new AppError("internal", "not part of these tests"));

/** Fake price book for auth: it stores values, and returns a fixed history. */
function createFakePriceBook() {
  const values = new Map<string, string>();
  const changed: { readonly actor: string; readonly key: string }[] = [];
  const handlers: Handlers<PriceBookServiceServer> = {
    getPriceBook: async () => ({
      revision: 1 + changed.length,
      options: PRICE_KEYS.map((key) => ({ key, value: values.get(key) ?? PRICE_OPTIONS[key].default })),
    }),
    async changePrices({ changes }, { actor }) {
      for (const { key, value } of changes) {
        if (value === undefined) values.delete(key);
        else values.set(key, value);
        changed.push({ actor: actor?.username ?? "", key });
      }
      return { revision: 1 + changed.length };
    },
    rehearsePrices: () => Promise.reject(new AppError("internal", "not part of these tests")),
    listPriceChanges: async ({ name }, { actor }) => ({
      items: [
        {
          id: 1,
          createdAtSeconds: 5,
          actorId: actor?.userId ?? 0,
          actorName: actor?.username ?? "",
          key: "ModelRatio",
          name,
          before: undefined,
          after: "2",
          isBuiltInBefore: false,
          isBuiltInAfter: false,
        },
      ],
      total: 1,
    }),
  };
  return { values, changed, handlers };
}

/**
 * Fake billing for auth: a real server that records which accounts it was requested to open, and can be made unavailable.
 */
async function startBilling(settings: WorldSettings) {
  const opened: OpenAccountRequest[] = [];
  const credited: AddCreditRequest[] = [];
  let isDown = false;
  const handlers: Handlers<AccountServiceServer> = {
    async openAccount(request) {
      if (isDown) throw new AppError("unavailable", "billing is unavailable");
      opened.push(request);
      return { account: { userId: request.userId, credits: request.credit, spent: 0, requestCount: 0 } };
    },
    getAccounts: never,
    setQuota: never,
    loadAccount: never,
    listLedgerEntries: never,
    rankAccounts: async () => ({ accounts: [], total: 0 }),
    getChannelTotals: never,
  };
  const creditHandlers: Handlers<CreditServiceServer> = {
    async addCredit(request) {
      if (isDown) throw new AppError("unavailable", "billing is unavailable");
      const applied = !credited.some(({ reference }) => reference === request.reference);
      if (applied) credited.push(request);
      return { applied, quota: 0 };
    },
  };
  const prices = createFakePriceBook();
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  if (settings.hasPriceBook ?? true) server.add(PriceBookServiceService, prices.handlers);
  server.add(AccountServiceService, handlers);
  server.add(CreditServiceService, creditHandlers);
  const listening = await server.listen("127.0.0.1", 0);
  return {
    address: `127.0.0.1:${listening.port}`,
    opened,
    /** The price book: its content and its changes. */
    prices,
    /** Credits posted, each reference once, as in the real service. */
    credited,
    goAway: () => void (isDown = true),
    comeBack: () => void (isDown = false),
    stop: listening.stop,
  };
}

/** Fake messaging for auth: a real server that records the mails it was requested to send, and can be made unavailable. */
async function startMessaging() {
  const mails: SendMailRequest[] = [];
  let isDown = false;
  const handlers: Handlers<MailServiceServer> = {
    async sendMail(request) {
      if (isDown) throw new AppError("unavailable", "messaging is unavailable");
      mails.push(request);
      return {};
    },
    sendTestMail: never,
  };
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(MailServiceService, handlers);
  const listening = await server.listen("127.0.0.1", 0);
  return {
    address: `127.0.0.1:${listening.port}`,
    mails,
    goAway: () => void (isDown = true),
    comeBack: () => void (isDown = false),
    stop: listening.stop,
  };
}

/** Settings of a test: addresses of third parties, and whether billing has a price book, as current versions do. */
export type WorldSettings = { readonly endpoints?: Partial<Endpoints>; readonly hasPriceBook?: boolean };
type Neighbours = { readonly billing: string; readonly messaging: string; readonly endpoints: Endpoints };

export type Replica = {
  readonly client: GrpcClient<AuthServiceServer>;
  readonly identity: GrpcClient<IdentityServiceServer>;
  readonly self: GrpcClient<SelfServiceServer>;
  readonly site: GrpcClient<SiteServiceServer>;
  readonly prices: GrpcClient<PriceHistoryServiceServer>;
  readonly auth: Awaited<ReturnType<typeof createAuth>>;
  readonly mongo: Connection;
  readonly redis: Redis;
  readonly bus: Bus;
  readonly nats: NatsConnection;
  readonly stop: () => Promise<void>;
};

async function startReplica(backing: BackingUrls, neighbours: Neighbours): Promise<Replica> {
  const mongo = await connectMongo(backing.mongodbUrl);
  const redis = connectRedis({ url: backing.redisUrl, namespace: backing.namespace, log });
  await waitForRedis(redis, 3_000);
  const nats = await connectNats({ url: backing.natsUrl, name: "auth-test", log });
  const bus = createBus({ nats, source: "auth", namespace: backing.namespace, log });
  const to = (address: string) => ({ address, internalSecret: INTERNAL_SECRET });
  const billing = createGrpcClient<AccountServiceServer>(AccountServiceClient, to(neighbours.billing));
  const creditLedger = createGrpcClient<CreditServiceServer>(CreditServiceClient, to(neighbours.billing));
  const priceBook = createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, to(neighbours.billing));
  // Providers of the tests listen on this one loopback address; all others stay blocked.
  const guard = createPrivateAddressGuard({ allowlist: [OPENED_ADDRESS] });
  const mailer = createGrpcClient<MailServiceServer>(MailServiceClient, to(neighbours.messaging));
  const clients = {
    billing,
    creditLedger,
    mailer,
    priceBook,
    fetch: guard.fetch,
    checkAddress: guard.check,
    allowlist: [OPENED_ADDRESS],
    endpoints: neighbours.endpoints,
  };
  const auth = await createAuth({
    mongo,
    redis,
    bus,
    ...clients,
    masterKey: MASTER_KEY,
    createsFirstToken: false,
    log,
  });
  await migrateModels(mongo, "auth");
  auth.prices.start();
  auth.openings.start();
  auth.credits.start();
  const namespace = backing.namespace;
  const handlers = [onEvent(auditRecorded, auth.storeAction)];
  const actions = createEventConsumer({ nats, namespace, work: auditStream(namespace), handlers, log });
  actions.start();
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(AuthServiceService, auth.handlers);
  server.add(IdentityServiceService, auth.identity);
  server.add(SelfServiceService, auth.self);
  server.add(SiteServiceService, auth.site);
  server.add(PriceHistoryServiceService, auth.priceHistory);
  const listening = await server.listen("127.0.0.1", 0);
  const client = createGrpcClient<AuthServiceServer>(AuthServiceClient, to(`127.0.0.1:${listening.port}`));
  const identity = createGrpcClient<IdentityServiceServer>(IdentityServiceClient, to(`127.0.0.1:${listening.port}`));
  const self = createGrpcClient<SelfServiceServer>(SelfServiceClient, to(`127.0.0.1:${listening.port}`));
  const site = createGrpcClient<SiteServiceServer>(SiteServiceClient, to(`127.0.0.1:${listening.port}`));
  const toSelf = to(`127.0.0.1:${listening.port}`);
  const prices = createGrpcClient<PriceHistoryServiceServer>(PriceHistoryServiceClient, toSelf);
  const stop = async (): Promise<void> => {
    prices.close();
    client.close();
    self.close();
    identity.close();
    site.close();
    await listening.stop();
    await actions.stop();
    auth.prices.stop();
    priceBook.close();
    await auth.openings.stop();
    await auth.credits.stop();
    billing.close();
    creditLedger.close();
    mailer.close();
    await guard.close();
    await nats.close();
    redis.disconnect();
    await mongo.close();
  };
  return { client, identity, self, site, prices, auth, mongo, redis, bus, nats, stop };
}

/** An auth service on its own real MongoDB, Redis and NATS, reached over gRPC; `addReplica` starts another one. */
export async function startAuthWorld(settings: WorldSettings = {}) {
  const backing = testBacking();
  const billing = await startBilling(settings);
  const messaging = await startMessaging();
  const endpoints = { ...EndpointsConfig.parse({}), ...settings.endpoints };
  const neighbours = { billing: billing.address, messaging: messaging.address, endpoints };
  const replicas = [await startReplica(backing, neighbours)];
  const [first] = replicas as [Replica];
  return {
    ...first,
    backing,
    billing,
    messaging,
    async addReplica(): Promise<Replica> {
      const replica = await startReplica(backing, neighbours);
      replicas.push(replica);
      return replica;
    },
    async stop(): Promise<void> {
      for (const replica of replicas) await replica.stop();
      await billing.stop();
      await messaging.stop();
    },
  };
}
export type AuthWorld = Awaited<ReturnType<typeof startAuthWorld>>;

export const actor = (userId: number, role: number, username = `user${userId}`): { actor: Actor } => ({
  actor: { userId, username, role, address: "192.0.2.7" },
});

/** Runs the setup and returns root as an actor. */
export async function setUp(world: Pick<AuthWorld, "client">): Promise<{ actor: Actor }> {
  const form = { username: "root", password: PASSWORD, confirmPassword: PASSWORD };
  const { rootUserId } = await world.client.runSetup({ ...form, selfUseModeEnabled: false, demoSiteEnabled: false });
  return actor(rootUserId, 100, "root");
}

/** Creates a user and returns it as an actor. */
export async function makeUser(
  world: Pick<AuthWorld, "client">,
  by: { actor: Actor },
  form: { username: string; password?: string; role?: number },
): Promise<{ actor: Actor }> {
  const { username, password = PASSWORD, role = 1 } = form;
  const { user } = await world.client.createUser({ username, password, displayName: "", role }, by);
  return actor(user?.id ?? 0, role, username);
}

/** Signs in and returns the session's id. */
export async function signIn(world: Pick<AuthWorld, "client">, username: string, password = PASSWORD): Promise<string> {
  const from = { address: "192.0.2.7", userAgent: "test" };
  return (await world.client.login({ username, password, ...from })).sessionId;
}

export const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
