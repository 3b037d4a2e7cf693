/** A response of `/api`, whatever its status. */
export type ApiResponse<Data = unknown> = {
  readonly status: number;
  readonly headers: Headers;
  readonly success: boolean;
  readonly message: string;
  readonly code: string | undefined;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly data: Data;
  /** The raw body, for responses without the usual envelope. */
  readonly text: string;
};

export type Call = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Sent unchanged, for bodies that are not JSON. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ConsoleClient = ReturnType<typeof createConsoleClient>;

const TIMEOUT_MS = 20_000;

type Envelope = {
  success?: boolean;
  message?: string;
  code?: string;
  params?: Record<string, unknown>;
  data?: unknown;
};

function parseEnvelope(text: string): Envelope {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

function queryText(query: Call["query"]): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** A browser's view of the console API: keeps cookies, sends its own origin, parses the envelope. */
export function createConsoleClient(baseUrl: string) {
  const cookies = new Map<string, string>();

  function keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      const ended = /max-age=0\b/i.test(line) || /expires=thu, 01 jan 1970/i.test(line);
      if (value === "" || ended) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function call<Data = unknown>(method: string, path: string, options: Call = {}): Promise<ApiResponse<Data>> {
    const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(`${baseUrl}${path}${queryText(options.query)}`, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(method === "GET" ? {} : { origin: baseUrl }),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    keepCookies(response.headers);
    const text = await response.text();
    const { success = false, message = "", code, params, data } = parseEnvelope(text);
    return {
      status: response.status,
      headers: response.headers,
      success,
      message,
      code,
      params,
      data: data as Data,
      text,
    };
  }

  /** The data of a successful response; throws with the complete response otherwise. */
  async function expectData<Data = unknown>(method: string, path: string, options: Call = {}): Promise<Data> {
    const response = await call<Data>(method, path, options);
    if (!response.success)
      throw new Error(`${method} ${path} returned ${response.status}: ${response.text.slice(0, 500)}`);
    return response.data;
  }

  return {
    baseUrl,
    cookies,
    call,
    expectData,
    get: <Data = unknown>(path: string, query?: Call["query"]) => expectData<Data>("GET", path, query ? { query } : {}),
    post: <Data = unknown>(path: string, body?: unknown) => expectData<Data>("POST", path, { body: body ?? {} }),
    put: <Data = unknown>(path: string, body?: unknown) => expectData<Data>("PUT", path, { body: body ?? {} }),
    delete: <Data = unknown>(path: string) => expectData<Data>("DELETE", path),
    login: (username: string, password: string) =>
      expectData<{ id: number; username: string; role: number }>("POST", "/api/user/login", {
        body: { username, password },
      }),
  };
}
