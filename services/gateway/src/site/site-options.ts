import { type OptionsInForce, optionsInForce } from "@turnpike/contract/options/options-in-force";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { createSnapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Services } from "../http/services.ts";

export type SiteOptions = {
  /** The options in force; the built-in defaults until auth has responded once. */
  readonly current: () => OptionsInForce;
  /**
   * The options in force; throws `unavailable` until auth has responded once, so that defaults are never shown as
   * settings.
   */
  readonly known: () => OptionsInForce;
  readonly isLoaded: () => boolean;
  /** Whether browsers reach the site by https: its cookies are then for https only. */
  readonly isSecure: () => boolean;
  /** Fetches now, so that the user who changed an option sees the change at once. */
  readonly reload: () => Promise<void>;
  /** Schedules a fetch. */
  readonly refresh: () => void;
  readonly stop: () => void;
};

/** The site's options, cached in memory: fetched at start, each minute, and on change notifications. */
export function createSiteOptions({ auth, log }: Pick<Services, "auth"> & { log: Logger }): SiteOptions {
  const snapshot = createSnapshot<OptionsInForce>({
    name: "options",
    initial: optionsInForce([]),
    fetch: async () => optionsInForce((await auth.getOptionsSnapshot({})).options),
    log,
  });
  return {
    current: snapshot.current,
    known: () => {
      if (!snapshot.isLoaded()) throw new AppError("unavailable", "the options are not loaded yet");
      return snapshot.current();
    },
    isLoaded: snapshot.isLoaded,
    isSecure: () => snapshot.current().text("ServerAddress").startsWith("https:"),
    reload: snapshot.start,
    refresh: snapshot.refresh,
    stop: snapshot.stop,
  };
}
