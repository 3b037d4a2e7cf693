import { openKey } from "@turnpike/shared/accounts/account-keys";
import { STORE_PROGRESS } from "@turnpike/shared/accounts/call-scripts";
import type { Redis } from "@turnpike/shared/redis/redis";
import { defineScript, type Script } from "@turnpike/shared/redis/script";

/** The shortest and the longest time that a report waits for others. */
const WAIT_MIN_MS = 8;
const WAIT_MAX_MS = 100;
/** Between them it waits for this share of the response's age. */
const WAIT_SHARE = 0.04;
/** Writing reports takes at most this share of a process, measured over bursts of this duration: beyond it they wait longer. */
const BUSY_SHARE = 0.01;
const BURST_MS = 100;

/** By which factor a response grows until its progress is stored again. */
export const REPORT_STEP = 1.05;

/** How far a call is. */
export type ProgressReport = {
  /** The data with which billing posts the call as it stands now, on one line; written when it is sent, which only the last report is. */
  readonly toJson: () => string;
  /** How long it may wait for others, in ms (see `getReportWait`); longer only while the process is busy. */
  readonly waitMs: number;
};

/** How long the progress of a response of this age may wait, in ms, so that what is sent meanwhile is a small part of it. */
export const getReportWait = (ageMs: number): number =>
  Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, Math.floor(ageMs * WAIT_SHARE)));

/**
 * Writes to Redis how far running streams are, so that a stream of a relay that is killed is charged for what it sent. Reports that
 * wait are sent together, one script per user, when the first of them is due. A report that is lost is replaced by the next
 * one.
 */
export class ProgressReports {
  readonly #run: Script;
  readonly #now: () => number;
  #waiting = new Map<number, Map<string, ProgressReport>>();
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = 0;
  /** What reports took beyond their share, and when that was calculated. */
  #debtMs = 0;
  #debtAtMs = 0;

  /** `now` returns milliseconds that never go back. */
  constructor(redis: Redis, now = (): number => performance.now()) {
    this.#run = defineScript(redis, STORE_PROGRESS);
    this.#now = now;
  }

  add(userId: number, requestId: string, report: ProgressReport): void {
    const calls = this.#waiting.get(userId) ?? new Map<string, ProgressReport>();
    this.#waiting.set(userId, calls.set(requestId, report));
    const nowMs = this.#now();
    const waitMs = Math.max(report.waitMs, this.#getPause(nowMs));
    this.#schedule(nowMs + waitMs, waitMs);
  }

  /** The call has ended: its settlement replaces the progress. */
  remove(userId: number, requestId: string): void {
    this.#waiting.get(userId)?.delete(requestId);
  }

  /** How long reports must wait because they took too much of the process. */
  #getPause(nowMs: number): number {
    this.#debtMs = Math.max(0, this.#debtMs - (nowMs - this.#debtAtMs) * BUSY_SHARE);
    this.#debtAtMs = nowMs;
    return Math.min(WAIT_MAX_MS, Math.max(0, this.#debtMs - BURST_MS) / BUSY_SHARE);
  }

  #schedule(atMs: number, waitMs: number): void {
    if (this.#timer !== undefined && this.#dueAtMs <= atMs) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, waitMs);
    this.#dueAtMs = atMs;
  }

  readonly #flush = (): void => {
    const startedAtMs = this.#now();
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#timer = undefined;
    for (const [userId, calls] of waiting) {
      if (calls.size === 0) continue;
      let lines = "";
      for (const [requestId, report] of calls) lines += `${requestId}\n${report.toJson()}\n`;
      this.#run(1, openKey(userId), lines).catch(() => undefined);
    }
    this.#debtMs += this.#now() - startedAtMs;
  };
}
