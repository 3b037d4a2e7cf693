import { QueryClient } from "@tanstack/react-query";
import { isTransient } from "./api-error.ts";

const RETRIES = 2;

/** The query cache of the whole console. Only transient failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && isTransient(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
      refetchOnWindowFocus: true,
      // The connection bar is more reliable than navigator.onLine about the gateway.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
