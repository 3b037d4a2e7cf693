import type { Connection, mongo } from "mongoose";
import type {
  ChannelDayDoc,
  HourHealthDoc,
  MarginDayDoc,
  PartHealthDoc,
  TokenDayDoc,
  UserDayDoc,
} from "./report-documents.ts";
import type { AccountDoc, LedgerDoc, TokenDoc } from "./account-documents.ts";
import type { DeadLetterDoc, LogDoc, PostedRecordDoc } from "./usage-documents.ts";
import type { ChannelTotalDoc, RollupDoc, SecondDoc, SiteRollupDoc, TallyDoc } from "./sum-documents.ts";
import type { OrderDoc, RedemptionDoc, RedemptionUseDoc } from "./payment-documents.ts";
import type { StateDoc } from "./job-documents.ts";
import type { PriceBookDoc, PriceChangeDoc } from "./price-book-document.ts";
import type { ProviderReportDoc } from "./provider-report-document.ts";
import type { TaskDoc } from "./task-document.ts";

export type Collections = {
  readonly accounts: mongo.Collection<AccountDoc>;
  readonly ledger: mongo.Collection<LedgerDoc>;
  readonly tokens: mongo.Collection<TokenDoc>;
  readonly redemptions: mongo.Collection<RedemptionDoc>;
  readonly redemptionUses: mongo.Collection<RedemptionUseDoc>;
  readonly orders: mongo.Collection<OrderDoc>;
  readonly tasks: mongo.Collection<TaskDoc>;
  readonly priceBook: mongo.Collection<PriceBookDoc>;
  readonly priceChanges: mongo.Collection<PriceChangeDoc>;
  readonly logs: mongo.Collection<LogDoc>;
  readonly logTallies: mongo.Collection<TallyDoc>;
  readonly logSeconds: mongo.Collection<SecondDoc>;
  readonly postedRecords: mongo.Collection<PostedRecordDoc>;
  readonly rollups: mongo.Collection<RollupDoc>;
  readonly siteRollups: mongo.Collection<SiteRollupDoc>;
  readonly channelTotals: mongo.Collection<ChannelTotalDoc>;
  readonly userDays: mongo.Collection<UserDayDoc>;
  readonly tokenDays: mongo.Collection<TokenDayDoc>;
  readonly channelDays: mongo.Collection<ChannelDayDoc>;
  readonly marginDays: mongo.Collection<MarginDayDoc>;
  readonly hourHealth: mongo.Collection<HourHealthDoc>;
  readonly partHealth: mongo.Collection<PartHealthDoc>;
  readonly providerReports: mongo.Collection<ProviderReportDoc>;
  readonly deadLetters: mongo.Collection<DeadLetterDoc>;
  readonly state: mongo.Collection<StateDoc>;
};

/**
 * Billing's collections on the plain driver: postings run in bulk, where a document mapper would cost more than the
 * database.
 */
export function createCollections(connection: Connection): Collections {
  const { db } = connection;
  if (!db) throw new Error("MongoDB is not connected");
  return {
    accounts: db.collection("accounts"),
    ledger: db.collection("ledger"),
    tokens: db.collection("tokens"),
    redemptions: db.collection("redemptions"),
    redemptionUses: db.collection("redemption_uses"),
    orders: db.collection("orders"),
    tasks: db.collection("tasks"),
    priceBook: db.collection("price_book"),
    priceChanges: db.collection("price_changes"),
    logs: db.collection("logs"),
    logTallies: db.collection("log_tallies"),
    logSeconds: db.collection("log_seconds"),
    postedRecords: db.collection("booked"),
    rollups: db.collection("rollups"),
    siteRollups: db.collection("site_rollups"),
    channelTotals: db.collection("channel_totals"),
    userDays: db.collection("user_days"),
    tokenDays: db.collection("token_days"),
    channelDays: db.collection("channel_days"),
    marginDays: db.collection("margin_days"),
    hourHealth: db.collection("hour_health"),
    partHealth: db.collection("part_health"),
    providerReports: db.collection("provider_reports"),
    deadLetters: db.collection("usage_dead_letters"),
    state: db.collection("billing_state"),
  };
}

/**
 * How long the id of a posted record without a log row is kept: longer than any record can wait on a relay's disk or in the stream.
 */
export const POSTED_RECORD_TTL_MS = 90 * 24 * 3600 * 1000;
