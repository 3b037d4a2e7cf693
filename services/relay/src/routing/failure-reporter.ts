import type { Bus } from "@turnpike/shared/events/bus";
import { channelObserved } from "@turnpike/shared/events/relay";
import type { Choice } from "../core/call/channel.ts";

/** `isWhole`: all keys of the channel are meant, not only the choice's. */
export type ReportChannelFailure = (
  choice: Choice,
  failure: { readonly message: string; readonly status: number },
  isWhole?: boolean,
) => void;

const REASON_LENGTH_MAX = 500;

/** Reports to the channel service that a key or account is unusable. `hash` makes the name that identifies the key. */
export const createFailureReporter =
  ({ bus, hash }: { bus: Bus; hash: (key: string) => string }): ReportChannelFailure =>
  ({ channel, key }, { message, status }, isWhole = false) =>
    bus.notify(channelObserved, {
      channelId: channel.id,
      keyHash: hash(key),
      disable: true,
      isWhole,
      reason: message.slice(0, REASON_LENGTH_MAX),
      status,
    });
