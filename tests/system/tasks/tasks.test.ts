import { failedTasks } from "./failed-tasks.ts";
import { imageTasks } from "./image-tasks.ts";
import { musicTasks } from "./music-tasks.ts";
import { repeatedTasks } from "./repeated-tasks.ts";
import { useTaskSite } from "./task-site.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useTaskSite();

imageTasks(at);
failedTasks(at);
musicTasks(at);
repeatedTasks(at);
