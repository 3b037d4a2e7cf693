import type { Logger } from "@turnpike/shared/log/log";
import type { AccountClient } from "./account-client.ts";
import type { HoldResponse, HoldRequest } from "./account-requests.ts";
import type { HighBalanceCache } from "./high-balance-cache.ts";
import type { WriteAheadLog, AppendReceipt } from "../usage/write-ahead-log.ts";

type Deps = {
  readonly accounts: Pick<AccountClient, "hold" | "flush" | "relayId">;
  readonly highBalances: HighBalanceCache;
  readonly writeAheadLog: Pick<WriteAheadLog, "append" | "acknowledge">;
  /** Requests billing to load a missing balance into Redis. */
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly log: Logger;
};
export type EndedHold = {
  readonly wasSent: boolean;
  readonly wasAppended: boolean;
  readonly receipt: AppendReceipt | undefined;
};

/** A hold waits one to two ticks. */
const TICK_MS = 20;
/** Maximum number of calls of this relay that run without a hold. */
const WAITING_MAX = 500;

/**
 * Deferred holds for high-balance accounts. A hold prevents concurrent calls from spending a balance twice; if the
 * balance covers a thousand more such calls, a short call needs no hold, and only its settlement is sent to Redis.
 * Before a call sends data to its caller, it is appended to the write-ahead log; a call that still runs after some
 * milliseconds gets a normal hold.
 */
export class DeferredHolds {
  readonly #deps: Deps;
  #younger = new Set<DeferredHold>();
  #older = new Set<DeferredHold>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Creates a hold that is not sent yet. */
  open(request: HoldRequest): DeferredHold {
    const hold = new DeferredHold(request, this.#deps, this);
    if (this.#younger.size + this.#older.size >= WAITING_MAX) hold.send();
    else this.#younger.add(hold);
    if (this.#timer === undefined) this.#timer = setTimeout(this.#tick, TICK_MS);
    return hold;
  }

  /** Called when a hold no longer waits. */
  remove(hold: DeferredHold): void {
    if (!this.#younger.delete(hold)) this.#older.delete(hold);
  }

  readonly #tick = (): void => {
    for (const hold of this.#older) hold.send();
    this.#older = this.#younger;
    this.#younger = new Set();
    this.#timer = this.#older.size === 0 ? undefined : setTimeout(this.#tick, TICK_MS);
  };
}

/** The hold of a call on a high-balance account, sent some milliseconds later or never. */
export class DeferredHold {
  readonly #request: HoldRequest;
  readonly #deps: Deps;
  readonly #queue: Pick<DeferredHolds, "remove">;
  #state: "waiting" | "sent" | "refused" | "ended" = "waiting";
  #wasAppended = false;
  /** Set while only the write-ahead log has the hold. */
  #receipt: AppendReceipt | undefined;

  constructor(request: HoldRequest, deps: Deps, queue: Pick<DeferredHolds, "remove">) {
    this.#request = request;
    this.#deps = deps;
    this.#queue = queue;
  }

  /**
   * Appends the hold to the write-ahead log before any part of the response is sent: from then on a crash cannot make
   * the call free.
   */
  secure(): void {
    if (this.#state === "waiting" && !this.#wasAppended && !this.#append()) this.place();
  }

  /** Sends the hold to Redis now, for operations that need it there. */
  place(): void {
    if (this.#state === "ended") return;
    this.#queue.remove(this);
    this.send();
    this.#deps.accounts.flush();
  }

  /** Sends the hold with this event-loop tick's batch, once. */
  send(): void {
    if (this.#state !== "waiting") return;
    this.#state = "sent";
    const { accounts, highBalances, log } = this.#deps;
    const { requestId, userId } = this.#request;
    accounts
      .hold(this.#request)
      .then((response) => this.#take(response))
      .catch((error: unknown) => {
        highBalances.forget(userId);
        log.warn({ err: error, requestId }, "deferred hold could not be placed");
      });
  }

  /**
   * Called when the call ended. Returns whether its hold was sent and must be settled or released, whether the
   * write-ahead log has it, and the entry to acknowledge once the call's cost is appended too.
   */
  end(): EndedHold {
    const wasSent = this.#state !== "waiting";
    this.#queue.remove(this);
    this.#state = "ended";
    const receipt = this.#receipt;
    this.#receipt = undefined;
    return { wasSent, wasAppended: this.#wasAppended, receipt };
  }

  /** True until the hold is sent. */
  isWaiting(): boolean {
    return this.#state === "waiting";
  }

  /** True once Redis refused the hold. */
  isRefused(): boolean {
    return this.#state === "refused";
  }

  /** False if the disk refuses the entry. */
  #append(): boolean {
    const { requestId, userId, tokenId, amount, json } = this.#request;
    const { writeAheadLog, accounts } = this.#deps;
    const entry = { amount, tokenId, relayId: accounts.relayId, settled: false, json: json() };
    this.#receipt = writeAheadLog.append({ requestId, userId, entry });
    return (this.#wasAppended = this.#receipt !== undefined);
  }

  async #take(response: HoldResponse): Promise<void> {
    const { highBalances, writeAheadLog, loadAccount } = this.#deps;
    const { userId, tokenId } = this.#request;
    if (response.outcome === "held") {
      if (this.#receipt) writeAheadLog.acknowledge(this.#receipt);
      this.#receipt = undefined;
      return highBalances.remember(this.#request, response);
    }
    highBalances.forget(userId);
    if (response.outcome === "user_quota" || response.outcome === "token_quota") this.#state = "refused";
    if (response.outcome === "not_loaded") await loadAccount(userId, tokenId);
  }
}
