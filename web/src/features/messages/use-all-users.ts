import { useRef, useState } from "react";
import { notifyError } from "../../lib/toast.ts";
import { readUsers } from "../../domain/users/users-api.ts";
import { type Recipient, RECIPIENTS_MAX } from "./message-form.ts";

const PAGE_SIZE = 100;

/** Reads all users that match a keyword, page by page. Returns none when it is stopped or fails. */
export function useAllUsers() {
  const [count, setCount] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  const collect = async (keyword: string, signal: AbortSignal): Promise<Recipient[]> => {
    const found: Recipient[] = [];
    for (let page = 1; found.length < RECIPIENTS_MAX; page += 1) {
      // Each page reports whether there is another one.
      // oxlint-disable-next-line no-await-in-loop
      const { items, total } = await readUsers({ page, pageSize: PAGE_SIZE, keyword }, signal);
      for (const { id, username, DeletedAt } of items) if (DeletedAt === null) found.push({ id, name: username });
      setCount(found.length);
      if (page * PAGE_SIZE >= total || items.length === 0) break;
    }
    return found.slice(0, RECIPIENTS_MAX);
  };
  return {
    isReading: count !== undefined,
    count: count ?? 0,
    cancel: (): void => stop.current?.abort(),
    async read(keyword: string): Promise<readonly Recipient[]> {
      const controller = new AbortController();
      stop.current = controller;
      setCount(0);
      try {
        return await collect(keyword, controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) notifyError(error);
        return [];
      } finally {
        setCount(undefined);
      }
    },
  };
}
