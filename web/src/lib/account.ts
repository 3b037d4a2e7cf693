import type { SignedInUser } from "@turnpike/contract/api/user";
import { queryOptions } from "@tanstack/react-query";
import { isUserProfile } from "./api-schemas.ts";
import { api } from "./api-client.ts";
import { isAnything } from "./check.ts";
import { queryClient } from "./query-client.ts";
import { usePasswordWarning } from "./password-warning.ts";
import { useSession } from "./session.ts";

/** The signed-in user with the balance. */
export const selfQuery = queryOptions({
  queryKey: ["self"],
  queryFn: async ({ signal }) => {
    const profile = await api.get("/api/user/self", { fits: isUserProfile, signal });
    useSession.getState().signIn(profile);
    return profile;
  },
  staleTime: 10_000,
});

/** Drops what was read for somebody else; the site's status stays. */
const forgetAnswers = (): void => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "status" });

/** Remembers who has just signed in, and that a password of somebody else's choice is to be changed. */
export function openSession(user: SignedInUser): void {
  forgetAnswers();
  useSession.getState().signIn(user);
  usePasswordWarning.setState({ isDue: user.must_change_password });
}

/** Ends the session on the server, then here. */
export async function signOut(): Promise<void> {
  await api.get("/api/user/logout", { fits: isAnything });
  clearSession();
}

/** Forgets the user and everything read for them, as after a 401. */
export function clearSession(): void {
  useSession.getState().clear();
  forgetAnswers();
}
