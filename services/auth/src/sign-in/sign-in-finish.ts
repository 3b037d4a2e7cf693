import { createHash } from "node:crypto";
import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";
import type { TicketKind, TicketStore } from "../codes/ticket-store.ts";
import type { AttemptLimits } from "../limits/attempt-limits.ts";
import { ADDRESS_LIMITS, SECOND_FACTOR_OF_SIGN_IN } from "../limits/limit-rules.ts";
import type { SessionService } from "../sessions/session-service.ts";
import type { TwoFactorService } from "../two-factor/two-factor-service.ts";
import { isInGoodStanding, toUser } from "../users/user.ts";
import type { UserDoc } from "../users/user-model.ts";
import type { UserStore } from "../users/user-store.ts";

export type SignInFinish = ReturnType<typeof createSignInFinish>;

const LIFE_SECONDS = 300;
const WaitingPayload = z.object({ userId: z.int(), epoch: z.int(), browser: z.string() });
/** A sign-in whose first factor was right; valid only in the browser that began it. */
const WAITING: TicketKind<z.infer<typeof WaitingPayload>> = {
  name: "sign-in",
  payload: WaitingPayload,
  lifeSeconds: LIFE_SECONDS,
};

const expired = (): AppError => new AppError("sign_in_expired", "the sign-in has expired");

/** The stored hash of a browser's random id. */
export const browserHash = (visitor: Visitor | undefined): string =>
  createHash("sha256")
    .update(visitor?.browserId ?? "")
    .digest("hex");

/** Throws user_deregistered or user_banned. */
export function checkWelcome(user: UserDoc): void {
  if (user.deletedAtSeconds !== 0) throw new AppError("user_deregistered", "the user has deregistered");
  if (!isInGoodStanding(user)) throw new AppError("user_banned", "the user is banned");
}

/** The last step of every sign-in: a session at once, or after the second factor. */
export function createSignInFinish(deps: {
  users: UserStore;
  sessions: SessionService;
  twoFactor: TwoFactorService;
  tickets: TicketStore;
  limits: AttemptLimits;
  nowSeconds: () => number;
}) {
  const { users, sessions, twoFactor, tickets, limits, nowSeconds } = deps;

  const open = async (user: UserDoc, visitor: Visitor | undefined): Promise<SignedIn> => {
    checkWelcome(user);
    const from = { address: visitor?.address ?? "", userAgent: visitor?.userAgent ?? "" };
    return { ...(await sessions.open(user, from)), user: toUser(user), pending: undefined };
  };
  return {
    /** For a sign-in method that is strong by itself, such as a passkey; throws user_banned, user_deregistered. */
    open,
    /** For all other methods: users with a second factor get a ticket and no session yet. */
    async openOrWait(user: UserDoc, visitor: Visitor | undefined): Promise<SignedIn> {
      checkWelcome(user);
      if (!(await twoFactor.isOn(user._id))) return open(user, visitor);
      const payload = { userId: user._id, epoch: user.sessionEpoch, browser: browserHash(visitor) };
      const id = await tickets.issue(WAITING, payload);
      const pending = {
        id,
        expiresAtSeconds: nowSeconds() + LIFE_SECONDS,
        methods: ["totp", "recovery_code"],
      };
      return { sessionId: "", expiresAtSeconds: 0, user: toUser(user), pending };
    },
    /** Completes a pending sign-in; throws sign_in_expired, two_factor_code_wrong, rate_limited. */
    async finishWaiting(pendingId: string, code: string, visitor: Visitor | undefined): Promise<SignedIn> {
      const fromAddress = await limits.takeFrom(ADDRESS_LIMITS.secondFactor, visitor?.address ?? "");
      const waiting = await tickets.peek(WAITING, pendingId);
      if (!waiting || waiting.browser !== browserHash(visitor)) throw expired();
      await limits.take(SECOND_FACTOR_OF_SIGN_IN, pendingId);
      const user = await users.findById(waiting.userId);
      // A concurrent password change invalidates sign-ins that began with the old password.
      if (!user || user.sessionEpoch !== waiting.epoch) throw expired();
      checkWelcome(user);
      await twoFactor.pass(user._id, code);
      if (!(await tickets.take(WAITING, pendingId))) throw expired();
      await fromAddress.undo();
      return open(user, visitor);
    },
  };
}
