import { SignedInUser } from "@turnpike/contract/api/user";
import { ROLE } from "@turnpike/contract/codes";
import { create } from "zustand";
import { storage } from "../storage.ts";

const STORAGE_KEY = "user";

type SessionState = {
  /** The signed-in user as stored by this browser; the session itself is a cookie that scripts cannot read. */
  readonly user: SignedInUser | undefined;
  readonly signIn: (user: SignedInUser) => void;
  readonly clear: () => void;
};

/** The signed-in user. Cleared on sign-out and on the first 401. */
export const useSession = create<SessionState>((set) => ({
  user: storage.readJson(STORAGE_KEY, SignedInUser),
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

/** Whether a user may see the administration pages. */
export const isAdmin = (user: SignedInUser | undefined): boolean => (user?.role ?? 0) >= ROLE.admin;

/** True for administrators and root. */
export const useIsAdmin = (): boolean => useSession((state) => isAdmin(state.user));
