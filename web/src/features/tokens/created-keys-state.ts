import type { CreatedToken } from "@turnpike/contract/api/token";
import { create } from "zustand";

/** Tokens that were made a moment ago, until the dialog is closed. */
export const useCreatedKeys = create<{ readonly tokens: readonly CreatedToken[] }>(() => ({ tokens: [] }));
