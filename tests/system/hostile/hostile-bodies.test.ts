import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

let key = "";
beforeAll(async () => {
  const prices = JSON.stringify({ "dall-e-3": 0.04 });
  await at.testSite.root.put("/api/option/", { key: "ModelPrice", value: prices });
  await at.testSite.root.post("/api/channel/", {
    type: 1,
    name: "images",
    key: "up-images",
    base_url: at.upstream.url,
    models: "dall-e-3,whisper-1,gpt-4o-transcribe",
    group: "default",
  });
  ({ key } = await at.testSite.token());
});

const send = (path: string, body: string | FormData): Promise<Response> =>
  fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "x-api-key": key,
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    },
    body,
  });

const CHAT = '"messages":[{"role":"user","content":"Hello"}]';
const GEMINI = '"contents":[{"role":"user","parts":[{"text":"Hello"}]}]';

describe("a body that upstreams could read in two ways", () => {
  it.each([
    ["/v1/chat/completions", `{"model":"gpt-4o-mini","Model":"gpt-4o",${CHAT}}`, "Model"],
    ["/v1/chat/completions", `{"model":"gpt-4o-mini","model":"gpt-4o",${CHAT}}`, "model"],
    ["/v1/chat/completions", `{"model":"gpt-4o-mini","N":8,${CHAT}}`, "N"],
    ["/v1/chat/completions", `{"model":"gpt-4o-mini","me\u017fsages":[],${CHAT}}`, "me\u017fsages"],
    ["/v1/chat/completions", `{"model":"gpt-4o-mini","own":1,"own":2,${CHAT}}`, "own"],
    ["/v1/messages", `{"model":"claude-3-5-sonnet-20241022","max_tokens":5,"Max_Tokens":9,${CHAT}}`, "Max_Tokens"],
    ["/v1beta/models/gemini-2.0-flash:generateContent", `{"GenerationConfig":{},${GEMINI}}`, "GenerationConfig"],
    ["/v1beta/models/gemini-2.0-flash:generateContent", `{"Tool\u212Aind":1,"toolKind":1,${GEMINI}}`, "toolKind"],
    ["/v1beta/models/gemini-2.0-flash:generateContent", `{"model":"models/gemini-2.5-pro",${GEMINI}}`, "model"],
    ["/v1/responses", '{"model":"gpt-4o","input":"Hello","Input":"Goodbye"}', "Input"],
    ["/v1/embeddings", '{"model":"gpt-4o","input":"Hello","input":["a","b"]}', "input"],
    [
      "/v1/chat/completions",
      `{"model":"gpt-4o-mini","service_tier":"default","serviceTier":"x",${CHAT}}`,
      "serviceTier",
    ],
    ["/v1/images/generations", '{"model":"dall-e-3","prompt":"A tree","n":1,"N":9}', "N"],
  ])("is refused with 400 naming the key before any upstream (%s, %#)", async (path, body, name) => {
    at.upstream.calls.splice(0);
    const response = await send(path, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(name);
    expect(at.upstream.calls).toHaveLength(0);
  });

  it.each([
    ["model", "gpt-4o"],
    ["Model", "gpt-4o"],
  ])("is refused as a form, too (%s)", async (name, value) => {
    const form = new FormData();
    form.set("model", "whisper-1");
    form.append(name, value);
    form.set("file", new Blob([new Uint8Array(100)]), "a.wav");
    const response = await send("/v1/audio/transcriptions", form);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(name);
  });
});

describe("a form that upstreams could read in two ways", () => {
  const head = (name: string, rest = ""): string => `Content-Disposition: form-data; name="${name}"${rest}`;
  const RECORDING = [head("file", '; filename="a.wav"'), "RIFFsound"] as const;
  const write = (boundary: string, parts: readonly (readonly [string, string])[]): string =>
    `${parts.map(([heads, text]) => `--${boundary}\r\n${heads}\r\n\r\n${text}\r\n`).join("")}--${boundary}--\r\n`;
  const transcribe = (body: string, type: string): Promise<Response> =>
    fetch(`${at.world.relayUrl}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": type },
      body,
    });

  it.each([
    ["a model under a hidden name", [[`Content-Type: text/plain; name="x"\r\nX-Name: model`, "gpt-4o-transcribe"]]],
    ["an escaped name", [[head("mode\\l"), "gpt-4o-transcribe"]]],
    ["a list next to the field", [[head("model[]"), "gpt-4o-transcribe"]]],
    ["a file for a text", [[head("language", '; filename=""'), "de"]]],
  ] as const)("is refused with 400 before any upstream: %s", async (_, odd) => {
    at.upstream.calls.splice(0);
    const body = write("b", [[head("model"), "whisper-1"], RECORDING, ...odd]);
    expect((await transcribe(body, "multipart/form-data; boundary=b")).status).toBe(400);
    expect(at.upstream.calls).toHaveLength(0);
  });

  it("reaches upstream as it was priced, whatever else the body and its header hold", async () => {
    at.upstream.calls.splice(0);
    at.upstream.next({}, { text: "Hi" });
    const priced = write("B", [[head("model"), "whisper-1"], RECORDING]);
    const other = write("A", [[head("model"), "gpt-4o-transcribe"], RECORDING]);
    const response = await transcribe(priced + other, "multipart/form-data; x-boundary=A; boundary=B");
    expect(response.status).toBe(200);
    const [sent] = at.upstream.calls;
    expect(sent?.body).toMatchObject({ model: "whisper-1", file: "RIFFsound" });
    expect(sent?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=[\da-f-]{36}$/);
    expect((await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "")).model_name).toBe("whisper-1");
  });
});

describe("image beyond the requested number", () => {
  it("is charged if it was delivered", async () => {
    const data = Array.from({ length: 3 }, () => ({ b64_json: "iVBORw==" }));
    const raw = {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ created: 1, data }),
    };
    at.upstream.next({}, { raw });
    const response = await send("/v1/images/generations", '{"model":"dall-e-3","prompt":"A tree","n":1}');
    expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(3);
    const row = await at.testSite.readLogRow(response.headers.get("x-request-id") ?? "");
    expect(row.quota).toBe(3 * 0.04 * 500_000);
    expect(JSON.parse(row.other)).toMatchObject({ price_units: 3 });
  });
});
