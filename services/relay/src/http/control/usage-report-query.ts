import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import type { FetchUsageReportRequest, FetchUsageReportResponse } from "@turnpike/proto/relay/v1/relay_service";
import { retry } from "@turnpike/shared/concurrency/retry";
import { AppError } from "@turnpike/shared/errors/app-error";
import { providerSettings } from "../../pipeline/prepare/provider-target.ts";
import type { Target } from "../../providers/contract/target.ts";
import { findUsageReport } from "../../providers/registry/usage-reports.ts";
import type { ReportQuery } from "../../providers/usage-reports/usage-report.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";
import { cancelAfter } from "./channel-requests.ts";

type Deps = {
  readonly client: UpstreamClient;
  readonly options: () => OptionsInForce;
  readonly now: () => number;
};

const TIMEOUT_MS = 20_000;
const TIMEOUTS = { firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS };
/** All pages of a report. */
const REPORT_MS = 90_000;
const BYTES_MAX = 8 * 1024 * 1024;
const PAGES_MAX = 200;
const LINES_MAX = 50_000;
const ATTEMPTS_MAX = 4;
const BACKOFF = { firstMs: 500, maxMs: 8_000, factor: 3 };

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError("report_failed", detail, { params: { detail }, cause });

/** A failure that a repeat may not have. */
class TransientFailure extends Error {}

const isTransient = (status: number): boolean => status === 429 || status >= 500;

/** One page; throws TransientFailure for what may work later. */
async function readPage(
  deps: Deps,
  query: ReportQuery,
  { target, page }: { target: Target; page: string | undefined },
) {
  const { url, headers } = query.place(target, page);
  const request = { method: "GET", url, headers, body: undefined, ...TIMEOUTS, ...through(target.proxy) } as const;
  const options = { bytesMax: BYTES_MAX, onCancel: cancelAfter(TIMEOUT_MS) };
  const { status, body } = await receiveResponse(deps.client, request, options).catch((cause: unknown) => {
    throw new TransientFailure("unreachable", { cause });
  });
  if (isTransient(status)) throw new TransientFailure(`HTTP ${status}`);
  if (status !== 200) throw failed(`HTTP ${status}`);
  try {
    return query.read(JSON.parse(body.toString("utf8")));
  } catch (cause) {
    throw failed("the report is not in the expected format", cause);
  }
}

/** All pages of a query. */
async function readAll(deps: Deps, query: ReportQuery, target: Target): Promise<ReportLine[]> {
  const until = deps.now() + REPORT_MS;
  const lines: ReportLine[] = [];
  let page: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && lines.length <= LINES_MAX; pages++) {
    const read = () => readPage(deps, query, { target, page });
    const isRetryable = (error: unknown): boolean => error instanceof TransientFailure && deps.now() < until;
    const found = await retry(read, { backoff: BACKOFF, attemptsMax: ATTEMPTS_MAX, isRetryable });
    lines.push(...found.lines);
    if (found.next === undefined) return lines;
    if (deps.now() >= until) throw failed("the report took too long");
    // A provider that repeats a page would never end.
    if (found.next === page) throw failed("the report repeats a page");
    page = found.next;
  }
  throw failed("the report is too long");
}

/** Reads a day of an organization's usage and cost from its provider. */
export const createUsageReportQuery =
  (deps: Deps) =>
  async (request: FetchUsageReportRequest): Promise<FetchUsageReportResponse> => {
    const { type, baseUrl, key, proxy, daySeconds } = request;
    const report = findUsageReport(type);
    if (!report) throw new AppError("report_unsupported", "the provider has no report");
    const target: Target = {
      channelType: type,
      baseUrl: baseUrl.replace(/\/+$/, ""),
      key,
      model: "",
      organization: "",
      other: "",
      clientHeaders: {},
      settings: providerSettings(deps.options()),
      ...through(proxy === "" ? undefined : proxy),
    };
    try {
      const found = await Promise.all(report.queries(daySeconds).map((query) => readAll(deps, query, target)));
      return { lines: found.flat(), kinds: [...report.kinds], hasTiers: report.hasTiers };
    } catch (error) {
      throw error instanceof AppError ? error : failed((error as Error).message, error);
    }
  };
