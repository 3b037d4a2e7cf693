import { AccountServiceService } from "@turnpike/proto/billing/v1/account_service";
import { CatalogueServiceService } from "@turnpike/proto/billing/v1/catalogue_service";
import { CreditServiceService } from "@turnpike/proto/billing/v1/credit_service";
import { LedgerServiceService } from "@turnpike/proto/billing/v1/ledger_service";
import { LogServiceService } from "@turnpike/proto/billing/v1/log_service";
import { PaymentServiceService } from "@turnpike/proto/billing/v1/payment_service";
import { PriceBookServiceService } from "@turnpike/proto/billing/v1/price_book_service";
import { PricingServiceService } from "@turnpike/proto/billing/v1/pricing_service";
import { ProviderReportServiceService } from "@turnpike/proto/billing/v1/provider_report_service";
import { RedemptionServiceService } from "@turnpike/proto/billing/v1/redemption_service";
import { ReportServiceService } from "@turnpike/proto/billing/v1/report_service";
import { TaskServiceService } from "@turnpike/proto/billing/v1/task_service";
import { TokenServiceService } from "@turnpike/proto/billing/v1/token_service";
import { TokenUsageServiceService } from "@turnpike/proto/billing/v1/token_usage_service";
import type { createGrpcServer } from "@turnpike/shared/grpc/server";
import type { Billing } from "./billing.ts";

/** Registers every RPC of the service on a server that does not listen yet. */
export function addRpcs(server: ReturnType<typeof createGrpcServer>, { handlers }: Pick<Billing, "handlers">): void {
  server.add(AccountServiceService, handlers.account);
  server.add(CatalogueServiceService, handlers.catalogue);
  server.add(CreditServiceService, handlers.credit);
  server.add(LedgerServiceService, handlers.ledger);
  server.add(LogServiceService, handlers.log);
  server.add(PaymentServiceService, handlers.payment);
  server.add(PriceBookServiceService, handlers.priceBook);
  server.add(PricingServiceService, handlers.pricing);
  server.add(ProviderReportServiceService, handlers.providerReport);
  server.add(RedemptionServiceService, handlers.redemption);
  server.add(ReportServiceService, handlers.report);
  server.add(TaskServiceService, handlers.task);
  server.add(TokenServiceService, handlers.token);
  server.add(TokenUsageServiceService, handlers.tokenUsage);
}
