import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";

it("reads and writes what a majority of the replica set has", async () => {
  const connection = await connectMongo(testBacking().mongodbUrl);
  try {
    const { options } = connection.getClient();
    expect(options.readConcern?.level).toBe("majority");
    expect(options.writeConcern?.w).toBe("majority");
    expect(options.readPreference.mode).toBe("primary");
  } finally {
    await connection.close();
  }
});
