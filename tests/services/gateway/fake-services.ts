import {
  type ChannelReportServiceServer,
  ChannelReportServiceService,
} from "@turnpike/proto/channel/v1/channel_report_service";
import {
  type ProviderReportServiceServer,
  ProviderReportServiceService,
} from "@turnpike/proto/billing/v1/provider_report_service";
import type { ServiceDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import { AuthServiceService, type AuthServiceServer, type User } from "@turnpike/proto/auth/v1/auth_service";
import { DeclaredServiceService, type DeclaredServiceServer } from "@turnpike/proto/auth/v1/declared_service";
import { type IdentityServiceServer, IdentityServiceService } from "@turnpike/proto/auth/v1/identity_service";
import { SelfServiceService, type SelfServiceServer } from "@turnpike/proto/auth/v1/self_service";
import { SiteServiceService, type SiteServiceServer } from "@turnpike/proto/auth/v1/site_service";
import { AccountServiceService, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { LogServiceService, type LogServiceServer } from "@turnpike/proto/billing/v1/log_service";
import { LedgerServiceService, type LedgerServiceServer } from "@turnpike/proto/billing/v1/ledger_service";
import { PaymentServiceService, type PaymentServiceServer } from "@turnpike/proto/billing/v1/payment_service";
import { PricingServiceService, type PricingServiceServer } from "@turnpike/proto/billing/v1/pricing_service";
import { RedemptionServiceService, type RedemptionServiceServer } from "@turnpike/proto/billing/v1/redemption_service";
import { PriceBookServiceService, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { ReportServiceService, type ReportServiceServer } from "@turnpike/proto/billing/v1/report_service";
import { TaskServiceService, type TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { TokenUsageServiceService, type TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { TokenServiceService, type TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import {
  type ChannelBulkServiceServer,
  ChannelBulkServiceService,
} from "@turnpike/proto/channel/v1/channel_bulk_service";
import {
  type ChannelHealthServiceServer,
  ChannelHealthServiceService,
} from "@turnpike/proto/channel/v1/channel_health_service";
import { ChannelServiceService, type ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { InboxServiceService, type InboxServiceServer } from "@turnpike/proto/messaging/v1/inbox_service";
import { MailServiceService, type MailServiceServer } from "@turnpike/proto/messaging/v1/mail_service";
import { WebhookServiceService, type WebhookServiceServer } from "@turnpike/proto/messaging/v1/webhook_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor, CallContext } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type GrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import { createLogger } from "@turnpike/shared/log/log";

export const INTERNAL_SECRET = "internal secret of the gateway tests";

/** One call received by a service: which rpc, with which request, for which user. */
export type Seen = { readonly rpc: string; readonly request: unknown; readonly actor: Actor | undefined };

/** The scripted responses of a service; they may change while it runs. */
type Responses<Service> = { -readonly [Rpc in keyof Handlers<Service>]?: Handlers<Service>[Rpc] };

export type Fakes = {
  auth: Responses<AuthServiceServer>;
  identity: Responses<IdentityServiceServer>;
  self: Responses<SelfServiceServer>;
  site: Responses<SiteServiceServer>;
  declared: Responses<DeclaredServiceServer>;
  accounts: Responses<AccountServiceServer>;
  logs: Responses<LogServiceServer>;
  ledger: Responses<LedgerServiceServer>;
  payments: Responses<PaymentServiceServer>;
  prices: Responses<PricingServiceServer>;
  redemptions: Responses<RedemptionServiceServer>;
  priceBook: Responses<PriceBookServiceServer>;
  reports: Responses<ReportServiceServer>;
  tasks: Responses<TaskServiceServer>;
  tokenUsage: Responses<TokenUsageServiceServer>;
  tokens: Responses<TokenServiceServer>;
  channelBulk: Responses<ChannelBulkServiceServer>;
  channelReports: Responses<ChannelReportServiceServer>;
  providerReports: Responses<ProviderReportServiceServer>;
  channelHealth: Responses<ChannelHealthServiceServer>;
  channels: Responses<ChannelServiceServer>;
  inbox: Responses<InboxServiceServer>;
  mail: Responses<MailServiceServer>;
  webhooks: Responses<WebhookServiceServer>;
};

/** A user as auth returns it. */
export const user = (overrides: Partial<User> = {}): User => ({
  id: 7,
  username: "ada",
  displayName: "Ada",
  role: 1,
  status: 1,
  group: "default",
  email: "",
  githubId: "",
  oidcId: "",
  wechatId: "",
  telegramId: "",
  linuxDoId: "",
  affCode: "",
  inviterId: 0,
  settingJson: `{"notify_type":"webhook","webhook_secret":"do not show"}`,
  createdAtSeconds: 1_700_000_000,
  deletedAtSeconds: 0,
  mustChangePassword: false,
  affCount: 0,
  affQuota: 0,
  affHistoryQuota: 0,
  ...overrides,
});

/**
 * Every rpc of a service: looks up its response at each call, so that a test may change it, and records the request.
 */
function getHandlers<Service extends UntypedServiceImplementation>(
  definition: ServiceDefinition<Service>,
  responses: () => object,
  seen: Seen[],
): Handlers<Service> {
  const entries = Object.keys(definition).map((rpc) => {
    const run = async (request: unknown, context: CallContext): Promise<unknown> => {
      seen.push({ rpc, request, actor: context.actor });
      const response = (responses() as Record<string, (request: unknown, context: CallContext) => unknown>)[rpc];
      if (!response) throw new AppError("internal", `no response scripted for ${rpc}`);
      return response(request, context);
    };
    return [rpc, run] as const;
  });
  return Object.fromEntries(entries) as unknown as Handlers<Service>;
}

/** Starts auth, billing, channel and messaging as four real gRPC servers on free ports. */
export async function startFakeServices(fakes: Fakes) {
  const log = createLogger("fake", "silent");
  const seen: Seen[] = [];
  const newServer = () => createGrpcServer({ log, internalSecret: INTERNAL_SECRET });
  const [auth, billing, channel, messaging] = [newServer(), newServer(), newServer(), newServer()];
  auth.add(
    AuthServiceService,
    getHandlers(AuthServiceService, () => fakes.auth, seen),
  );
  auth.add(
    IdentityServiceService,
    getHandlers(IdentityServiceService, () => fakes.identity, seen),
  );
  auth.add(
    SelfServiceService,
    getHandlers(SelfServiceService, () => fakes.self, seen),
  );
  auth.add(
    DeclaredServiceService,
    getHandlers(DeclaredServiceService, () => fakes.declared, seen),
  );
  auth.add(
    SiteServiceService,
    getHandlers(SiteServiceService, () => fakes.site, seen),
  );
  billing.add(
    PriceBookServiceService,
    getHandlers(PriceBookServiceService, () => fakes.priceBook, seen),
  );
  billing.add(
    TaskServiceService,
    getHandlers(TaskServiceService, () => fakes.tasks, seen),
  );
  billing.add(
    ReportServiceService,
    getHandlers(ReportServiceService, () => fakes.reports, seen),
  );
  billing.add(
    AccountServiceService,
    getHandlers(AccountServiceService, () => fakes.accounts, seen),
  );
  billing.add(
    LogServiceService,
    getHandlers(LogServiceService, () => fakes.logs, seen),
  );
  billing.add(
    LedgerServiceService,
    getHandlers(LedgerServiceService, () => fakes.ledger, seen),
  );
  billing.add(
    PaymentServiceService,
    getHandlers(PaymentServiceService, () => fakes.payments, seen),
  );
  billing.add(
    PricingServiceService,
    getHandlers(PricingServiceService, () => fakes.prices, seen),
  );
  billing.add(
    RedemptionServiceService,
    getHandlers(RedemptionServiceService, () => fakes.redemptions, seen),
  );
  billing.add(
    TokenUsageServiceService,
    getHandlers(TokenUsageServiceService, () => fakes.tokenUsage, seen),
  );
  billing.add(
    TokenServiceService,
    getHandlers(TokenServiceService, () => fakes.tokens, seen),
  );
  channel.add(
    ChannelServiceService,
    getHandlers(ChannelServiceService, () => fakes.channels, seen),
  );
  channel.add(
    ChannelBulkServiceService,
    getHandlers(ChannelBulkServiceService, () => fakes.channelBulk, seen),
  );
  channel.add(
    ChannelReportServiceService,
    getHandlers(ChannelReportServiceService, () => fakes.channelReports, seen),
  );
  billing.add(
    ProviderReportServiceService,
    getHandlers(ProviderReportServiceService, () => fakes.providerReports, seen),
  );
  channel.add(
    ChannelHealthServiceService,
    getHandlers(ChannelHealthServiceService, () => fakes.channelHealth, seen),
  );
  messaging.add(
    InboxServiceService,
    getHandlers(InboxServiceService, () => fakes.inbox, seen),
  );
  messaging.add(
    MailServiceService,
    getHandlers(MailServiceService, () => fakes.mail, seen),
  );
  messaging.add(
    WebhookServiceService,
    getHandlers(WebhookServiceService, () => fakes.webhooks, seen),
  );
  const servers: GrpcServer[] = [];
  for (const server of [auth, billing, channel, messaging]) servers.push(await server.listen("127.0.0.1", 0));
  const [AUTH_ADDRESS = "", BILLING_ADDRESS = "", CHANNEL_ADDRESS = "", MESSAGING_ADDRESS = ""] = servers.map(
    ({ port }) => `127.0.0.1:${port}`,
  );
  return {
    addresses: { AUTH_ADDRESS, BILLING_ADDRESS, CHANNEL_ADDRESS, MESSAGING_ADDRESS, INTERNAL_SECRET },
    seen,
    /** The last call of an rpc. */
    last: (rpc: string): Seen | undefined => seen.findLast((call) => call.rpc === rpc),
    stop: async (): Promise<void> => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
