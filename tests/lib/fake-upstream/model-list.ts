import type { ServerResponse } from "node:http";

/** Serves a GET: the model list in the form of the path's provider, else 404. */
export function modelList(response: ServerResponse, path: string, models: readonly string[]): void {
  const json = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  if (path.startsWith("/v1beta/models")) {
    const rows = models.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      supportedGenerationMethods: ["generateContent"],
    }));
    return json(200, { models: rows });
  }
  if (!path.endsWith("/models"))
    return json(404, { error: { message: `Invalid URL (GET ${path})`, type: "invalid_request_error" } });
  const rows = models.map((id) => ({
    id,
    object: "model",
    type: "model",
    display_name: id,
    created: 1_700_000_000,
    owned_by: "fake",
  }));
  return json(200, { object: "list", data: rows, has_more: false });
}
