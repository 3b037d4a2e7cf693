import type { SiteStatus } from "@turnpike/contract/api/status";

/** The first page of a signed-in user. */
export const consoleHome = (status: SiteStatus | undefined): string =>
  status?.enable_data_export === false ? "/app/tokens" : "/app/dashboard";
