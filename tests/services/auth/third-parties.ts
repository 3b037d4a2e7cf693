import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** One request received by a third party. */
export type Requested = {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
};
type ScriptedResponse = { readonly status?: number; readonly body: unknown };

async function read(request: IncomingMessage): Promise<Requested> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://third.party");
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return { path: url.pathname, query: url.searchParams, form, headers: request.headers };
}

/**
 * GitHub, LINUX DO, the WeChat server and Turnstile on one port, scripted: codes are `<provider>:<who>`, each valid
 * once as in reality, and the profile of each user is set by the test.
 */
export async function startThirdParties() {
  const profiles = new Map<string, object>();
  const usedCodes = new Set<string>();
  const requested: Requested[] = [];
  const goodWidgetResponses = new Set<string>();

  const exchange = ({ form }: Requested): ScriptedResponse => {
    const code = form.get("code") ?? "";
    if (!profiles.has(code) || usedCodes.has(code)) return { body: { error: "bad_verification_code" } };
    usedCodes.add(code);
    return { body: { access_token: `token of ${code}`, token_type: "bearer" } };
  };
  const profile = ({ headers }: Requested): ScriptedResponse => {
    const found = profiles.get((headers.authorization ?? "").replace(/^Bearer token of /, ""));
    return found ? { body: found } : { status: 401, body: {} };
  };
  const wechat = ({ query, headers }: Requested): ScriptedResponse => {
    if (headers.authorization !== "wechat token") return { body: { success: false, message: "bad token" } };
    const code = query.get("code") ?? "";
    return { body: code.startsWith("good-") ? { success: true, data: code.slice(5) } : { success: false } };
  };
  const turnstile = ({ form }: Requested): ScriptedResponse => ({
    body: {
      success: form.get("secret") === "turnstile secret" && goodWidgetResponses.delete(form.get("response") ?? ""),
    },
  });
  const paths: Record<string, (request: Requested) => ScriptedResponse> = {
    "/github/token": exchange,
    "/github/user": profile,
    "/linuxdo/token": exchange,
    "/linuxdo/user": profile,
    "/api/wechat/user": wechat,
    "/turnstile": turnstile,
    "/broken": () => ({ status: 502, body: {} }),
  };
  const server = createServer((request, response) => {
    void read(request).then((seen) => {
      requested.push(seen);
      const { status = 200, body } = paths[seen.path]?.(seen) ?? { status: 404, body: {} };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requested,
    goodWidgetResponses: goodWidgetResponses,
    endpoints: {
      GITHUB_TOKEN_ENDPOINT: `${url}/github/token`,
      GITHUB_USER_ENDPOINT: `${url}/github/user`,
      LINUX_DO_TOKEN_ENDPOINT: `${url}/linuxdo/token`,
      LINUX_DO_USER_ENDPOINT: `${url}/linuxdo/user`,
      TURNSTILE_VERIFY_ENDPOINT: `${url}/turnstile`,
    },
    /** A code for a user with this profile. */
    codeFor: (code: string, about: object): string => {
      profiles.set(code, about);
      return code;
    },
    stop: (): void => void server.close(),
  };
}
export type ThirdParties = Awaited<ReturnType<typeof startThirdParties>>;
