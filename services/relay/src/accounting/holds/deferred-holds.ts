import type { Logger } from "@turnpike/shared/log/log";
import type { AccountClient, HoldAnswer, HoldRequest } from "./account-client.ts";
import type { HighBalanceCache } from "./high-balance-cache.ts";
import type { WriteAheadLog, Note } from "../usage/write-ahead-log.ts";

/** The hold of a call on a high-balance account, sent some milliseconds later or never. */
export type DeferredHold = {
  /**
   * Appends the hold to the write-ahead log before any part of the response is sent: from then on a crash cannot make
   * the call free.
   */
  readonly secure: () => void;
  /** Sends the hold to Redis now, for operations that need it there. */
  readonly place: () => void;
  /**
   * Called when the call ended. Returns whether its hold was sent and must be settled or released, whether the
   * write-ahead log has it, and the entry to acknowledge once the call's cost is appended too.
   */
  readonly end: () => { readonly wasSent: boolean; readonly wasNoted: boolean; readonly note: Note | undefined };
  /** True once Redis refused the hold. */
  readonly isRefused: () => boolean;
};

type Deps = {
  readonly accounts: Pick<AccountClient, "hold" | "flush" | "relayId">;
  readonly highBalances: HighBalanceCache;
  readonly writeAheadLog: Pick<WriteAheadLog, "note" | "confirm">;
  /** Requests billing to load a missing balance into Redis. */
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly log: Logger;
};
type Waiting = {
  readonly request: HoldRequest;
  state: "waiting" | "sent" | "refused" | "ended";
  wasNoted: boolean;
  /** Set while only the write-ahead log has the hold. */
  note: Note | undefined;
};

/** A hold waits one to two ticks. */
const TICK_MS = 20;
/** Maximum number of calls of this relay that run without a hold. */
const WAITING_MAX = 500;

export type DeferredHolds = ReturnType<typeof createDeferredHolds>;

/**
 * Deferred holds for high-balance accounts. A hold prevents concurrent calls from spending a balance twice; if the
 * balance covers a thousand more such calls, a short call needs no hold, and only its settlement is sent to Redis.
 * Before a call sends data to its caller, it is appended to the write-ahead log; a call that still runs after some
 * milliseconds gets a normal hold.
 */
export function createDeferredHolds(deps: Deps) {
  let younger = new Set<Waiting>();
  let older = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const confirm = (waiting: Waiting): void => {
    if (waiting.note) deps.writeAheadLog.confirm(waiting.note);
    waiting.note = undefined;
  };
  const take = async (waiting: Waiting, answer: HoldAnswer): Promise<void> => {
    const { userId, tokenId } = waiting.request;
    if (answer.outcome === "held") {
      confirm(waiting);
      return deps.highBalances.remember(waiting.request, answer);
    }
    deps.highBalances.forget(userId);
    if (answer.outcome === "user_quota" || answer.outcome === "token_quota") waiting.state = "refused";
    if (answer.outcome === "not_loaded") await deps.loadAccount(userId, tokenId);
  };
  const send = (waiting: Waiting): void => {
    if (waiting.state !== "waiting") return;
    waiting.state = "sent";
    const { request } = waiting;
    deps.accounts
      .hold(request)
      .then((answer) => take(waiting, answer))
      .catch((error: unknown) => {
        deps.highBalances.forget(request.userId);
        deps.log.warn({ err: error, requestId: request.requestId }, "deferred hold could not be placed");
      });
  };
  const isNoted = (waiting: Waiting): boolean => {
    const { requestId, userId, tokenId, amount, json } = waiting.request;
    const entry = { amount, tokenId, relayId: deps.accounts.relayId, settled: false, json: json() };
    waiting.note = deps.writeAheadLog.note({ requestId, userId, entry });
    return (waiting.wasNoted = waiting.note !== undefined);
  };
  const tick = (): void => {
    for (const waiting of older) send(waiting);
    older = younger;
    younger = new Set();
    timer = older.size === 0 ? undefined : setTimeout(tick, TICK_MS);
  };

  return {
    /** Creates a hold that is not sent yet. */
    open(request: HoldRequest): DeferredHold {
      const waiting: Waiting = { request, state: "waiting", wasNoted: false, note: undefined };
      if (younger.size + older.size >= WAITING_MAX) send(waiting);
      else younger.add(waiting);
      timer ??= setTimeout(tick, TICK_MS);
      const forget = (): boolean => younger.delete(waiting) || older.delete(waiting);
      const place = (): void => {
        if (waiting.state === "ended") return;
        forget();
        send(waiting);
        deps.accounts.flush();
      };
      return {
        secure() {
          if (waiting.state === "waiting" && !waiting.wasNoted && !isNoted(waiting)) place();
        },
        place,
        end() {
          const wasSent = waiting.state !== "waiting";
          forget();
          waiting.state = "ended";
          const { note, wasNoted } = waiting;
          waiting.note = undefined;
          return { wasSent, wasNoted, note };
        },
        isRefused: () => waiting.state === "refused",
      };
    },
  };
}
