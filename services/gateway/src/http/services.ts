import { CatalogueServiceClient, type CatalogueServiceServer } from "@turnpike/proto/billing/v1/catalogue_service";
import { AuthServiceClient, type AuthServiceServer } from "@turnpike/proto/auth/v1/auth_service";
import { DeclaredServiceClient, type DeclaredServiceServer } from "@turnpike/proto/auth/v1/declared_service";
import { IdentityServiceClient, type IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import { SelfServiceClient, type SelfServiceServer } from "@turnpike/proto/auth/v1/self_service";
import { SiteServiceClient, type SiteServiceServer } from "@turnpike/proto/auth/v1/site_service";
import { AccountServiceClient, type AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import { LogServiceClient, type LogServiceServer } from "@turnpike/proto/billing/v1/log_service";
import { LedgerServiceClient, type LedgerServiceServer } from "@turnpike/proto/billing/v1/ledger_service";
import { PaymentServiceClient, type PaymentServiceServer } from "@turnpike/proto/billing/v1/payment_service";
import { PriceBookServiceClient, type PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { PricingServiceClient, type PricingServiceServer } from "@turnpike/proto/billing/v1/pricing_service";
import {
  ProviderReportServiceClient,
  type ProviderReportServiceServer,
} from "@turnpike/proto/billing/v1/provider_report_service";
import { RedemptionServiceClient, type RedemptionServiceServer } from "@turnpike/proto/billing/v1/redemption_service";
import { TaskServiceClient, type TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { TokenUsageServiceClient, type TokenUsageServiceServer } from "@turnpike/proto/billing/v1/token_usage_service";
import { ReportServiceClient, type ReportServiceServer } from "@turnpike/proto/billing/v1/report_service";
import { TokenServiceClient, type TokenServiceServer } from "@turnpike/proto/billing/v1/token_service";
import {
  ChannelBulkServiceClient,
  type ChannelBulkServiceServer,
} from "@turnpike/proto/channel/v1/channel_bulk_service";
import {
  ChannelHealthServiceClient,
  type ChannelHealthServiceServer,
} from "@turnpike/proto/channel/v1/channel_health_service";
import {
  ChannelReportServiceClient,
  type ChannelReportServiceServer,
} from "@turnpike/proto/channel/v1/channel_report_service";
import { ChannelServiceClient, type ChannelServiceServer } from "@turnpike/proto/channel/v1/channel_service";
import { InboxServiceClient, type InboxServiceServer } from "@turnpike/proto/messaging/v1/inbox_service";
import { MailServiceClient, type MailServiceServer } from "@turnpike/proto/messaging/v1/mail_service";
import { WebhookServiceClient, type WebhookServiceServer } from "@turnpike/proto/messaging/v1/webhook_service";
import { createGrpcClient, type GrpcTarget } from "@turnpike/shared/grpc/client";
import { ServiceHealth } from "@turnpike/shared/grpc/service-health";

/** Addresses of the services, and the secret that authenticates the gateway to them. */
export type ServiceAddresses = {
  readonly AUTH_ADDRESS: string;
  readonly BILLING_ADDRESS: string;
  readonly CHANNEL_ADDRESS: string;
  readonly MESSAGING_ADDRESS: string;
  readonly INTERNAL_SECRET: string;
};

/** Clients of every service the console needs; an unavailable service affects only the calls that need it. */
export function createServices(config: ServiceAddresses) {
  const to = (address: string): GrpcTarget => ({
    address,
    internalSecret: config.INTERNAL_SECRET,
    health: new ServiceHealth(),
  });
  const auth = to(config.AUTH_ADDRESS);
  const billing = to(config.BILLING_ADDRESS);
  const channel = to(config.CHANNEL_ADDRESS);
  const messaging = to(config.MESSAGING_ADDRESS);
  const services = {
    auth: createGrpcClient<AuthServiceServer>(AuthServiceClient, auth),
    identity: createGrpcClient<IdentityServiceServer>(IdentityServiceClient, auth),
    self: createGrpcClient<SelfServiceServer>(SelfServiceClient, auth),
    site: createGrpcClient<SiteServiceServer>(SiteServiceClient, auth),
    declared: createGrpcClient<DeclaredServiceServer>(DeclaredServiceClient, auth),
    accounts: createGrpcClient<AccountServiceServer>(AccountServiceClient, billing),
    logs: createGrpcClient<LogServiceServer>(LogServiceClient, billing),
    ledger: createGrpcClient<LedgerServiceServer>(LedgerServiceClient, billing),
    providerReports: createGrpcClient<ProviderReportServiceServer>(ProviderReportServiceClient, billing),
    payments: createGrpcClient<PaymentServiceServer>(PaymentServiceClient, billing),
    catalogues: createGrpcClient<CatalogueServiceServer>(CatalogueServiceClient, billing),
    priceBook: createGrpcClient<PriceBookServiceServer>(PriceBookServiceClient, billing),
    prices: createGrpcClient<PricingServiceServer>(PricingServiceClient, billing),
    redemptions: createGrpcClient<RedemptionServiceServer>(RedemptionServiceClient, billing),
    tasks: createGrpcClient<TaskServiceServer>(TaskServiceClient, billing),
    tokenUsage: createGrpcClient<TokenUsageServiceServer>(TokenUsageServiceClient, billing),
    reports: createGrpcClient<ReportServiceServer>(ReportServiceClient, billing),
    tokens: createGrpcClient<TokenServiceServer>(TokenServiceClient, billing),
    channelBulk: createGrpcClient<ChannelBulkServiceServer>(ChannelBulkServiceClient, channel),
    channelReports: createGrpcClient<ChannelReportServiceServer>(ChannelReportServiceClient, channel),
    channelHealth: createGrpcClient<ChannelHealthServiceServer>(ChannelHealthServiceClient, channel),
    channels: createGrpcClient<ChannelServiceServer>(ChannelServiceClient, channel),
    inbox: createGrpcClient<InboxServiceServer>(InboxServiceClient, messaging),
    mail: createGrpcClient<MailServiceServer>(MailServiceClient, messaging),
    webhooks: createGrpcClient<WebhookServiceServer>(WebhookServiceClient, messaging),
  };
  return {
    ...services,
    close: (): void => {
      for (const client of Object.values(services)) client.close();
    },
  };
}

export type Services = Omit<ReturnType<typeof createServices>, "close">;
