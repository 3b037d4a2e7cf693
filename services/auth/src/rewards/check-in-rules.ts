import { randomInt } from "node:crypto";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";

const ZONE_DEFAULT = "UTC";
/** The longest range that node's uniform generator takes. */
const RANGE_MAX = 2 ** 48 - 1;

/** The calendar day at a moment in a time zone, as YYYY-MM-DD; UTC when none is named. */
export function getDay(zone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone === "" ? ZONE_DEFAULT : zone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(at);
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/**
 * Today's reward: CheckInQuota, or a uniformly random whole number up to CheckInMaxQuota when that is higher. Throws
 * check_in_disabled, or check_in_misconfigured when the reward is 0.
 */
export function drawReward(options: OptionsInForce): number {
  if (!options.flag("CheckInEnabled")) throw new AppError("check_in_disabled", "check-in is switched off");
  const least = options.number("CheckInQuota");
  const most = options.number("CheckInMaxQuota");
  if (least <= 0) throw new AppError("check_in_misconfigured", "CheckInQuota is 0");
  return most > least ? least + randomInt(Math.min(most - least, RANGE_MAX - 1) + 1) : least;
}
