import { resolve } from "node:path";
import { isSettled } from "../lib/settled.ts";
import type { TestSite } from "../lib/test-site.ts";
import { type LoadResult, MODELS } from "./load.ts";
import { run, type Urls } from "./release.ts";

const LEDGER_CHECK = resolve(import.meta.dirname, "../../services/billing/src/ledger-check.ts");
const SETTLED_WITHIN_MS = 180_000;
const SPEND = 2;

/** What log, ledger and balances of the install record for the calls that were made. */
export function createLedger(testSite: TestSite, urls: Urls) {
  const settled = (): Promise<boolean> =>
    testSite.eventually("the posting of all calls", SETTLED_WITHIN_MS, async () =>
      (await isSettled({ redisUrl: urls.redisUrl, namespace: "" })) ? true : undefined,
    );
  const getPrice = async (model: string): Promise<number> => {
    const row = (await testSite.logs({ type: SPEND, model_name: model })).items[0];
    if (!row) throw new Error(`no call of ${model} was posted yet`);
    return row.quota;
  };
  return {
    /** Compares the ledger with credits, and rollups with spending, for every account; throws on a difference. */
    async check(): Promise<string> {
      await settled();
      const env = { ...process.env, MONGODB_URL: urls.mongodbUrl, REDIS_URL: urls.redisUrl, NATS_URL: urls.natsUrl };
      return (await run(process.execPath, [LEDGER_CHECK], env)).trim().split("\n").at(-1) ?? "";
    },
    /** Throws unless each of these calls is in the log once and charged once, and no other call is. */
    async checkCalls(results: readonly LoadResult[]): Promise<string> {
      await settled();
      const calls = results.reduce((sum, { requestIds }) => sum + requestIds.length, 0);
      const streams = results.reduce((sum, result) => sum + result.streams, 0);
      const { username, used_quota: paid } = await testSite.self();
      // `helm test` makes calls of a user of its own.
      const rows = (await testSite.logs({ type: SPEND, username })).total;
      const owed = streams * (await getPrice(MODELS.stream)) + (calls - streams) * (await getPrice(MODELS.plain));
      const summary = `${calls} calls, ${rows} log rows; ${owed} owed, ${paid} paid`;
      if (rows !== calls || paid !== owed) throw new Error(`calls are lost or charged twice: ${summary}`);
      return summary;
    },
  };
}
