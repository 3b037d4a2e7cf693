import { REPORT_CHANNEL_TYPES } from "@turnpike/contract/api/channels/provider-report";
import type { ChannelReportServiceServer } from "@turnpike/proto/channel/v1/channel_report_service";
import type { RelayServiceServer } from "@turnpike/proto/relay/v1/relay_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireAdmin } from "@turnpike/shared/grpc/caller";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { ChannelChanges } from "../channels/channel-changes.ts";
import { readChannelSetting } from "@turnpike/contract/channel-setting";
import type { KeyRing } from "../channels/channel-keys.ts";
import type { ChannelStore } from "../channels/channel-store.ts";

type Deps = {
  readonly store: Pick<ChannelStore, "get" | "listReported">;
  readonly changes: Pick<ChannelChanges, "update">;
  readonly keyRing: Pick<KeyRing, "sealReportKey" | "openReportKey">;
  readonly relay: Pick<GrpcClient<RelayServiceServer>, "fetchUsageReport">;
};

/** Two queries with all their pages and repeats. */
const REPORT_TIMEOUT_MS = 120_000;
const KEY_LENGTH_MAX = 512;

const isSupported = (type: number): boolean => REPORT_CHANNEL_TYPES.some((known) => known === type);

/** RPCs over the report keys of channels, which are never returned. */
export function reportHandlers({ store, changes, keyRing, relay }: Deps): Handlers<ChannelReportServiceServer> {
  const listSiblings = async (lookupHash: string | undefined): Promise<number[]> =>
    lookupHash === undefined ? [] : (await store.listReported(lookupHash)).map(({ _id }) => _id);
  return {
    async setReportKey({ id, key: typed }, context) {
      const actor = requireAdmin(context);
      const key = typed.trim();
      if (key.length > KEY_LENGTH_MAX)
        throw new AppError("text_too_long", "the key is too long", {
          params: { field: "key", max: String(KEY_LENGTH_MAX) },
        });
      const { type } = await store.get(id);
      if (key !== "" && !isSupported(type)) throw new AppError("report_unsupported", "the provider has no report");
      const reportKey = key === "" ? null : keyRing.sealReportKey(key);
      await changes.update(id, () => ({ reportKey }), actor);
      return { hint: reportKey?.hint ?? "" };
    },
    async getReportAccount({ id }, context) {
      if (context.actor) requireAdmin(context);
      const { name, type, reportKey } = await store.get(id);
      const channelIds = await listSiblings(reportKey?.lookupHash);
      return { name, isSupported: isSupported(type), hint: reportKey?.hint ?? "", channelIds };
    },
    async listReportChannels(_request, context) {
      if (context.actor) requireAdmin(context);
      const first = new Map<string, number>();
      for (const { _id, reportKey } of await store.listReported())
        if (reportKey && !first.has(reportKey.lookupHash)) first.set(reportKey.lookupHash, _id);
      return { ids: [...first.values()] };
    },
    async fetchReport({ id, daySeconds }, context) {
      if (context.actor) requireAdmin(context);
      const { type, baseUrl, setting, reportKey } = await store.get(id);
      if (!reportKey) throw new AppError("report_key_missing", "the channel has no report key");
      const account = {
        type,
        baseUrl,
        key: keyRing.openReportKey(reportKey),
        proxy: readChannelSetting(setting).proxy,
      };
      const { requestId } = context;
      const report = await relay.fetchUsageReport(
        { ...account, daySeconds },
        { requestId, timeoutMs: REPORT_TIMEOUT_MS },
      );
      return { ...report, channelIds: await listSiblings(reportKey.lookupHash) };
    },
  };
}
