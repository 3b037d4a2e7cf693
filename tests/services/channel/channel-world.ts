import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { AuthServiceClient, type AuthServiceServer, AuthServiceService } from "@turnpike/proto/auth/v1/auth_service";
import {
  ChannelBulkServiceClient,
  type ChannelBulkServiceServer,
  ChannelBulkServiceService,
} from "@turnpike/proto/channel/v1/channel_bulk_service";
import {
  ChannelHealthServiceClient,
  type ChannelHealthServiceServer,
  ChannelHealthServiceService,
} from "@turnpike/proto/channel/v1/channel_health_service";
import {
  ChannelReportServiceClient,
  type ChannelReportServiceServer,
  ChannelReportServiceService,
} from "@turnpike/proto/channel/v1/channel_report_service";
import {
  type ChannelInput,
  ChannelServiceClient,
  type ChannelServiceServer,
  ChannelServiceService,
} from "@turnpike/proto/channel/v1/channel_service";
import {
  type FetchModelsRequest,
  type FetchPriceListRequest,
  type FetchPriceListResponse,
  type FetchUsageReportRequest,
  RelayServiceClient,
  type RelayServiceServer,
  RelayServiceService,
  type TestChannelRequest,
  type TestChannelResponse,
} from "@turnpike/proto/relay/v1/relay_service";
import { createLookupHash } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { auditRecorded, optionsChanged } from "@turnpike/shared/events/auth";
import { type Bus, connectNats, createBus } from "@turnpike/shared/events/bus";
import {
  channelAutoDisabled,
  channelAutoEnabled,
  channelChanged,
  channelsTested,
} from "@turnpike/shared/events/channel";
import type { EventType } from "@turnpike/shared/events/define-event";
import { createGrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createLogger } from "@turnpike/shared/log/log";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createOptionsSnapshot } from "@turnpike/shared/snapshot/options-snapshot";
import { expect, vi } from "vitest";
import type { z } from "zod";
import { createChannel } from "../../../services/channel/src/channel.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const INTERNAL_SECRET = "a secret of the tests";
const MASTER_KEY = "a master key of the tests";
const log = createLogger("channel-test", "silent");
const to = (port: number) => ({ address: `127.0.0.1:${port}`, internalSecret: INTERNAL_SECRET });

export const admin: { actor: Actor } = { actor: { userId: 1, username: "root", role: 100, address: "192.0.2.7" } };
export const commoner: { actor: Actor } = { actor: { userId: 2, username: "ada", role: 1, address: "192.0.2.8" } };
export const form: ChannelInput = { name: "main", type: 1, key: "sk-main-1234", models: "gpt-4o,gpt-4o-mini" };

/** Fake relay for the channel service: a real server that returns scripted responses and records its requests. */
async function startRelay() {
  const relay = {
    tests: [] as TestChannelRequest[],
    fetches: [] as FetchModelsRequest[],
    reports: [] as FetchUsageReportRequest[],
    outcome: {
      success: true,
      message: "",
      timeMs: 1_234,
      status: 200,
      errorCode: "",
      errorType: "",
      unfit: false,
    } as TestChannelResponse,
    /** Results of tests of specific channels or keys, if not the default. */
    respond: (_request: TestChannelRequest): Partial<TestChannelResponse> | undefined => undefined,
    /** A gate that delays the responses to tests. */
    hold: undefined as Promise<void> | undefined,
    balances: new Map<string, number>(),
    models: ["a", "b", "a"] as string[] | undefined,
    listFetches: [] as FetchPriceListRequest[],
    priceList: undefined as FetchPriceListResponse | undefined,
  };
  const handlers: Handlers<RelayServiceServer> = {
    async testChannel(request) {
      relay.tests.push(request);
      await relay.hold;
      return { ...relay.outcome, ...relay.respond(request) };
    },
    async fetchModels(request) {
      relay.fetches.push(request);
      if (!relay.models) throw new AppError("fetch_models_failed", "HTTP 401", { params: { detail: "HTTP 401" } });
      return { models: relay.models };
    },
    async fetchUsageReport(request) {
      relay.reports.push(request);
      return { lines: [], kinds: ["input", "output"], hasTiers: false };
    },
    async fetchBalance({ key }) {
      const balance = relay.balances.get(key);
      if (balance === undefined) throw new AppError("fetch_balance_failed", "none", { params: { detail: "none" } });
      return { balance };
    },
    async fetchPriceList(request) {
      relay.listFetches.push(request);
      if (!relay.priceList) throw new AppError("fetch_prices_failed", "HTTP 404", { params: { detail: "HTTP 404" } });
      return relay.priceList;
    },
  };
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(RelayServiceService, handlers);
  return Object.assign(relay, await server.listen("127.0.0.1", 0));
}

