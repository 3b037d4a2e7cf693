import type { RehearsalBody } from "@turnpike/contract/api/prices/rehearsal";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { describeError } from "../../../lib/api/api-error.ts";
import { rehearseStep } from "./rehearsal-api.ts";
import { addStep, NO_SUMS, type RehearsalSums } from "./rehearsal-sums.ts";

/** The proposed prices: changes of the prices of one revision. */
export type Proposal = { readonly changes: readonly PriceChange[]; readonly revision: number };
type Span = { readonly startSeconds: number; readonly endSeconds: number };

export type Rehearsal = {
  readonly state: "idle" | "running" | "stopped" | "done";
  readonly sums: RehearsalSums;
  /** The share of the span that is read, from 0 to 1. */
  readonly progress: number;
  readonly problem?: string;
};

const IDLE: Rehearsal = { state: "idle", sums: NO_SUMS, progress: 0 };

function getProgress({ startSeconds, endSeconds }: Span, reachedSeconds: number): number {
  const length = endSeconds - startSeconds;
  return length <= 0 ? 1 : Math.min(1, Math.max(0, (endSeconds - reachedSeconds) / length));
}

/** Reads a span step by step, newest calls first, until its start or until it is stopped; the sums so far stay. */
async function readSteps(
  { changes, revision }: Proposal,
  span: Span,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (rehearsal: Rehearsal) => void },
): Promise<void> {
  let sums = NO_SUMS;
  let after: RehearsalBody["after"];
  for (;;) {
    const { startSeconds: start_timestamp, endSeconds: end_timestamp } = span;
    const body = { changes: changes as RehearsalBody["changes"], revision, start_timestamp, end_timestamp };
    const step = await rehearseStep({ ...body, ...(after && { after }) }, signal);
    sums = addStep(sums, step);
    if (!step.next) return report({ state: "done", sums, progress: 1 });
    after = step.next;
    report({ state: "running", sums, progress: getProgress(span, after.created_at) });
  }
}

/** A rehearsal of proposed prices over a span of past calls. */
export function useRehearsal(proposal: Proposal) {
  const { t } = useTranslation();
  const [rehearsal, setRehearsal] = useState(IDLE);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (span: Span): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setRehearsal({ ...IDLE, state: "running" });
    try {
      await readSteps(proposal, span, { signal, report: setRehearsal });
    } catch (error) {
      if (!signal.aborted) setRehearsal((now) => ({ ...now, state: "stopped", problem: describeError(error, t) }));
    }
  };
  const stop = (): void => {
    running.current?.abort();
    setRehearsal((now) => ({ ...now, state: "stopped" }));
  };
  return { ...rehearsal, start, stop };
}
