import type { Logger } from "@turnpike/shared/log/log";
import type { AccountClient, HoldAnswer, HoldRequest } from "./account-client.ts";
import type { HighBalanceCache } from "./high-balance-cache.ts";
import type { WriteAheadLog, Note } from "../usage/write-ahead-log.ts";

/** The hold of a call on an ample account, which is sent some milliseconds late or never. */
export type DeferredHold = {
  /** Notes the hold now, before anything of the answer leaves: from then on a crash cannot make the call free. */
  readonly secure: () => void;
  /** Hands the hold to Redis now, for what needs it there. */
  readonly place: () => void;
  /**
   * The call has ended. Says whether its hold was sent and must be settled or given back, whether the journal knows of it, and the
   * note that is to be confirmed once what the call cost is noted, too.
   */
  readonly end: () => { readonly wasSent: boolean; readonly wasNoted: boolean; readonly note: Note | undefined };
  /** True once Redis has refused it after all. */
  readonly isRefused: () => boolean;
};

type Deps = {
  readonly accounts: Pick<AccountClient, "hold" | "flush" | "relayId">;
  readonly ample: HighBalanceCache;
  readonly journal: Pick<WriteAheadLog, "note" | "confirm">;
  /** Asks billing to put a balance into Redis that is not there. */
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly log: Logger;
};
type Waiting = {
  readonly request: HoldRequest;
  state: "waiting" | "sent" | "refused" | "ended";
  wasNoted: boolean;
  /** In the journal alone so far. */
  note: Note | undefined;
};

/** A hold waits one to two of these. */
const TICK_MS = 20;
/** So many calls of this relay may run without a hold at most. */
const WAITING_MAX = 500;

export type DeferredHolds = ReturnType<typeof createDeferredHolds>;

/**
 * Holds for accounts whose balance is ample. A hold keeps a balance from being spent twice by calls that run at once; where a
 * thousand more of them would be covered, a short call needs none, and only its settlement goes to Redis. A call that sends its
 * caller something is noted on disk before; one that still runs after some milliseconds is held like any other.
 */
export function createDeferredHolds(deps: Deps) {
  let younger = new Set<Waiting>();
  let older = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const confirm = (waiting: Waiting): void => {
    if (waiting.note) deps.journal.confirm(waiting.note);
    waiting.note = undefined;
  };
  const take = async (waiting: Waiting, answer: HoldAnswer): Promise<void> => {
    const { userId, tokenId } = waiting.request;
    if (answer.outcome === "held") {
      confirm(waiting);
      return deps.ample.remember(waiting.request, answer);
    }
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
      .then((answer) => take(waiting, answer))
      .catch((error: unknown) => {
        deps.ample.forget(request.userId);
        deps.log.warn({ err: error, requestId: request.requestId }, "a hold could not be placed beside its call");
      });
  };
  const isNoted = (waiting: Waiting): boolean => {
    const { requestId, userId, tokenId, amount, json } = waiting.request;
    const entry = { amount, tokenId, relayId: deps.accounts.relayId, settled: false, json: json() };
    waiting.note = deps.journal.note({ requestId, userId, entry });
    return (waiting.wasNoted = waiting.note !== undefined);
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