/** Fake auth for the channel service: the options snapshot, which a test may change. */
async function startAuth() {
  const options = new Map([["AutomaticDisableChannelEnabled", "true"]]);
  const getOptionsSnapshot: Handlers<AuthServiceServer>["getOptionsSnapshot"] = async () => ({
    revision: 1,
    options: [...options].map(([key, value]) => ({ key, value })),
  });
  const never = () => Promise.reject(new AppError("internal", "not part of these tests"));
  const others = Object.fromEntries(Object.keys(AuthServiceService).map((rpc) => [rpc, never]));
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(AuthServiceService, { ...others, getOptionsSnapshot } as unknown as Handlers<AuthServiceServer>);
  return Object.assign({ options }, await server.listen("127.0.0.1", 0));
}

/** The bus, with the number of events its listeners have finished. */
function counting(bus: Bus) {
  let handled = 0;
  const listen: Bus["listen"] = (event, run, options) =>
    bus.listen(
      event,
      async (data) => {
        try {
          await run(data);
        } finally {
          handled++;
        }
      },
      options,
    );
  return { bus: { ...bus, listen }, handled: () => handled };
}

/** A channel service on its own real MongoDB and NATS, reached over gRPC. */
export async function startChannelWorld() {
  const backing = testBacking();
  const [relayServer, authServer] = [await startRelay(), await startAuth()];
  const mongo = await connectMongo(backing.mongodbUrl);
  const nats = await connectNats({ url: backing.natsUrl, name: "channel-test", log });
  const bus = createBus({ nats, source: "channel", namespace: backing.namespace, log });
  const relay = createGrpcClient<RelayServiceServer>(RelayServiceClient, to(relayServer.port));
  const auth = createGrpcClient<AuthServiceServer>(AuthServiceClient, to(authServer.port));
  const options = createOptionsSnapshot({ fetch: () => auth.getOptionsSnapshot({}), bus, log });
  const counted = counting(bus);
  const audit = createAuditOutbox({ mongo, nats, namespace: backing.namespace, source: "channel", log });
  const clock = { aheadMs: 0 };
  const channel = createChannel({
    mongo,
    audit,
    bus: counted.bus,
    relay,
    options: options.current,
    frequencies: { testEveryMs: 0, balanceEveryMs: 0 },
    masterKey: MASTER_KEY,
    nowMs: () => Date.now() + clock.aheadMs,
    log,
  });
  await migrateModels(mongo, "channel");
  await options.start();
  const server = createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  server.add(ChannelServiceService, channel.handlers);
  server.add(ChannelBulkServiceService, channel.bulkHandlers);
  server.add(ChannelHealthServiceService, channel.healthHandlers);
  server.add(ChannelReportServiceService, channel.reportHandlers);
  const listening = await server.listen("127.0.0.1", 0);
  channel.watchFailures();
  channel.watchHealth();
  const client = createGrpcClient<ChannelServiceServer>(ChannelServiceClient, to(listening.port));
  const health = createGrpcClient<ChannelHealthServiceServer>(ChannelHealthServiceClient, to(listening.port));
  const reports = createGrpcClient<ChannelReportServiceServer>(ChannelReportServiceClient, to(listening.port));
  const bulk = createGrpcClient<ChannelBulkServiceServer>(ChannelBulkServiceClient, to(listening.port));

  /** All events of a subject published from now on. */
  const collect = <Data extends z.ZodType>(event: EventType<Data>): z.output<Data>[] => {
    const heard: z.output<Data>[] = [];
    bus.listen(event, (data) => void heard.push(data));
    return heard;
  };
  const heard = {
    changed: collect(channelChanged),
    autoDisabled: collect(channelAutoDisabled),
    autoEnabled: collect(channelAutoEnabled),
    tested: collect(channelsTested),
    audit: collect(auditRecorded),
  };
  await nats.flush();

  return {
    client,
    bulk,
    reports,
    health,
    clock,
    wake: channel.worker.wake,
    mongo,
    bus,
    heard,
    hash: createLookupHash(MASTER_KEY),
    reportsHandled: counted.handled,
    relay: relayServer,
    create: async (input: ChannelInput = {}) => {
      const { channel: made } = await client.createChannel({ input: { ...form, ...input }, copyFrom: 0 }, admin);
      if (!made) throw new Error("no channel");
      return made;
    },
    find: async (id: number) => {
      const { channel: found } = await client.findChannel({ id }, admin);
      if (!found) throw new Error("no channel");
      return found;
    },
    snapshot: () => client.getRoutingSnapshot({}),
    async setOption(key: string, value: string): Promise<void> {
      authServer.options.set(key, value);
      bus.notify(optionsChanged, { revision: 2, keys: [key] });
      const isOn = optionsInForce([{ key, value }]).text(key as "AutomaticDisableChannelEnabled");
      await vi.waitFor(() => {
        if (options.current().text(key as "AutomaticDisableChannelEnabled") !== isOn) throw new Error("not yet");
      });
    },
    async stop(): Promise<void> {
      options.stop();
      client.close();
      bulk.close();
      reports.close();
      health.close();
      await channel.worker.stop();
      await listening.stop();
      relay.close();
      auth.close();
      await relayServer.stop();
      await authServer.stop();
      await nats.close();
      await mongo.close();
    },
  };
}
export type ChannelWorld = Awaited<ReturnType<typeof startChannelWorld>>;

export const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
