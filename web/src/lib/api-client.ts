import { isEnvelope } from "./api-schemas.ts";
import { ApiError } from "./api-error.ts";
import type { Check } from "./check.ts";
import { useConnection } from "./connection.ts";
import { currentLanguage } from "./i18n.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Call<Data> = {
  /** Whether the answer's `data` is what the contract says. */
  readonly fits: Check<Data>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 30_000;

/** Called once for every 401 that is not an answer to the sign-in form. */
let onSignedOut: () => void = () => {};

/** Says what happens when the session turns out to be over. */
export const setSignedOutHandler = (listener: () => void): void => {
  onSignedOut = listener;
};

/** Says that a call outside of `/api` was answered 401. */
export const reportSignedOut = (): void => onSignedOut();

function urlOf(path: string, query: Query | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

async function send(method: string, path: string, call: Omit<Call<unknown>, "fits">): Promise<Response> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
  try {
    const response = await fetch(urlOf(path, call.query), {
      method,
      headers: {
        accept: "application/json",
        "accept-language": currentLanguage(),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    });
    useConnection.getState().report(true);
    return response;
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    if (timeout.aborted) throw new ApiError("timeout", "", { cause });
    useConnection.getState().report(false);
    throw new ApiError("unreachable", "", { cause });
  }
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch {
    return undefined;
  }
}

function failure(response: Response, body: unknown): ApiError {
  const details = {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfter(response),
  };
  // A gateway that is not there answers through whatever proxy stands before it, not in our envelope.
  if (!isEnvelope(body)) return new ApiError(response.ok ? "unreadable" : "http", response.statusText, details);
  const { message = "", code, params } = body;
  return new ApiError("refused", message, { ...details, code, params });
}

/** Sends a call and answers the whole body, for the few calls whose answer has more than `data`. Throws ApiError. */
export async function callRaw<Answer>(method: string, path: string, call: Call<Answer>): Promise<Answer> {
  const response = await send(method, path, call);
  const body = await readJson(response);
  const succeeded = isEnvelope(body) && body.success;
  if (!response.ok || !succeeded) {
    if (response.status === 401) onSignedOut();
    throw failure(response, body);
  }
  if (call.fits(body)) return body;
  throw new ApiError("unreadable", "", { requestId: response.headers.get("x-request-id") ?? undefined });
}

async function callData<Data>(method: string, path: string, call: Call<Data>): Promise<Data> {
  const { fits } = call;
  const isAnswer = (body: unknown): body is { readonly data: Data } => isEnvelope(body) && fits(body.data);
  return (await callRaw(method, path, { ...call, fits: isAnswer })).data;
}

/** Calls of `/api`: each answers the checked `data` of a success and throws ApiError for everything else. */
export const api = {
  get: <Data>(path: string, call: Call<Data>) => callData("GET", path, call),
  post: <Data>(path: string, call: Call<Data>) => callData("POST", path, call),
  put: <Data>(path: string, call: Call<Data>) => callData("PUT", path, call),
  delete: <Data>(path: string, call: Call<Data>) => callData("DELETE", path, call),
};
