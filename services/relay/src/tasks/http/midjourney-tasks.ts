import type { Task } from "@turnpike/proto/billing/v1/task_service";
import type { Admitted } from "../../core/call/caller.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { midjourney } from "../wire/midjourney-wire.ts";
import type { TaskRecords } from "../accounting/task-records.ts";

/** The user whose tasks a caller may see. */
export const getOwner = ({ caller }: Admitted): number => caller.known.token.userId;

export const taskNotFound = (): RelayError =>
  new RelayError("invalid_request", "task_no_found: there is no such task", { param: "id" });

/** A task of the caller by upstream's id. Throws RelayError if there is none. */
export async function findOwnTask(records: TaskRecords, admitted: Admitted, id: string): Promise<Task> {
  const [task] = await records.find(getOwner(admitted), midjourney.name, [id]);
  if (!task) throw taskNotFound();
  return task;
}
