import type { Logger } from "@turnpike/shared/log/log";
import type { AccountClient, HoldAnswer, HoldRequest } from "./account-client.ts";
import type { AmpleBalances } from "./ample-balances.ts";

/** The hold of a call on an ample account, which is sent some milliseconds late or never. */
export type DeferredHold = {
  /** Hands the hold to Redis now, before anything of the answer leaves: from then on a crash cannot make the call free. */
  readonly secure: () => void;
  /** The call has ended: true when its hold was sent and must be settled or given back, else there is none. */
  readonly end: () => boolean;
  /** True once Redis has refused it after all. */
  readonly isRefused: () => boolean;
};

type Deps = {
  readonly accounts: Pick<AccountClient, "hold" | "flush">;
  readonly ample: AmpleBalances;
  /** Asks billing to put a balance into Redis that is not there. */
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly log: Logger;
};
type Waiting = { readonly request: HoldRequest; state: "waiting" | "sent" | "refused" | "ended" };

/** A hold waits one to two of these. */
const TICK_MS = 20;
/** So many calls of this relay may run without a hold at most. */
const WAITING_MAX = 500;

export type DeferredHolds = ReturnType<typeof createDeferredHolds>;

/**
 * Holds for accounts whose balance is ample. A hold keeps a balance from being spent twice by calls that run at once; where a
 * thousand more of them would be covered, a short call needs none, and only its settlement goes to Redis. A call that still runs
 * after some milliseconds, or that sends its caller something, is held like any other.
 */
export function createDeferredHolds(deps: Deps) {
  let younger = new Set<Waiting>();
  let older = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const note = async (waiting: Waiting, answer: HoldAnswer): Promise<void> => {
    const { userId, tokenId } = waiting.request;
    if (answer.outcome === "held") return deps.ample.remember(waiting.request, answer);
    deps.ample.forget(userId);
    if (answer.outcome === "user_quota" || answer.outcome === "token_quota") waiting.state = "refused";
    if (answer.outcome === "not_loaded") await deps.loadAccount(userId, tokenId);
  };
  const send = (waiting: Waiting): void => {
    if (waiting.state !== "waiting") return;
    waiting.state = "sent";
    const { request } = waiting;
    deps.accounts
      .hold(request)
      .then((answer) => note(waiting, answer))
      .catch((error: unknown) => {
        deps.ample.forget(request.userId);
        deps.log.warn({ err: error, requestId: request.requestId }, "a hold could not be placed beside its call");
      });
  };
  const tick = (): void => {
    for (const waiting of older) send(waiting);
    older = younger;
    younger = new Set();
    timer = older.size === 0 ? undefined : setTimeout(tick, TICK_MS);
  };

  return {
    /** A hold that is not sent yet. */
    open(request: HoldRequest): DeferredHold {
      const waiting: Waiting = { request, state: "waiting" };
      if (younger.size + older.size >= WAITING_MAX) send(waiting);
      else younger.add(waiting);
      timer ??= setTimeout(tick, TICK_MS);
      const forget = (): boolean => younger.delete(waiting) || older.delete(waiting);
      return {
        secure() {
          if (waiting.state !== "waiting") return;
          forget();
          send(waiting);
          deps.accounts.flush();
        },
        end() {
          const wasSent = waiting.state !== "waiting";
          forget();
          waiting.state = "ended";
          return wasSent;
        },
        isRefused: () => waiting.state === "refused",
      };
    },
  };
}
