import { type OptionDefinition, type OptionKey, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthWorld, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

describe("options", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let admin: { actor: Actor };
  let user: { actor: Actor };
  const notices: { revision: number; keys: string[] }[] = [];

  beforeAll(async () => {
    // Auth stores every option itself, prices included, as with a billing service of an earlier version.
    world = await startAuthWorld({ hasPriceBook: false });
    world.bus.listen(optionsChanged, (notice) => void notices.push(notice));
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
    user = await makeUser(world, root, { username: "user" });
  });
  afterAll(() => world.stop());

  const set = (key: string, value: string, by = admin) => world.client.setOption({ key, value }, by);
  const getValue = async (key: string, client = world.client) =>
    (await client.getOptionsSnapshot({})).options.find((option) => option.key === key)?.value;

  it("returns the built-in value until one is stored", async () => {
    expect(await getValue("RetryTimes")).toBe(OPTIONS.RetryTimes.default);
    expect(await getValue("ModelRatio")).toBe(OPTIONS.ModelRatio.default);
    const { options } = await world.client.getOptionsSnapshot({});
    expect(options.length).toBeGreaterThan(100);
  });

  it("increases the revision with each change and publishes it", async () => {
    notices.length = 0;
    const { revision } = await set("RetryTimes", "3");
    expect((await set("RetryTimes", "4")).revision).toBe(revision + 1);
    await vi.waitFor(() => expect(notices).toHaveLength(2));
    expect(notices.at(-1)).toEqual({ revision: revision + 1, keys: ["RetryTimes"] });
  });

  it("shows a change on every replica as soon as the response is sent", async () => {
    const other = await world.addReplica();
    await getValue("SystemName", other.client);
    for (const name of ["One", "Two", "Three"]) {
      await set("SystemName", name);
      expect(await getValue("SystemName", other.client)).toBe(name);
    }
  });

  it("accepts many concurrent changes without losing one", async () => {
    const before = (await world.client.getOptionsSnapshot({})).revision;
    const keys = ["Notice", "About", "Footer", "EpayId", "TelegramBotName", "SMTPAccount", "Notice", "About"];
    const responses = await Promise.all(keys.map((key, index) => set(key, `value ${index}`)));
    expect(responses.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual(
      keys.map((_, index) => before + index + 1),
    );
    expect((await world.client.getOptionsSnapshot({})).revision).toBe(before + keys.length);
  });

  it("refuses an invalid value and keeps the old value stored and in force", async () => {
    await set("GroupRatio", '{"default":1,"gold":0.5}');
    const { revision } = await world.client.getOptionsSnapshot({});
    await expect(set("GroupRatio", '{"default":')).rejects.toMatchObject({ code: "option_invalid" });
    await expect(set("GroupRatio", '{"default":-1}')).rejects.toMatchObject({
      code: "option_invalid",
      params: { key: "GroupRatio" },
    });
    await expect(set("RetryTimes", "many")).rejects.toMatchObject({ code: "option_invalid" });
    await expect(set("NoSuchThing", "1")).rejects.toMatchObject({
      code: "option_unknown",
      params: { key: "NoSuchThing" },
    });
    expect(await getValue("GroupRatio")).toBe('{"default":1,"gold":0.5}');
    expect((await world.client.getOptionsSnapshot({})).revision).toBe(revision);
  });

  it("enables a sign-in only if its requirements are set, secrets included", async () => {
    await expect(set("GitHubOAuthEnabled", "true")).rejects.toMatchObject({
      code: "option_needs",
      params: { key: "GitHubOAuthEnabled", needs: "GitHubClientId, GitHubClientSecret" },
    });
    await set("GitHubClientId", "an id");
    await expect(set("GitHubOAuthEnabled", "true")).rejects.toMatchObject({ params: { needs: "GitHubClientSecret" } });
    await set("GitHubClientSecret", "a secret");
    await expect(set("GitHubOAuthEnabled", "true")).resolves.toBeDefined();
    await set("oidc.client_id", "an id");
    await expect(set("oidc.enabled", "true")).rejects.toMatchObject({
      params: { needs: "oidc.well_known / oidc.authorization_endpoint" },
    });
    await set("oidc.well_known", "https://id.example/.well-known/openid-configuration");
    await expect(set("oidc.enabled", "true")).resolves.toBeDefined();
  });

  it("refuses to clear what an enabled switch requires", async () => {
    await expect(set("GitHubClientSecret", "")).rejects.toMatchObject({
      code: "option_in_use",
      params: { key: "GitHubClientSecret", by: "GitHubOAuthEnabled" },
    });
    await expect(set("GitHubClientSecret", "another")).resolves.toBeDefined();
    await set("oidc.authorization_endpoint", "https://id.example/authorize");
    await expect(set("oidc.well_known", "")).resolves.toBeDefined();
    await expect(set("oidc.authorization_endpoint", "")).rejects.toMatchObject({ code: "option_in_use" });
    for (const by of ["GitHubOAuthEnabled", "oidc.enabled"]) await set(by, "false");
    await expect(set("GitHubClientSecret", "")).resolves.toBeDefined();
  });

  it("stores addresses without trailing slashes", async () => {
    await set("ServerAddress", " https://gate.example/ ");
    expect(await getValue("ServerAddress")).toBe("https://gate.example");
  });

  it("lets only root write options with code that runs in every browser", async () => {
    for (const key of ["custom_head_html", "global_js", "global_css"]) {
      await expect(set(key, "/* hello */")).rejects.toMatchObject({ code: "option_forbidden" });
      await set(key, "/* hello */", root);
      expect((await world.client.listOptions({}, admin)).options).toContainEqual({ key, value: "/* hello */" });
    }
  });

  describe("batch change", () => {
    const setAll = (values: Record<string, string>, by = admin) =>
      world.client.setOptions({ options: Object.entries(values).map(([key, value]) => ({ key, value })) }, by);
    const auditRows = async () => {
      const filter = {
        page: 1,
        pageSize: 100,
        actor: "",
        action: "option.set",
        keyword: "",
        startSeconds: 0,
        endSeconds: 0,
      };
      return (await world.client.listAuditEntries(filter, root)).items;
    };

    it("takes effect with one revision, one event and one audit row that names the keys", async () => {
      const { revision } = await world.client.getOptionsSnapshot({});
      const rows = (await auditRows()).length;
      notices.length = 0;
      expect(await setAll({ Footer: "a footer", RetryTimes: "5", SMTPToken: "hidden" })).toEqual({
        revision: revision + 1,
      });
      expect(await Promise.all(["Footer", "RetryTimes"].map((key) => getValue(key)))).toEqual(["a footer", "5"]);
      await vi.waitFor(() =>
        expect(notices).toEqual([{ revision: revision + 1, keys: ["Footer", "RetryTimes", "SMTPToken"] }]),
      );
      const [newest, ...older] = await auditRows();
      expect(older).toHaveLength(rows);
      expect(newest).toMatchObject({ target: "option:Footer,RetryTimes,SMTPToken" });
      expect(JSON.parse(newest?.afterJson ?? "")).toEqual({ Footer: "a footer", RetryTimes: "5", SMTPToken: "***" });
    });

    it("stores all options or none", async () => {
      const { revision } = await world.client.getOptionsSnapshot({});
      const rows = (await auditRows()).length;
      const refused = [
        {
          values: { Footer: "lost", RetryTimes: "many" },
          error: { code: "option_invalid", params: { key: "RetryTimes" } },
        },
        { values: { Footer: "lost", NoSuchThing: "1" }, error: { code: "option_unknown" } },
        { values: { Footer: "lost", LinuxDOOAuthEnabled: "true" }, error: { code: "option_needs" } },
        { values: { Footer: "lost", global_js: "alert(1)" }, error: { code: "option_forbidden" } },
      ];
      for (const { values, error } of refused) await expect(setAll(values)).rejects.toMatchObject(error);
      const repeated = [
        { key: "Footer", value: "1" },
        { key: "Footer", value: "2" },
      ];
      await expect(world.client.setOptions({ options: repeated }, admin)).rejects.toMatchObject({
        code: "invalid_input",
      });
      await expect(world.client.setOptions({ options: [] }, admin)).rejects.toMatchObject({ code: "invalid_input" });
      expect(await getValue("Footer")).toBe("a footer");
      expect((await world.client.getOptionsSnapshot({})).revision).toBe(revision);
      expect(await auditRows()).toHaveLength(rows);
    });

    it("may contain a switch and its requirements, in any order", async () => {
      await setAll({ LinuxDOOAuthEnabled: "true", LinuxDOClientId: "an id", LinuxDOClientSecret: "a secret" });
      expect(await getValue("LinuxDOOAuthEnabled")).toBe("true");
      await expect(setAll({ LinuxDOClientId: "" })).rejects.toMatchObject({ code: "option_in_use" });
      await setAll({ LinuxDOClientId: "", LinuxDOClientSecret: "", LinuxDOOAuthEnabled: "false" });
      expect(await getValue("LinuxDOClientId")).toBe("");
    });
  });

  it("accepts a valid value and refuses an invalid one for each option, without changing anything", async () => {
    const keys = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[];
    for (const key of keys) {
      const { type, default: good }: OptionDefinition = OPTIONS[key];
      await set(key, good, root);
      const bad = { boolean: "maybe", integer: "1.5", number: "x", json: "{", text: "x".repeat(600_000) }[type];
      expect([key, await set(key, bad, root).catch((error: { code: string }) => error.code)]).toEqual([
        key,
        "option_invalid",
      ]);
    }
    const { options } = await world.client.getOptionsSnapshot({});
    for (const { key, value } of options) expect([key, value]).toEqual([key, OPTIONS[key as OptionKey].default]);
  }, 60_000);

  it("returns only whether a secret option is set", async () => {
    const secrets = (Object.keys(OPTIONS) as OptionKey[]).filter((key) => (OPTIONS[key] as OptionDefinition).secret);
    expect(secrets.length).toBeGreaterThan(8);
    for (const key of secrets) await set(key, `hidden-${key}`, root);
    const { isSet } = await world.site.listSecretStates({}, admin);
    expect(isSet).toEqual(Object.fromEntries(secrets.map((key) => [key, true])));
    await set("SMTPToken", "", root);
    expect((await world.site.listSecretStates({}, admin)).isSet["SMTPToken"]).toBe(false);
    await expect(world.site.listSecretStates({}, user)).rejects.toMatchObject({ code: "permission_denied" });
    const seen = [await world.client.listOptions({}, root), await world.client.getOptionsSnapshot({}), isSet];
    expect(JSON.stringify(seen)).not.toContain("hidden-");
  });

  it("never shows a secret: not in lists, snapshots, audit rows or the database", async () => {
    const secret = "smtp-hunter2-secret";
    await set("SMTPToken", secret);
    await set("oidc.client_secret", secret);
    const seen = await Promise.all([
      world.client.listOptions({}, root),
      world.client.getOptionsSnapshot({}),
      world.client.listAuditEntries(
        { page: 1, pageSize: 100, actor: "", action: "", keyword: "", startSeconds: 0, endSeconds: 0 },
        root,
      ),
      world.mongo.collection("options").find().toArray(),
    ]);
    expect(JSON.stringify(seen)).not.toContain(secret);
    expect(JSON.stringify(seen.slice(0, 2))).not.toContain("SMTPToken");
    expect(JSON.stringify(seen[2])).toContain("SMTPToken");
  });

  it("lets admins change and list options, and refuses lower roles", async () => {
    await expect(set("Notice", "mine", user)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(world.client.listOptions({}, user)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(world.client.setOption({ key: "Notice", value: "x" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    const { options } = await world.client.listOptions({}, admin);
    expect(options.map(({ key }) => key)).toContain("SMTPServer");
  });

  it("restricts sign-in, payment and mail options to root while SecretOptionsRootOnly is on", async () => {
    await set("SecretOptionsRootOnly", "true", root);
    for (const key of ["SMTPServer", "EpayKey", "PasswordLoginEnabled", "SecretOptionsRootOnly"])
      await expect(set(key, "false")).rejects.toMatchObject({ code: "option_forbidden" });
    await expect(set("SystemName", "Mine")).resolves.toBeDefined();
    const listed = async (by: { actor: Actor }) =>
      (await world.client.listOptions({}, by)).options.map(({ key }) => key);
    expect(await listed(admin)).not.toContain("SMTPServer");
    expect(await listed(root)).toContain("SMTPServer");
    await set("SecretOptionsRootOnly", "false", root);
    await expect(set("SMTPServer", "smtp.example")).resolves.toBeDefined();
  });

  it("resets the model ratios to the built-in table", async () => {
    await set("ModelRatio", '{"gpt-4o":99}');
    expect(await getValue("ModelRatio")).toBe('{"gpt-4o":99}');
    await world.client.resetModelRatio({}, admin);
    expect(await getValue("ModelRatio")).toBe(OPTIONS.ModelRatio.default);
  });

  it("tolerates a stored value that this version cannot parse", async () => {
    await world.mongo
      .collection<{ _id: string }>("options")
      .updateOne({ _id: "CacheRatio" }, { $set: { value: "{broken" } }, { upsert: true });
    await set("Notice", "so that the rows are read again");
    expect(await getValue("CacheRatio")).toBe(OPTIONS.CacheRatio.default);
    await expect(set("CacheRatio", '{"a":1}')).resolves.toBeDefined();
    expect(await getValue("CacheRatio")).toBe('{"a":1}');
  });
});
