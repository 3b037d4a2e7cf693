import { QueryClient } from "@tanstack/react-query";
import { isTransient } from "./api-error.ts";

const RETRIES = 2;

/** One cache for the whole console. Only failures that may pass by themselves are tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && isTransient(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
      refetchOnWindowFocus: true,
      // Our own bar knows better than navigator.onLine whether the gateway answers.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
