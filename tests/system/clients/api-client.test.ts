import { ApiRefusal, createApiClient, expectSuccess } from "@turnpike/api-client";
import { describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite();

const asRoot = async () =>
  createApiClient({
    baseUrl: at.world.consoleUrl,
    accessToken: await at.testSite.root.get<string>("/api/user/token"),
  });

describe("the typed client of /api", () => {
  it("creates, lists, changes and deletes a token", async () => {
    const api = await asRoot();
    const { id, key } = expectSuccess(await api.POST("/api/token/", { body: { name: "typed" } })).data;
    expect(key).toMatch(/^\w{40,}$/);
    const query = { keyword: "typed", paged: true };
    const page = expectSuccess(await api.GET("/api/token/search", { params: { query } })).data;
    expect(page).toMatchObject({ total: 1, items: [{ id, name: "typed", status: 1 }] });
    const change = { params: { query: { status_only: true } }, body: { id, status: 2 } };
    expect(expectSuccess(await api.PUT("/api/token/", change)).data.status).toBe(2);
    const path = { params: { path: { id } } };
    expectSuccess(await api.DELETE("/api/token/{id}", path));
    await expect(api.GET("/api/token/{id}", path).then(expectSuccess)).rejects.toMatchObject({
      code: "token_not_found",
      status: 200,
    });
  });

  it("throws a refusal with the code and the HTTP status", async () => {
    const visitor = createApiClient({ baseUrl: at.world.consoleUrl });
    const refusal = await visitor
      .GET("/api/user/self")
      .then(expectSuccess)
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "unauthenticated", status: 401 });
    await expect(visitor.GET("/api/user/self").then(expectSuccess)).rejects.toBeInstanceOf(ApiRefusal);
  });
});

describe("description of the API", () => {
  it.each([
    ["console", "/api/openapi.json", "Turnpike console API"],
    ["console", "/v1/openapi.json", "Turnpike model API"],
    ["relay", "/v1/openapi.json", "Turnpike model API"],
  ])("is served without authentication: %s %s", async (from, path, title) => {
    const url = from === "relay" ? at.world.relayUrl : at.world.consoleUrl;
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ openapi: "3.1.0", info: { title } });
  });
});
