import { Envelope } from "@turnpike/contract/api/common";
import { z } from "zod/mini";
import { ApiError } from "./api-error.ts";
import { useConnection } from "./connection.ts";
import { currentLanguage } from "../text/i18n.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Call<Data> = {
  /**
   * The contract's shape of the response's `data`; without one no caller reads it. Fields it does not name are dropped.
   */
  readonly schema?: z.core.$ZodType<Data>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 30_000;

/** Called once for every 401, except for the sign-in form's. */
let onSignedOut: () => void = () => {};

/** Sets the handler for an ended session. */
export const setSignedOutHandler = (listener: () => void): void => {
  onSignedOut = listener;
};

/** Reports a 401 outside of `/api`. */
export const reportSignedOut = (): void => onSignedOut();

function getUrl(path: string, query: Query | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

async function send(method: string, path: string, call: Omit<Call<unknown>, "schema">): Promise<Response> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
  try {
    const response = await fetch(getUrl(path, call.query), {
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
  // When the gateway is down, the proxy before it responds, not in the console's envelope.
  const envelope = z.safeParse(Envelope, body);
  if (!envelope.success) return new ApiError(response.ok ? "unreadable" : "http", response.statusText, details);
  const { message, code, params } = envelope.data;
  return new ApiError("refused", message, { ...details, code, params });
}

function parseBody<Body>(schema: z.core.$ZodType<Body>, body: unknown, response: Response): Body {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  throw new ApiError("unreadable", "", { requestId, cause: parsed.error });
}

/** Sends a call and returns the whole body, for the few responses that have more than `data`. Throws ApiError. */
export async function callRaw<Body>(
  method: string,
  path: string,
  call: Call<Body> & { readonly schema: z.core.$ZodType<Body> },
): Promise<Body> {
  const response = await send(method, path, call);
  const body = await readJson(response);
  if (!response.ok || z.safeParse(Envelope, body).data?.success !== true) {
    if (response.status === 401) onSignedOut();
    throw failure(response, body);
  }
  return parseBody(call.schema, body, response);
}

/** Reads a JSON document that has no envelope. Throws ApiError. */
export async function getDocument<Body>(
  path: string,
  { schema, ...call }: Pick<Call<Body>, "signal"> & { readonly schema: z.core.$ZodType<Body> },
): Promise<Body> {
  const response = await send("GET", path, call);
  const body = await readJson(response);
  if (!response.ok) throw failure(response, body);
  return parseBody(schema, body, response);
}

async function callData<Data>(method: string, path: string, { schema, ...call }: Call<Data> = {}): Promise<Data> {
  const whole = z.object({ data: schema ?? z.optional(z.unknown()) });
  return (await callRaw(method, path, { ...call, schema: whole })).data as Data;
}

/** Calls of `/api`: each returns the parsed `data` of a success and throws ApiError for everything else. */
export const api = {
  get: <Data = unknown>(path: string, call?: Call<Data>) => callData("GET", path, call),
  post: <Data = unknown>(path: string, call?: Call<Data>) => callData("POST", path, call),
  put: <Data = unknown>(path: string, call?: Call<Data>) => callData("PUT", path, call),
  delete: <Data = unknown>(path: string, call?: Call<Data>) => callData("DELETE", path, call),
};
