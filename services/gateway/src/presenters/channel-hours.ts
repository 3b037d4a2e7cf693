import type { ChannelHours } from "@turnpike/contract/api/channels/channel-health";
import type { ListPartHoursResponse, PartHour } from "@turnpike/proto/billing/v1/report_service";

const HOUR_SECONDS = 3_600;

type Hour = ChannelHours["hours"][number];
const toHour = (hour: number, found: PartHour | undefined): Hour => ({
  hour,
  count: found?.count ?? 0,
  error_count: found?.errorCount ?? 0,
  average_ms: found && found.count > 0 ? Math.round(found.totalMs / found.count) : 0,
});

/** The hours of each of these channels, those without calls included. */
export function toChannelHours(
  ids: readonly string[],
  { firstHour, lastHour, parts }: ListPartHoursResponse,
): ChannelHours[] {
  const starts = Array.from(
    { length: (lastHour - firstHour) / HOUR_SECONDS + 1 },
    (_, index) => firstHour + index * HOUR_SECONDS,
  );
  const partsById = new Map(parts.map(({ key, hours }) => [key, new Map(hours.map((hour) => [hour.hour, hour]))]));
  return ids.map((id) => ({
    channel_id: Number(id),
    hours: starts.map((hour) => toHour(hour, partsById.get(id)?.get(hour))),
  }));
}
