import tasks from "./en/tasks.json" with { type: "json" };

/** English for the sentences that only the drawing and task logs show; loaded with them. */
export const englishTasks: Readonly<Record<string, string>> = { ...tasks };
