/**
 * Removes the containers whose ids are the arguments: `node remove-containers.ts ID…`. A separate program, so that an
 * interrupted test run can wait for it while it exits.
 */
import { getContainerRuntimeClient } from "testcontainers";

const { container } = await getContainerRuntimeClient();
await Promise.allSettled(process.argv.slice(2).map((id) => container.getById(id).remove({ force: true, v: true })));
