import type { CreatedToken } from "@turnpike/contract/api/token";
import { create } from "zustand";

/** New tokens, until the dialog is closed. */
export const useCreatedKeys = create<{ readonly tokens: readonly CreatedToken[] }>(() => ({ tokens: [] }));
