import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthWorld, code, makeUser, setUp, startAuthWorld } from "./auth-world.ts";
import { createAuthenticator } from "./authenticator.ts";
import { letTimePass, visitor } from "./identity-world.ts";

const ORIGIN = "https://turnpike.example";
const refused = code("passkey_refused");

describe("passkeys", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let ada: { actor: Actor };
  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
    ada = await makeUser(world, root, { username: "ada" });
  });
  afterAll(() => world.stop());
  beforeEach(() => letTimePass(world));

  type Key = ReturnType<typeof createAuthenticator>;
  const place = (browserId = "browser one") => ({ origin: ORIGIN, visitor: visitor({ browserId }) });
  const getBegin = async (who: { actor: Actor }) =>
    (await world.identity.beginPasskeyRegistration({ userId: who.actor.userId, ...place() }, who)).optionsJson;
  const register = async (who: { actor: Actor }, key: Key, name = "") => {
    const credentialJson = key.register(await getBegin(who));
    const requested = { userId: who.actor.userId, ...place(), credentialJson, name };
    return (await world.identity.finishPasskeyRegistration(requested, who)).passkey;
  };
  const challenge = async (browserId?: string) =>
    (await world.identity.beginPasskeySignIn(place(browserId))).optionsJson;
  const finish = (credentialJson: string, browserId?: string) =>
    world.identity.finishPasskeySignIn({ ...place(browserId), credentialJson });

  it("creates, lists, renames, uses for sign-in, and deletes a passkey", async () => {
    const key = createAuthenticator(ORIGIN);
    const made = await register(ada, key, " My phone ");
    expect(made).toMatchObject({ id: key.id, name: "My phone", lastUsedAtSeconds: 0 });
    const { signedIn } = await finish(key.signIn(await challenge()));
    expect(signedIn).toMatchObject({ user: { id: ada.actor.userId } });
    await expect(world.client.resolveSession({ sessionId: signedIn?.sessionId ?? "" })).resolves.toBeDefined();
    const own = { userId: ada.actor.userId };
    const { passkey } = await world.identity.renamePasskey({ ...own, id: key.id, name: "Old phone" }, ada);
    expect(passkey?.name).toBe("Old phone");
    expect(passkey?.lastUsedAtSeconds).toBeGreaterThan(0);
    await expect(world.identity.renamePasskey({ ...own, id: key.id, name: "" }, ada)).rejects.toEqual(
      code("passkey_name_invalid"),
    );
    expect((await world.identity.listPasskeys(own, ada)).passkeys).toHaveLength(1);
    await world.identity.deletePasskey({ ...own, id: key.id }, ada);
    await expect(finish(key.signIn(await challenge()))).rejects.toEqual(refused);
    await expect(world.identity.deletePasskey({ ...own, id: key.id }, ada)).rejects.toEqual(code("passkey_not_found"));
  });

  it("requires user verification, and excludes existing passkeys", async () => {
    const key = createAuthenticator(ORIGIN);
    await register(ada, key);
    const made = JSON.parse(await getBegin(ada)) as Record<string, unknown>;
    expect(made).toMatchObject({
      rp: { id: "turnpike.example" },
      excludeCredentials: [{ id: key.id }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  });

  it("refuses a passkey that was created on another site, is unverified, responds to another challenge, or is repeated", async () => {
    const key = createAuthenticator(ORIGIN);
    const own = { userId: ada.actor.userId, name: "" };
    const finishNew = (credentialJson: string, browserId?: string) =>
      world.identity.finishPasskeyRegistration({ ...own, ...place(browserId), credentialJson }, ada);
    await expect(finishNew(key.register(await getBegin(ada), { origin: "https://evil.example" }))).rejects.toEqual(
      refused,
    );
    await expect(finishNew(key.register(await getBegin(ada), { isUnverified: true }))).rejects.toEqual(refused);
    await expect(finishNew(key.register(await getBegin(ada)), "another browser")).rejects.toEqual(refused);
    await expect(finishNew(key.register(await getBegin(root)))).rejects.toEqual(refused);
    await expect(finishNew("not json")).rejects.toEqual(refused);
    const credential = key.register(await getBegin(ada));
    await finishNew(credential);
    await expect(finishNew(credential)).rejects.toEqual(refused);
    await expect(
      world.identity.finishPasskeyRegistration(
        { userId: root.actor.userId, name: "", ...place(), credentialJson: key.register(await getBegin(root)) },
        root,
      ),
    ).rejects.toEqual(refused);
  });

  describe("passkey sign-in", () => {
    let key: Key;
    beforeEach(async () => {
      key = createAuthenticator(ORIGIN);
      await register(ada, key);
    });

    it("accepts a passkey for one challenge of one browser, once", async () => {
      const credential = key.signIn(await challenge());
      await finish(credential);
      await expect(finish(credential)).rejects.toEqual(refused);
      const other = key.signIn(await challenge("theirs"));
      await challenge("ours");
      await expect(finish(other, "ours")).rejects.toEqual(refused);
      await expect(finish(key.signIn(JSON.stringify({ challenge: "made up" })))).rejects.toEqual(refused);
    });

    it("refuses a passkey from another origin or host, unverified, or with another user's handle", async () => {
      for (const wrong of [
        { origin: "https://evil.example" },
        { rpId: "evil.example" },
        { isUnverified: true },
        { userHandle: Buffer.from(String(root.actor.userId)).toString("base64url") },
      ])
        await expect(finish(key.signIn(await challenge(), wrong))).rejects.toEqual(refused);
      await expect(finish(createAuthenticator(ORIGIN).signIn(await challenge()))).rejects.toEqual(refused);
    });

    it("refuses a counter that goes back, as a cloned key's would", async () => {
      key.setCounter(10);
      await finish(key.signIn(await challenge()));
      key.setCounter(5);
      await expect(finish(key.signIn(await challenge()))).rejects.toEqual(refused);
    });

    it("refuses banned users", async () => {
      await world.client.manageUser({ id: ada.actor.userId, action: "disable" }, root);
      await expect(finish(key.signIn(await challenge()))).rejects.toEqual(code("user_banned"));
      await world.client.manageUser({ id: ada.actor.userId, action: "enable" }, root);
    });
  });
});
