import {
  type GetNoticeTargetResponse,
  type NoticeTargetServiceServer,
  NoticeTargetServiceService,
} from "@turnpike/proto/auth/v1/notice_target_service";
import {
  type SecretOptionServiceServer,
  SecretOptionServiceService,
} from "@turnpike/proto/auth/v1/secret_option_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireService } from "@turnpike/shared/grpc/caller";
import { createGrpcServer, type Handlers } from "@turnpike/shared/grpc/server";
import type { Logger } from "@turnpike/shared/log/log";

export const USERS = 250;
export const DEREGISTERED = 9;
export type Target = Partial<Omit<GetNoticeTargetResponse, "userId" | "username">>;

const NO_TARGET = { notifyType: "email", email: "", webhookUrl: "", webhookSecret: "" };
const isUser = (id: number): boolean => id >= 1 && id <= USERS;

/**
 * Fake auth for messaging: users 1 to 250; the first is root and the ninth deregistered. It counts its calls and can be
 * made unavailable.
 */
export async function startFakeAuth(deps: { log: Logger; internalSecret: string }) {
  const state = {
    calls: 0,
    isAway: false,
    targets: new Map<number, Target>(),
    thresholds: new Map<number, number>(),
    secrets: {} as Record<string, string>,
  };
  const response = <Value>(value: () => Value): Promise<Value> => {
    state.calls++;
    return state.isAway ? Promise.reject(new AppError("unavailable", "away")) : Promise.resolve().then(value);
  };
  const targets: Handlers<NoticeTargetServiceServer> = {
    listUserNames: ({ userIds }) =>
      response(() => ({
        names: userIds.filter(isUser).map((userId) => ({
          userId,
          username: `user${userId}`,
          displayName: `User ${userId}`,
          isDeregistered: userId === DEREGISTERED,
        })),
      })),
    listWarningThresholds: ({ userIds }) =>
      response(() => ({
        thresholds: userIds
          .filter((id) => isUser(id) && id !== DEREGISTERED)
          .map((userId) => ({ userId, threshold: state.thresholds.get(userId) ?? 1_000 })),
      })),
    getNoticeTarget: ({ userId: requested }, context) =>
      response(() => {
        requireService(context);
        const userId = requested === 0 ? 1 : requested;
        if (!isUser(userId)) throw new AppError("user_not_found", "no such user");
        return { ...NO_TARGET, userId, username: `user${userId}`, ...state.targets.get(userId) };
      }),
  };
  const secrets: Handlers<SecretOptionServiceServer> = {
    getSecretOptions: ({ keys }, context) =>
      response(() => {
        requireService(context);
        return { values: Object.fromEntries(keys.map((key) => [key, state.secrets[key] ?? ""])) };
      }),
  };
  const server = createGrpcServer(deps);
  server.add(NoticeTargetServiceService, targets);
  server.add(SecretOptionServiceService, secrets);
  return Object.assign(state, await server.listen("127.0.0.1", 0));
}
