import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@turnpike/shared/grpc/context";
import { type AuthWorld, makeUser, PASSWORD, setUp, startAuthWorld } from "./auth-world.ts";

describe("failed password limits", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  beforeEach(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
  });
  afterEach(() => world.stop());

  const login = (username: string, password: string, address = "203.0.113.5"): Promise<string> =>
    world.client.login({ username, password, address, userAgent: "" }, { timeoutMs: 20_000 }).then(
      () => "in",
      (error: { code: string }) => error.code,
    );
  const times = (count: number, run: (index: number) => Promise<string>) =>
    Promise.all(Array.from({ length: count }, (_, index) => run(index)));
  const getCount = (outcomes: string[], outcome: string) => outcomes.filter((each) => each === outcome).length;

  it("locks an account after ten failures, also for the right password, and reports the time to wait", async () => {
    const outcomes = await times(25, (index) => login("root", "wrong password", `203.0.113.${index}`));
    expect(getCount(outcomes, "login_failed")).toBe(10);
    expect(getCount(outcomes, "login_rate_limited")).toBe(15);
    const error: unknown = await world.client
      .login({ username: "root", password: PASSWORD, address: "", userAgent: "" })
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: "login_rate_limited", params: { seconds: expect.stringMatching(/^\d+$/) } });
    const seconds = Number((error as { params: { seconds: string } }).params.seconds);
    expect(seconds).toBeGreaterThan(580);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  it("counts failures of an unknown name in the same way", async () => {
    const outcomes = await times(12, () => login("ghost", "wrong password"));
    expect(getCount(outcomes, "login_rate_limited")).toBe(2);
  });

  it("locks an address after fifty failures, while other addresses continue", async () => {
    const outcomes = await times(60, (index) => login(`name${index}`, "wrong password"));
    expect(getCount(outcomes, "login_failed")).toBe(50);
    expect(await login("root", PASSWORD)).toBe("login_rate_limited");
    expect(await login("root", PASSWORD, "203.0.113.99")).toBe("in");
  });

  it("does not count successes, however many are concurrent", async () => {
    expect(getCount(await times(60, () => login("root", PASSWORD)), "in")).toBe(60);
  });

  it("counts over all replicas", async () => {
    const other = await world.addReplica();
    await times(6, () => login("root", "wrong password"));
    const there = await times(6, () =>
      other.client.login({ username: "ROOT", password: "wrong password", address: "", userAgent: "" }).then(
        () => "in",
        (error: { code: string }) => error.code,
      ),
    );
    expect(getCount(there, "login_failed")).toBe(4);
  });

  it("counts a wrong current password as a failed sign-in", async () => {
    const self = await makeUser(world, root, { username: "guessed" });
    const edit = { id: self.actor.userId, username: undefined, displayName: undefined, settingJson: undefined };
    const tryGuess = () =>
      world.client
        .updateSelf({ ...edit, originalPassword: "a guess", password: "new password", sessionId: "" }, self)
        .then(
          () => "in",
          (error: { code: string }) => error.code,
        );
    expect(getCount(await times(12, tryGuess), "login_rate_limited")).toBe(2);
    expect(await login("guessed", PASSWORD, "")).toBe("login_rate_limited");
  });

  it("follows the options, where 0 disables the limit", async () => {
    await world.client.setOption({ key: "LoginFailureLimit", value: "2" }, root);
    expect(getCount(await times(5, () => login("root", "wrong password")), "login_failed")).toBe(2);
    await world.client.setOption({ key: "LoginFailureLimit", value: "0" }, root);
    expect(getCount(await times(15, () => login("root", "wrong password")), "login_failed")).toBe(15);
    expect(await login("root", PASSWORD)).toBe("in");
  });

  it("refuses every sign-in while Redis is down", async () => {
    world.redis.disconnect();
    expect(await login("root", PASSWORD)).toBe("unavailable");
    await expect(world.client.resolveSession({ sessionId: "x".repeat(43) })).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});
