import type { SignedInUser } from "@turnpike/contract/api/user";
import { ROLE } from "@turnpike/contract/limits";
import { create } from "zustand";
import { isSignedInUser } from "./api-schemas.ts";
import { storage } from "./storage.ts";

const STORAGE_KEY = "user";

function storedUser(): SignedInUser | undefined {
  const stored = storage.readJson(STORAGE_KEY);
  return isSignedInUser(stored) ? stored : undefined;
}

type SessionState = {
  /** Who this browser signed in as; the session itself is a cookie that scripts cannot read. */
  readonly user: SignedInUser | undefined;
  readonly signIn: (user: SignedInUser) => void;
  readonly clear: () => void;
};

/** The signed-in user. Cleared on sign-out and on the first 401. */
export const useSession = create<SessionState>((set) => ({
  user: storedUser(),
  signIn: (user) => {
    const { id, username, display_name, role, status, group, must_change_password } = user;
    const kept = { id, username, display_name, role, status, group, must_change_password };
    storage.write(STORAGE_KEY, JSON.stringify(kept));
    set({ user: kept });
  },
  clear: () => {
    storage.write(STORAGE_KEY, undefined);
    set({ user: undefined });
  },
}));

/** Whether a user may see the admin pages. */
export const isAdmin = (user: SignedInUser | undefined): boolean => (user?.role ?? 0) >= ROLE.admin;

/** True for admins and root. */
export const useIsAdmin = (): boolean => useSession((state) => isAdmin(state.user));
