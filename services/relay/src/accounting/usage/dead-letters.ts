import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "@turnpike/shared/log/log";
import { countDeadLetter } from "../../core/telemetry/relay-metrics.ts";

/** Longer payloads are cut: a file of dead letters must not fill the disk of the spool. */
const PAYLOAD_CHARACTERS_MAX = 1_000_000;
/** From this size on, further dead letters are only logged. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Why a message cannot be sent. */
export type DeadLetterReason = "too_large" | "unreadable";

export type RelayDeadLetters = ReturnType<typeof createRelayDeadLetters>;

/**
 * Stores usage messages that can never be sent, one JSON object a line (`at`, `reason`, `payload`), so that they block
 * nothing and are not lost. The costs of their calls stay in Redis, where the janitor posts them when this relay has
 * ended.
 */
export function createRelayDeadLetters(options: { folder: string; owner: string; log: Logger }) {
  const path = join(options.folder, `${options.owner}.ndjson`);
  let bytes = 0;
  const write = (payload: string, reason: DeadLetterReason): void => {
    const letter = { at: new Date().toISOString(), reason, payload: payload.slice(0, PAYLOAD_CHARACTERS_MAX) };
    const line = `${JSON.stringify(letter)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > FILE_BYTES_MAX) return;
    mkdirSync(options.folder, { recursive: true });
    appendFileSync(path, line);
  };
  return {
    keep(payload: string, reason: DeadLetterReason): void {
      countDeadLetter(reason);
      options.log.error({ reason, characters: payload.length, path }, "usage record dead-lettered");
      try {
        write(payload, reason);
      } catch (error) {
        options.log.error({ err: error, path }, "dead letter could not be written");
      }
    },
  };
}
