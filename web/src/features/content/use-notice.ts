import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { create } from "zustand";
import { z } from "zod/mini";
import { storage } from "../../lib/storage.ts";
import { noticeQuery } from "./content-api.ts";
import { toDayString, isNoticeDue, getTextHash, type SeenNotice } from "./notice-schedule.ts";

const STORAGE_KEY = "notice-seen";
const SeenNotice = z.object({ day: z.string(), mark: z.string() });

/** Whether the notice is open. */
export const useNoticeOpen = create<{ readonly open: boolean; readonly setOpen: (open: boolean) => void }>((set) => ({
  open: false,
  setOpen: (open) => set({ open }),
}));

/** The site's notice; "" when there is none. The first page of the day that reads it opens it. */
export function useNotice(): string {
  const text = useQuery(noticeQuery).data ?? "";
  const setOpen = useNoticeOpen((state) => state.setOpen);
  useEffect(() => {
    const stored = storage.readJson(STORAGE_KEY, SeenNotice);
    const today = toDayString(new Date());
    if (!isNoticeDue(text, stored, today)) return;
    storage.write(STORAGE_KEY, JSON.stringify({ day: today, mark: getTextHash(text) }));
    setOpen(true);
  }, [text, setOpen]);
  return text.trim();
}
