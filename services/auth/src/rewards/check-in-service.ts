import { AppError } from "@turnpike/shared/errors/app-error";
import { inTransaction, isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { Connection } from "mongoose";
import type { CreditOutbox } from "./credit-outbox.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { CheckInDoc, CheckInModel } from "./check-in-model.ts";
import { getDay, drawReward } from "./check-in-rules.ts";

export type CheckInState = {
  readonly enabled: boolean;
  readonly checkedInToday: boolean;
  readonly day: string;
  readonly amount: number;
};
export type CheckInService = ReturnType<typeof createCheckInService>;

const toReference = (userId: number, day: string): string => `check-in:${userId}:${day}`;

/**
 * The daily reward: the check-in and its credit are written in one transaction, so the reward is neither lost nor
 * granted twice.
 */
export function createCheckInService(deps: {
  mongo: Connection;
  model: CheckInModel;
  credits: Pick<CreditOutbox, "add" | "sendNow">;
  options: OptionReader;
  nowMs: () => number;
}) {
  const { mongo, model, credits, options, nowMs } = deps;
  const find = (id: string): Promise<CheckInDoc | null> =>
    model.findById(id).maxTimeMS(QUERY_TIMEOUT_MS).lean<CheckInDoc | null>().exec();
  const done = (cause?: unknown): AppError => new AppError("check_in_done", "checked in today already", { cause });

  const write = async (doc: CheckInDoc): Promise<void> => {
    const { _id: reference, userId, amount } = doc;
    try {
      await inTransaction(mongo, async (session) => {
        await model.create([doc], { session });
        await credits.add({ reference, userId, kind: "check-in", amount, reason: "用户签到，获得" }, session);
      });
    } catch (error) {
      throw isDuplicateKey(error) ? done(error) : error;
    }
  };
  return {
    /** Today's check-in status; available even when check-in is disabled. */
    async status(userId: number): Promise<CheckInState> {
      const inForce = await options.inForce();
      const day = getDay(inForce.text("CheckInTimezone"), new Date(nowMs()));
      const today = await find(toReference(userId, day));
      return {
        enabled: inForce.flag("CheckInEnabled"),
        checkedInToday: today !== null,
        day,
        amount: today?.amount ?? 0,
      };
    },
    /** Claims today's reward and returns it; throws check_in_disabled, check_in_misconfigured or check_in_done. */
    async checkIn(userId: number): Promise<number> {
      const inForce = await options.inForce();
      const amount = drawReward(inForce);
      const day = getDay(inForce.text("CheckInTimezone"), new Date(nowMs()));
      const reference = toReference(userId, day);
      if (await find(reference)) throw done();
      await write({ _id: reference, userId, day, amount, atSeconds: Math.floor(nowMs() / 1000) });
      await credits.sendNow(reference);
      return amount;
    },
  };
}
