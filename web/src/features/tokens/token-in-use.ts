import type { Token } from "@turnpike/contract/api/token";
import { create } from "zustand";

/** The token whose client snippets are shown, until the dialog is closed. */
export const useTokenInUse = create<{ readonly token: Token | undefined }>(() => ({ token: undefined }));
