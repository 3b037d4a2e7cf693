import { setTimeout as pause } from "node:timers/promises";

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 5;
const WAIT_MAX_SECONDS = 60;
const PAUSE_MS = 500;

type Envelope = {
  readonly success?: boolean;
  readonly message?: string;
  readonly code?: string;
  readonly data?: unknown;
};

/** A refusal of `/api`, or a failure to reach it. */
export class ConsoleError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** How to sign in: with an access token, or with the name and password of a user. */
export type Credentials = { readonly token: string } | { readonly username: string; readonly password: string };

async function readEnvelope(response: Response, what: string): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch {
    throw new ConsoleError("unreadable", `${what}: status ${response.status} without JSON`);
  }
}

function toUnreachable(baseUrl: string, error: unknown): ConsoleError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ConsoleError("unreachable", `${baseUrl} cannot be reached: ${message}`);
}

/** A client of `/api` in English. Waits where calls are limited; repeats reads that fail. */
export class Console {
  readonly #baseUrl: string;
  readonly #credentials: Credentials;
  #cookie = "";
  #signingIn: Promise<void> | undefined;
  #calls = 0;
  constructor(baseUrl: string, credentials: Credentials) {
    this.#baseUrl = baseUrl;
    this.#credentials = credentials;
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    this.#calls += 1;
    const token = "token" in this.#credentials ? { authorization: `Bearer ${this.#credentials.token}` } : {};
    const identity = this.#cookie === "" ? token : { cookie: this.#cookie };
    const headers = { "content-type": "application/json", "accept-language": "en", origin: this.#baseUrl, ...identity };
    try {
      return await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw toUnreachable(this.#baseUrl, error);
    }
  }

  /** Signs in once, however many requests wait for it. */
  #signIn(): Promise<void> {
    this.#signingIn ??= this.#openSession().finally(() => (this.#signingIn = undefined));
    return this.#signingIn;
  }

  async #openSession(): Promise<void> {
    if ("token" in this.#credentials) return;
    this.#cookie = "";
    const response = await this.#send("POST", "/api/user/login", this.#credentials);
    const envelope = await readEnvelope(response, "POST /api/user/login");
    if (envelope.success !== true)
      throw new ConsoleError(envelope.code ?? "login_failed", `sign-in: ${envelope.message ?? ""}`);
    const data = envelope.data as { role?: number } | undefined;
    if (data?.role === undefined)
      throw new ConsoleError("second_factor", "sign-in needs a second factor; use an access token (TURNPIKE_TOKEN)");
    this.#cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  }

  /** One request; undefined when it has to be repeated. */
  async #attempt(method: string, path: string, body: unknown): Promise<{ data: unknown } | undefined> {
    const response = await this.#send(method, path, body);
    if (response.status === 429) {
      const seconds = Math.min(WAIT_MAX_SECONDS, Number(response.headers.get("retry-after")) || 1);
      await response.body?.cancel();
      await pause(seconds * 1_000);
      return undefined;
    }
    if (response.status === 401 && "password" in this.#credentials) {
      await response.body?.cancel();
      await this.#signIn();
      return undefined;
    }
    const envelope = await readEnvelope(response, `${method} ${path}`);
    if (envelope.success === true) return { data: envelope.data };
    if (response.status >= 500 && method === "GET") {
      await pause(PAUSE_MS);
      return undefined;
    }
    throw new ConsoleError(envelope.code ?? String(response.status), envelope.message ?? `status ${response.status}`);
  }

  async #request<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    if (this.#cookie === "") await this.#signIn();
    for (let number = 1; number <= ATTEMPTS; number++) {
      const result = await this.#attempt(method, path, body);
      if (result) return result.data as Data;
    }
    throw new ConsoleError("unavailable", `${method} ${path}: no response after ${ATTEMPTS} attempts`);
  }

  get<Data>(path: string): Promise<Data> {
    return this.#request<Data>("GET", path);
  }

  put<Data = null>(path: string, body: unknown): Promise<Data> {
    return this.#request<Data>("PUT", path, body);
  }

  post<Data = null>(path: string, body: unknown): Promise<Data> {
    return this.#request<Data>("POST", path, body);
  }

  delete(path: string): Promise<null> {
    return this.#request<null>("DELETE", path);
  }

  /** Requests so far: the site limits them. */
  calls(): number {
    return this.#calls;
  }
}
