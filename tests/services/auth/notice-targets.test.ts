import {
  NoticeTargetServiceClient,
  type NoticeTargetServiceServer,
  NoticeTargetServiceService,
} from "@turnpike/proto/auth/v1/notice_target_service";
import {
  SecretOptionServiceClient,
  type SecretOptionServiceServer,
  SecretOptionServiceService,
} from "@turnpike/proto/auth/v1/secret_option_service";
import { createGrpcClient, type GrpcClient } from "@turnpike/shared/grpc/client";
import type { Actor } from "@turnpike/shared/grpc/context";
import { createGrpcServer, type GrpcServer } from "@turnpike/shared/grpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthWorld, code, log, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

const internalSecret = "a secret of the tests";

describe("user and secret lookups for services", () => {
  let world: AuthWorld;
  let server: GrpcServer;
  let targets: GrpcClient<NoticeTargetServiceServer>;
  let secrets: GrpcClient<SecretOptionServiceServer>;
  let root: { actor: Actor };
  let ada: { actor: Actor };
  beforeAll(async () => {
    world = await startAuthWorld();
    const serving = createGrpcServer({ log, internalSecret });
    serving.add(NoticeTargetServiceService, world.auth.noticeTargets);
    serving.add(SecretOptionServiceService, world.auth.secretOptions);
    server = await serving.listen("127.0.0.1", 0);
    const to = { address: `127.0.0.1:${server.port}`, internalSecret };
    targets = createGrpcClient<NoticeTargetServiceServer>(NoticeTargetServiceClient, to);
    secrets = createGrpcClient<SecretOptionServiceServer>(SecretOptionServiceClient, to);
    root = await setUp(world);
    ada = await makeUser(world, root, { username: "ada" });
  });
  afterAll(async () => {
    targets.close();
    secrets.close();
    await server.stop();
    await world.stop();
  });

  const setSetting = (who: { actor: Actor }, setting: object) =>
    world.client.updateSelf({ id: who.actor.userId, sessionId: "", settingJson: JSON.stringify(setting) }, who);
  const getThreshold = async (who: { actor: Actor }): Promise<number | undefined> =>
    (await targets.listWarningThresholds({ userIds: [who.actor.userId] })).thresholds[0]?.threshold;

  it("returns where a user receives notifications, with the secret in clear", async () => {
    const hook = { notify_type: "webhook", webhook_url: "https://a.example/hook", webhook_secret: "sesame" };
    await setSetting(ada, { ...hook, notification_email: "ada@mail.example" });
    expect(await targets.getNoticeTarget({ userId: ada.actor.userId })).toEqual({
      userId: ada.actor.userId,
      username: "ada",
      notifyType: "webhook",
      email: "ada@mail.example",
      webhookUrl: "https://a.example/hook",
      webhookSecret: "sesame",
    });
    expect(JSON.stringify(await world.mongo.collection("users").find().toArray())).not.toContain("sesame");
  });

  it("returns the root user for id 0, and nothing for an unknown id", async () => {
    expect(await targets.getNoticeTarget({ userId: 0 })).toMatchObject({
      userId: root.actor.userId,
      notifyType: "email",
    });
    await expect(targets.getNoticeTarget({ userId: 999_999 })).rejects.toEqual(code("user_not_found"));
  });

  it("returns a user's own threshold or the site's, for active users only", async () => {
    expect(await getThreshold(root)).toBe(1_000);
    await world.client.setOption({ key: "QuotaRemindThreshold", value: "2500" }, root);
    expect(await getThreshold(root)).toBe(2_500);
    await setSetting(ada, { quota_warning_threshold: 0 });
    expect(await getThreshold(ada)).toBe(0);
    await world.client.manageUser({ id: ada.actor.userId, action: "disable" }, root);
    expect(await getThreshold(ada)).toBeUndefined();
    await world.client.manageUser({ id: ada.actor.userId, action: "enable" }, root);
  });

  it("returns names and marks deregistered users", async () => {
    const bob = await makeUser(world, root, { username: "bob" });
    await world.client.manageUser({ id: bob.actor.userId, action: "delete" }, root);
    const { names } = await targets.listUserNames({ userIds: [ada.actor.userId, bob.actor.userId, 999_999] });
    expect(names.toSorted((one, other) => one.userId - other.userId)).toMatchObject([
      { username: "ada", isDeregistered: false },
      { username: "bob", isDeregistered: true },
    ]);
    const tooMany = { userIds: Array.from({ length: 1_001 }, (_, id) => id) };
    await expect(targets.listUserNames(tooMany)).rejects.toEqual(code("invalid_input"));
    await expect(targets.listWarningThresholds(tooMany)).rejects.toEqual(code("invalid_input"));
  });

  it("returns secret options only", async () => {
    await world.client.setOption({ key: "SMTPToken", value: "smtp-pass-word" }, root);
    const { values } = await secrets.getSecretOptions({ keys: ["SMTPToken", "EpayKey"] });
    expect(values).toEqual({ SMTPToken: "smtp-pass-word", EpayKey: "" });
    await expect(secrets.getSecretOptions({ keys: ["SystemName"] })).rejects.toEqual(code("option_unknown"));
    await expect(secrets.getSecretOptions({ keys: ["nonsense"] })).rejects.toEqual(code("option_unknown"));
  });

  it("serves services only: even root is refused", async () => {
    for (const call of [
      () => targets.getNoticeTarget({ userId: 0 }, root),
      () => targets.listWarningThresholds({ userIds: [] }, root),
      () => targets.listUserNames({ userIds: [] }, root),
      () => secrets.getSecretOptions({ keys: ["SMTPToken"] }, root),
    ])
      await expect(call()).rejects.toEqual(code("permission_denied"));
  });
});
