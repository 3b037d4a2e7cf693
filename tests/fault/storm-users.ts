import { signEpay } from "../../services/billing/src/payments/epay-signature.ts";
import type { ConsoleClient } from "../lib/console-client.ts";
import type { TestSite } from "../lib/test-site.ts";
import type { World } from "../lib/world.ts";

/** A user in the storm, signed in, with two tokens. */
export type TestUser = {
  readonly id: number;
  readonly username: string;
  readonly client: ConsoleClient;
  readonly keys: readonly string[];
  readonly tokenIds: readonly number[];
};

export const EPAY = { id: "1001", key: "epay-key-of-the-storm" } as const;
const QUOTA = 20_000_000;
const BUDGET = 1_000_000_000;
const PASSWORD = "turnpike-user-1";
const NAME_LENGTH = 8;

/** Enables the features that the storm uses: payments, rebates, check-ins, invitations. */
export async function openDoors({ root }: Pick<TestSite, "root">, world: World): Promise<void> {
  const options: Record<string, string> = {
    ServerAddress: world.consoleUrl,
    PayAddress: "https://pay.example",
    EpayId: EPAY.id,
    EpayKey: EPAY.key,
    RebateEnabled: "true",
    RebatePercentage: "7.5",
    CheckInEnabled: "true",
    CheckInQuota: "1000",
    CheckInMaxQuota: "3000",
    QuotaForInviter: "5000",
    QuotaForInvitee: "7000",
    QuotaForNewUser: "11000",
  };
  for (const [key, value] of Object.entries(options)) await root.put("/api/option/", { key, value });
}

async function register(world: World, affCode: string): Promise<{ username: string; client: ConsoleClient }> {
  const username = `s${Math.random()
    .toString(36)
    .slice(2, 2 + NAME_LENGTH)}`;
  const client = world.visitor();
  await client.post("/api/user/register", { username, password: PASSWORD, password2: PASSWORD, aff_code: affCode });
  await client.login(username, PASSWORD);
  return { username, client };
}

/** Registers users, each invited by the one before. */
export async function registerUsers(testSite: TestSite, world: World, count: number): Promise<TestUser[]> {
  const users: TestUser[] = [];
  let affCode = "";
  for (let index = 0; index < count; index++) {
    const { username, client } = await register(world, affCode);
    const { id } = await client.get<{ id: number }>("/api/user/self");
    await testSite.root.put("/api/user/", { id, username, display_name: username, group: "default", quota: QUOTA });
    affCode = await client.get<string>("/api/user/aff");
    const tokens = [
      await testSite.token({ name: "limited", remain_quota: BUDGET }, client),
      await testSite.token({ name: "free", unlimited_quota: true }, client),
    ];
    users.push({
      id,
      username,
      client,
      keys: tokens.map(({ key }) => key),
      tokenIds: tokens.map((token) => token.id),
    });
  }
  return users;
}

/** A purchase whose notifications arrive several times, some concurrently. */
export async function topUp({ client }: TestUser, amount: number): Promise<string | undefined> {
  const response = await client.call<Record<string, string>>("POST", "/api/user/pay", {
    body: { amount, payment_method: "wx" },
  });
  const { out_trade_no: tradeNo, money } = response.data ?? {};
  if (tradeNo === undefined || money === undefined) return undefined;
  const notice = {
    pid: EPAY.id,
    trade_no: `E${tradeNo}`,
    out_trade_no: tradeNo,
    type: "wxpay",
    name: "quota",
    money,
    trade_status: "TRADE_SUCCESS",
  };
  const query = { ...notice, sign: signEpay(notice, EPAY.key), sign_type: "MD5" };
  const notify = async (): Promise<boolean> => {
    try {
      return (await client.call("GET", "/api/user/epay/notify", { query })).text === "success";
    } catch {
      return false;
    }
  };
  // As the provider does: retries until the response is "success", and sends one more by mistake.
  for (let attempt = 0; attempt < 30; attempt++) {
    const heard = await Promise.all([notify(), notify()]);
    if (heard.includes(true)) return tradeNo;
    await new Promise((done) => setTimeout(done, 1_000));
  }
  throw new Error(`no service accepted the notification of ${tradeNo}`);
}
