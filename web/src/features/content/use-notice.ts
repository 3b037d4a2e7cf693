import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { create } from "zustand";
import { isObjectOf, isText } from "../../lib/check.ts";
import { storage } from "../../lib/storage.ts";
import { noticeQuery } from "./content-api.ts";
import { toDayString, isNoticeDue, getTextHash, type SeenNotice } from "./notice-schedule.ts";

const STORAGE_KEY = "notice-seen";
const isSeenNotice = isObjectOf<SeenNotice>({ day: isText, mark: isText });

/** Whether the notice is open. */
export const useNoticeOpen = create<{ readonly open: boolean; readonly setOpen: (open: boolean) => void }>((set) => ({
  open: false,
  setOpen: (open) => set({ open }),
}));

/** The site's notice; "" when there is none. The first page of the day that asks for it opens it. */
export function useNotice(): string {
  const text = useQuery(noticeQuery).data ?? "";
  const setOpen = useNoticeOpen((state) => state.setOpen);
  useEffect(() => {
    const stored = storage.readJson(STORAGE_KEY);
    const today = toDayString(new Date());
    if (!isNoticeDue(text, isSeenNotice(stored) ? stored : undefined, today)) return;
    storage.write(STORAGE_KEY, JSON.stringify({ day: today, mark: getTextHash(text) }));
    setOpen(true);
  }, [text, setOpen]);
  return text.trim();
}
