import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ChannelReportServiceServer } from "@turnpike/proto/channel/v1/channel_report_service";
import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import type { Connection } from "mongoose";
import { createCatalogueWatch } from "./catalogue/catalogue-watch.ts";
import { catalogueHandlers } from "./catalogue/catalogue-handlers.ts";
import { createPriceBook } from "./prices/price-book.ts";
import { priceBookHandlers } from "./prices/price-book-handlers.ts";
import { createPriceBookStore } from "./prices/price-book-store.ts";
import { createPriceHistory } from "./prices/price-history.ts";
import { priceListHandlers } from "./prices/price-list-handlers.ts";
import { createPriceTakeover } from "./prices/price-takeover.ts";
import type { FormerPrices } from "./prices/takeover-plan.ts";
import { createReportCheck } from "./provider-reports/report-check.ts";
import { providerReportHandlers } from "./provider-reports/report-handlers.ts";
import { createReportJob } from "./provider-reports/report-job.ts";
import { createReportStore } from "./provider-reports/report-store.ts";
import type { Job } from "./recovery/job-scheduler.ts";
import { rehearsalHandlers } from "./rehearsal/rehearsal-handlers.ts";
import type { Collections } from "./store/collections.ts";

/** Dependencies of prices. */
export type PricingDeps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly auditOutbox: AuditOutbox;
  readonly bus: Bus;
  readonly runExclusive: KeyedMutex;
  /** Throws `unavailable` until the options are known. */
  readonly knownOptions: () => OptionsInForce;
  /** The prices that a version before stored at auth. */
  readonly readFormerPrices: () => Promise<FormerPrices>;
  /** For catalogues of prices, whose addresses administrators enter. */
  readonly guard: Pick<PrivateAddressGuard, "fetch">;
  /** The report keys of channels, and the reports. */
  readonly channelReports: Pick<GrpcClient<ChannelReportServiceServer>, "listReportChannels" | "fetchReport">;
  readonly nowMs: () => number;
  readonly nowSeconds: () => number;
  readonly log: Logger;
};

/** An update replaces the replicas of the version before within this time. */
const FORMER_PRICES_MS = 600_000;
const REPORTS_MS = 600_000;
const CATALOGUE_MS = 60_000;

/** Wires what prices: the price book and its history, price lists, catalogues, rehearsals, and what providers report. */
export function createPricing(deps: PricingDeps) {
  const { collections, knownOptions: options, nowMs, nowSeconds, bus, log } = deps;
  const history = createPriceHistory(deps);
  const book = createPriceBook({
    ...deps,
    store: createPriceBookStore(collections),
    history,
    outbox: deps.auditOutbox,
  });
  const reports = createReportStore(collections);
  const prices = async () => (await book.snapshot()).options;
  const { check } = createReportCheck({ collections, store: reports, channels: deps.channelReports, prices, nowMs });
  const reportJob = createReportJob({ ...deps, store: reports, check, channels: deps.channelReports });
  const watch = createCatalogueWatch({ ...deps, book, options });
  const jobs: readonly Job[] = [
    { name: "catalogue", everyMs: CATALOGUE_MS, run: watch.check },
    { name: "former prices", everyMs: FORMER_PRICES_MS, run: book.dropFormerDefaults },
    { name: "provider reports", everyMs: REPORTS_MS, run: reportJob.checkDueReports },
  ];
  return {
    book,
    takeover: createPriceTakeover({ book, readFormer: deps.readFormerPrices, bus, log }),
    jobs,
    reportJob,
    checkCatalogue: watch.check,
    handlers: {
      pricing: withStoreErrors(priceListHandlers(options)),
      catalogue: withStoreErrors(catalogueHandlers({ ...deps, book, options, watch })),
      providerReport: withStoreErrors(providerReportHandlers({ store: reports, check, nowSeconds })),
      priceBook: withStoreErrors({
        ...priceBookHandlers({ book, history }),
        ...rehearsalHandlers({ book, collections, options, nowMs }),
      }),
    },
  };
}
