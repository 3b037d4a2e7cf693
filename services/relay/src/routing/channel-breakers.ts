import { CircuitBreakers } from "./circuit-breakers.ts";

/** Keys whose breakers are not closed. */
export type Breakers = { readonly open: readonly string[]; readonly halfOpen: readonly string[] };
export type ChannelBreakers = ReturnType<typeof createChannelBreakers>;

/**
 * Circuit breakers: one per key of each channel, which stays with the key if its position in the channel changes, and
 * one per channel with several keys, for failures independent of the key: otherwise each of a thousand keys would have
 * to be tried five times. A single key never opens its channel's breaker.
 */
export function createChannelBreakers(now: () => number) {
  const ofKeys = new CircuitBreakers<string>(now);
  const ofChannels = new CircuitBreakers<number>(now);
  const keysByChannel = new Map<number, readonly string[]>();
  const getId = (channelId: number, key: string): string => `${channelId}/${key}`;

  /** The skipped keys of each channel, and those with a half-open probe; channels without either are omitted. */
  const breakers = (): Map<number, Breakers> => {
    const found = new Map<number, Map<string, boolean>>();
    const add = (channelId: number, key: string, isOpen: boolean): void => {
      const keys = found.get(channelId) ?? new Map<string, boolean>();
      found.set(channelId, keys.set(key, isOpen || keys.get(key) === true));
    };
    for (const { name, isOpen } of ofKeys.getNotClosed()) {
      const slash = name.indexOf("/");
      add(Number(name.slice(0, slash)), name.slice(slash + 1), isOpen);
    }
    for (const { name: channelId, isOpen } of ofChannels.getNotClosed())
      for (const key of keysByChannel.get(channelId) ?? []) add(channelId, key, isOpen);
    const selectKeys = (keys: ReadonlyMap<string, boolean>, state: boolean): string[] =>
      [...keys].flatMap(([key, isOpen]) => (isOpen === state ? [key] : []));
    return new Map(
      [...found].map(([id, keys]) => [id, { open: selectKeys(keys, true), halfOpen: selectKeys(keys, false) }]),
    );
  };
  return {
    /** False while a breaker of the key or its channel is open, or half-open with a probe in progress. */
    isHealthy: (channelId: number, key: string): boolean =>
      ofChannels.isAvailable(channelId) && ofKeys.isAvailable(getId(channelId, key)),
    /** Called when a call starts; it is the half-open probe if a breaker is not closed. */
    started(channelId: number, key: string): void {
      ofKeys.started(getId(channelId, key));
      ofChannels.started(channelId);
    },
    succeeded(channelId: number, key: string): void {
      ofKeys.succeeded(getId(channelId, key));
      ofChannels.succeeded(channelId);
    },
    /**
     * Called when a call failed; `allKeys` are the channel's keys if it would have failed with any of them. Returns
     * what was in use until this failure opened its breaker.
     */
    failed(channelId: number, key: string, allKeys: readonly string[] = []): "key" | "channel" | undefined {
      const keyOpened = ofKeys.failed(getId(channelId, key));
      if (allKeys.length > 1) {
        keysByChannel.set(channelId, allKeys);
        if (ofChannels.failed(channelId, key)) return "channel";
      } else ofChannels.succeeded(channelId);
      return keyOpened ? "key" : undefined;
    },
    /** Called when a call ended without a result about upstream (the client disconnected). */
    abandoned(channelId: number, key: string): void {
      ofKeys.abandoned(getId(channelId, key));
      ofChannels.abandoned(channelId);
    },
    breakers,
  };
}
