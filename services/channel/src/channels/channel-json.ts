import { findCostProblem } from "@turnpike/contract/pricing/channel-cost";
import { AppError } from "@turnpike/shared/errors/app-error";

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses a JSON object field, undefined for an empty field; throws channel_json_invalid for anything else. */
export function readJsonObject(field: string, text: string): Readonly<Record<string, unknown>> | undefined {
  if (text === "") return undefined;
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AppError("channel_json_invalid", `${field} is not a JSON object`, { params: { field } });
}

const isName = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** A failure status as number or text, as compatible consoles write it. */
const isFailureStatus = (value: unknown): boolean =>
  (typeof value === "number" || typeof value === "string") && /^[45]\d\d$/.test(String(value));

function checkEach(field: string, text: string, isRight: (key: string, value: unknown) => boolean): void {
  for (const [key, value] of Object.entries(readJsonObject(field, text) ?? {}))
    if (!isRight(key, value))
      throw new AppError("channel_mapping_invalid", `${field} has a wrong entry`, { params: { field, key } });
}

const PROXY_PROTOCOLS = new Set(["http:", "https:", "socks5:", "socks5h:"]);

const isProxy = (value: unknown): boolean =>
  value === "" || (typeof value === "string" && PROXY_PROTOCOLS.has(URL.parse(value.trim())?.protocol ?? ""));

/** Throws unless the text is empty or a valid object; `proxy` must be a proxy address. */
export function checkSetting(text: string): void {
  const { proxy } = readJsonObject("setting", text) ?? {};
  if (proxy === undefined || proxy === null || isProxy(proxy)) return;
  throw new AppError("channel_mapping_invalid", "no address of a proxy", {
    params: { field: "setting", key: "proxy" },
  });
}

/** Throws channel_cost_invalid, which names the wrong place, unless the text is empty or a cost side. */
export function checkCost(text: string): void {
  const cost = readJsonObject("cost", text);
  const problem = cost && findCostProblem(cost);
  if (!problem) return;
  const { path, detail } = problem;
  throw new AppError("channel_cost_invalid", `the cost side is not valid at ${path}`, { params: { path, detail } });
}

/** Throws unless the text is empty or maps model names to model names. */
export const checkModelMapping = (text: string): void => checkEach("model_mapping", text, (_, value) => isName(value));

/** Throws when a type 41 has no region, or regions that start like JSON but are invalid, have no default, or contain anything but names. */
export function checkRegions(text: string): void {
  if (text === "") throw new AppError("channel_region_required", "no region");
  if (!text.startsWith("{")) return;
  checkEach("other", text, (_, value) => isName(value));
  if (readJsonObject("other", text)?.["default"] !== undefined) return;
  throw new AppError("channel_mapping_invalid", "regions without a default", {
    params: { field: "other", key: "default" },
  });
}

/** Throws unless the text is empty or maps HTTP statuses to failure statuses. */
export const checkStatusCodeMapping = (text: string): void =>
  checkEach("status_code_mapping", text, (key, value) => /^[1-5]\d\d$/.test(key) && isFailureStatus(value));
