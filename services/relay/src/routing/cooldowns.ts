const COOLDOWNS_MAX = 10_000;

export type Cooldowns = ReturnType<typeof createCooldowns>;

/**
 * Per-key, per-model cooldowns after a Retry-After; the limits of providers are per model. Costs one comparison while
 * no cooldown is active.
 */
export function createCooldowns(now: () => number) {
  const untilMs = new Map<string, number>();
  const getId = (channelId: number, key: string, model: string): string => `${channelId}/${key}/${model}`;
  return {
    begin(place: { channelId: number; key: string; model: string }, seconds: number): void {
      if (untilMs.size >= COOLDOWNS_MAX) untilMs.clear();
      untilMs.set(getId(place.channelId, place.key, place.model), now() + seconds * 1000);
    },
    isCoolingDown(channelId: number, key: string, model: string): boolean {
      if (untilMs.size === 0) return false;
      const id = getId(channelId, key, model);
      const until = untilMs.get(id);
      if (until === undefined) return false;
      if (until > now()) return true;
      untilMs.delete(id);
      return false;
    },
  };
}
