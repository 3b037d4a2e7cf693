import type { LoginBody, SignedInUser } from "@turnpike/contract/api/user";
import { queryOptions } from "@tanstack/react-query";
import { isSignedInUser, isUserProfile } from "./answers.ts";
import { api } from "./api-client.ts";
import { isAnything } from "./check.ts";
import { queryClient } from "./query-client.ts";
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

/** Signs in with a password and remembers the user. */
export async function signIn(credentials: LoginBody): Promise<SignedInUser> {
  const user = await api.post("/api/user/login", { body: credentials, fits: isSignedInUser });
  forgetAnswers();
  useSession.getState().signIn(user);
  return user;
}

/** Ends the session on the server, then here. */
export async function signOut(): Promise<void> {
  await api.get("/api/user/logout", { fits: isAnything });
  dropSession();
}

/** Forgets the user and everything read for them, as after a 401. */
export function dropSession(): void {
  useSession.getState().clear();
  forgetAnswers();
}
