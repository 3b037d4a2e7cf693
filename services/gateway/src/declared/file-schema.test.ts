import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { getFileSchema } from "./file-schema.ts";

it("publishes the schema of the files as they are read (npm run -s turnpike -- schema)", () => {
  const published = readFileSync(join(import.meta.dirname, "turnpike.schema.json"), "utf8");
  expect(JSON.parse(published)).toEqual(getFileSchema());
});
