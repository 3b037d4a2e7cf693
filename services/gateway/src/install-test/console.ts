const TIMEOUT_MS = 20_000;
const ATTEMPTS = 30;
const PAUSE_MS = 1_000;

type Envelope = {
  readonly success?: boolean;
  readonly message?: string;
  readonly code?: string;
  readonly data?: unknown;
};

/** A refusal of `/api`; a repeat is refused again. */
export class ConsoleRefusal extends Error {}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A session of `/api`. Requests are repeated while a service that was stopped is not back, for 30 seconds. */
export function createConsole(baseUrl: string) {
  const cookies = new Map<string, string>();

  async function request(method: string, path: string, body: unknown): Promise<unknown> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        origin: baseUrl,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const envelope = (await response.json()) as Envelope;
    if (envelope.success === true) return envelope.data;
    const refusal = `${method} ${path}: ${response.status} ${envelope.code ?? ""} ${envelope.message ?? ""}`;
    throw response.status >= 500 ? new Error(refusal) : new ConsoleRefusal(refusal);
  }

  /** Repeats what is safe to repeat: reads, and writes of a state. */
  async function repeat<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await request(method, path, body)) as Data;
      } catch (error) {
        if (error instanceof ConsoleRefusal || attempt === ATTEMPTS) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  return {
    get: <Data>(path: string) => repeat<Data>("GET", path),
    put: (path: string, body: unknown) => repeat("PUT", path, body),
    delete: (path: string) => repeat("DELETE", path),
    post: async <Data>(path: string, body: unknown) => (await request("POST", path, body)) as Data,
  };
}
export type Console = ReturnType<typeof createConsole>;
