/**
 * Removes the containers whose ids are the arguments: `node remove-containers.ts ID…`. A program of its own, so that a test run that
 * is interrupted can wait for it while it exits.
 */
import { getContainerRuntimeClient } from "testcontainers";

const { container } = await getContainerRuntimeClient();
await Promise.allSettled(process.argv.slice(2).map((id) => container.getById(id).remove({ force: true, v: true })));
