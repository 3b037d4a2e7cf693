import { taskHandlers } from "./task-handlers.ts";
import { createTaskRefund } from "./task-refund.ts";
import { createTaskService } from "./task-service.ts";
import { createTaskStore } from "./task-store.ts";

type Deps = Omit<Parameters<typeof createTaskRefund>[0], "store"> &
  Pick<Parameters<typeof createTaskService>[0], "log">;

/** Wires image and music tasks: their RPCs, and the job that times out and refunds them. */
export function createTasks(deps: Deps) {
  const { nowMs } = deps;
  const store = createTaskStore({ connection: deps.connection, tasks: deps.collections.tasks });
  const refund = createTaskRefund({ ...deps, store });
  const tasks = createTaskService({ store, refund, nowMs, log: deps.log });
  return { handlers: taskHandlers({ tasks, store, nowMs }), sweep: tasks.sweep };
}
export type Tasks = ReturnType<typeof createTasks>;
