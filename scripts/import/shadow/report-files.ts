import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { csvLines, UTF8_MARK } from "../../../services/gateway/src/http/export/csv.ts";
import { formatDollars } from "@turnpike/contract/pricing/dollars";
import { formatAmount } from "../litellm/dollars.ts";
import type { SpendCall } from "./spend-call.ts";
import { REASONS, type Reason, type ShadowPrice } from "./shadow-price.ts";
import { type createShadowSums, KINDS } from "./shadow-sums.ts";

/** Text that is written at once. */
const BUFFER_LENGTH = 65_536;
type Cells = readonly (string | number)[];

const CALL_COLUMNS = [
  "request_id",
  "time",
  "model",
  "upstream_model",
  "key",
  "user",
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "litellm_dollars",
  "litellm_units",
  "turnpike_dollars",
  "turnpike_units",
  "difference_units",
  "reason",
];
const SUM_COLUMNS = [
  "by",
  "name",
  "calls",
  "litellm_dollars",
  "litellm_units",
  "compared_calls",
  "compared_litellm_units",
  "turnpike_dollars",
  "turnpike_units",
  "difference_units",
];

/** The dollars of units, which may be negative. */
const toDollars = (units: number, quotaPerUnit: number): string =>
  `${units < 0 ? "-" : ""}${formatDollars(Math.abs(units), quotaPerUnit)}`;

/** A CSV file that is written as rows come, never faster than the disk. */
export async function openCsv(path: string, columns: Cells) {
  const stream = createWriteStream(path, { encoding: "utf8" });
  // Without a listener an error of the disk would end the process; `finished` and `once` report it.
  stream.on("error", () => undefined);
  await once(stream, "open");
  let text = UTF8_MARK + csvLines([columns]);
  const flush = async (): Promise<void> => {
    const piece = text;
    text = "";
    if (!stream.write(piece)) await once(stream, "drain");
  };
  return {
    async add(cells: Cells): Promise<void> {
      text += csvLines([cells]);
      if (text.length >= BUFFER_LENGTH) await flush();
    },
    async close(): Promise<void> {
      await flush();
      stream.end();
      await finished(stream);
    },
  };
}

/** The file of calls. */
export const openCalls = (path: string) => openCsv(path, CALL_COLUMNS);

/** The row of a call. */
export function toCallCells(
  call: SpendCall,
  { litellmUnits, units, reason }: ShadowPrice,
  names: { readonly key: string; readonly user: string; readonly quotaPerUnit: number },
): Cells {
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = call.usage;
  return [
    call.requestId,
    new Date(call.at * 1000).toISOString(),
    call.model,
    call.upstreamModel,
    names.key,
    names.user,
    promptTokens,
    completionTokens,
    cacheReadTokens,
    cacheWriteTokens,
    formatAmount(call.spend),
    litellmUnits,
    units === undefined ? "" : toDollars(units, names.quotaPerUnit),
    units ?? "",
    units === undefined ? "" : units - litellmUnits,
    reason,
  ];
}

/** Writes the file of sums, and returns the lines for the terminal. */
export async function writeSums(
  path: string,
  sums: ReturnType<typeof createShadowSums>,
  quotaPerUnit: number,
): Promise<string[]> {
  const file = await openCsv(path, SUM_COLUMNS);
  for (const kind of KINDS)
    for (const [name, sum] of sums.read(kind)) {
      const difference = sum.units - sum.comparedLitellmUnits;
      await file.add([
        kind,
        name,
        sum.calls,
        formatAmount(sum.litellmDollars),
        sum.litellmUnits,
        sum.comparedCalls,
        sum.comparedLitellmUnits,
        toDollars(sum.units, quotaPerUnit),
        sum.units,
        difference,
      ]);
    }
  await file.close();
  const [[, total] = []] = sums.read("total");
  if (!total) return ["the dump has no calls"];
  const dollars = (units: number): string => `$${toDollars(units, quotaPerUnit)}`;
  return [
    `${total.calls} calls: LiteLLM $${formatAmount(total.litellmDollars)}`,
    `${total.comparedCalls} of them can be compared: LiteLLM ${dollars(total.comparedLitellmUnits)}, Turnpike ${dollars(total.units)}, difference ${dollars(total.units - total.comparedLitellmUnits)}`,
    ...sums
      .read("reason")
      .map(
        ([reason, sum]) =>
          `  ${reason.padEnd(13)} ${String(sum.calls).padStart(10)} calls  ${dollars(sum.units - sum.comparedLitellmUnits).padStart(16)}  ${REASONS[reason as Reason]}`,
      ),
  ];
}
