import type { Bus } from "@turnpike/shared/events/bus";
import { channelObserved } from "@turnpike/shared/events/relay";
import type { Choice } from "../core/call/channel.ts";

/** `isWhole`: all keys of the channel are meant, not the choice's alone. */
export type ReportChannelFailure = (
  choice: Choice,
  failure: { readonly message: string; readonly status: number },
  isWhole?: boolean,
) => void;

const REASON_LENGTH_MAX = 500;

/** Tells the keeper of channels that a key or account is unfit. `hash` makes the name that stands for the key. */
export const createChannelFailureReporter =
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
