import { randomUUID } from "node:crypto";
import { createBackgroundLoop } from "../concurrency/background-loop.ts";

/** Where a lease is stored, so that processes agree on who holds it. Each step is atomic and throws while the store is down. */
export type LeaseStore = {
  /** Takes the lease for a time if it is free, has expired or is the holder's own; false while another has it. */
  readonly acquire: (holder: string, durationMs: number) => Promise<boolean>;
  /** Extends the holder's lease; false when it is no longer the holder's. */
  readonly renew: (holder: string, durationMs: number) => Promise<boolean>;
  /** Frees the lease if it is still the holder's. */
  readonly release: (holder: string) => Promise<void>;
};

export type Lease = ReturnType<typeof createLease>;

/** A third of the lease, so that two renewals may be missed. */
const RENEWALS_PER_LEASE = 3;

/**
 * A lease that one holder has at a time, and that expires when its holder dies. What is done under it must stay correct when two do it for
 * a moment: a holder that was suspended notices late that it lost the lease.
 */
export function createLease(deps: { store: LeaseStore; durationMs: number; holder?: string }) {
  const { store, durationMs, holder = randomUUID() } = deps;

  const release = async (): Promise<void> => {
    // A lease that cannot be released expires.
    await store.release(holder).catch(() => undefined);
  };
  return {
    holder,
    /** Takes or renews the lease; false while another holder has it. Throws while the store is down. */
    acquire: (): Promise<boolean> => store.acquire(holder, durationMs),
    /** Releases the lease at once. Never throws. */
    release,
    /**
     * Runs a task under a lease that was just acquired: renews it meanwhile and releases it afterwards. The signal aborts when another
     * holder has the lease, or may have it because it could not be renewed in time.
     */
    async runHeld<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
      const lost = new AbortController();
      let heldUntilMs = performance.now() + durationMs;
      const renew = async (): Promise<void> => {
        const requestedAtMs = performance.now();
        const isRenewed = await store.renew(holder, durationMs).catch(() => undefined);
        if (isRenewed) heldUntilMs = requestedAtMs + durationMs;
        if (isRenewed === false || performance.now() >= heldUntilMs) lost.abort(new Error("the lease is lost"));
      };
      const everyMs = durationMs / RENEWALS_PER_LEASE;
      const renewals = createBackgroundLoop({ task: "lease renewal", run: renew, everyMs, firstMs: everyMs });
      renewals.start();
      try {
        return await run(lost.signal);
      } finally {
        await renewals.stop();
        await release();
      }
    },
  };
}
