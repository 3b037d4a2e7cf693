import type { Collections } from "../store/collections.ts";
import type { ProviderReportDoc } from "../store/provider-report-document.ts";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";

export type ReportStore = ReturnType<typeof createReportStore>;

const toId = (channelId: number, day: number): string => `${channelId}:${day}`;
const options = { maxTimeMS: QUERY_TIMEOUT_MS } as const;

/** Compared days of providers' reports. */
export function createReportStore({ providerReports }: Pick<Collections, "providerReports">) {
  return {
    read: async (channelId: number, day: number): Promise<ProviderReportDoc | undefined> =>
      (await providerReports.findOne({ _id: toId(channelId, day) }, options)) ?? undefined,
    /** The newest days of one of these channels, which share an account. */
    list: (channelIds: readonly number[], limit: number): Promise<ProviderReportDoc[]> =>
      providerReports
        .find({ channelId: { $in: [...channelIds] } }, options)
        .sort({ day: -1 })
        .limit(limit)
        .toArray(),
    /** All days from this one on. */
    listSince: (day: number): Promise<ProviderReportDoc[]> =>
      providerReports.find({ day: { $gte: day } }, options).toArray(),
    async write(doc: Omit<ProviderReportDoc, "_id">): Promise<ProviderReportDoc> {
      const _id = toId(doc.channelId, doc.day);
      await providerReports.replaceOne({ _id }, doc, { upsert: true });
      return { _id, ...doc };
    },
  };
}
