import { type SignedInUser, UserProfile } from "@turnpike/contract/api/user";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/api-client.ts";
import { queryClient } from "../api/query-client.ts";
import { usePasswordWarning } from "./password-warning.ts";
import { useSession } from "./session.ts";

/** The signed-in user with the balance. */
export const selfQuery = queryOptions({
  queryKey: ["self"],
  queryFn: async ({ signal }) => {
    const profile = await api.get("/api/user/self", { schema: UserProfile, signal });
    useSession.getState().signIn(profile);
    return profile;
  },
  staleTime: 10_000,
});

/** Drops data that was fetched for another user; the site's status stays. */
const clearResponses = (): void => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "status" });

/** Stores who has just signed in, and whether another user chose the password. */
export function openSession(user: SignedInUser): void {
  clearResponses();
  useSession.getState().signIn(user);
  usePasswordWarning.setState({ isDue: user.must_change_password });
}

/** Ends the session on the server, then here. */
export async function signOut(): Promise<void> {
  await api.get("/api/user/logout");
  clearSession();
}

/** Forgets the user and all data fetched for them, for example after a 401. */
export function clearSession(): void {
  useSession.getState().clear();
  clearResponses();
}
