import { failedTasks } from "./tasks/failed-tasks.ts";
import { imageTasks } from "./tasks/image-tasks.ts";
import { musicTasks } from "./tasks/music-tasks.ts";
import { repeatedTasks } from "./tasks/repeated-tasks.ts";
import { useTaskSite } from "./tasks/task-site.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useTaskSite();

imageTasks(at);
failedTasks(at);
musicTasks(at);
repeatedTasks(at);
