import common from "./en/common.json" with { type: "json" };
import content from "./en/content.json" with { type: "json" };
import dashboard from "./en/dashboard.json" with { type: "json" };
import signIn from "./en/sign-in.json" with { type: "json" };
import inbox from "./en/inbox.json" with { type: "json" };
import logs from "./en/logs.json" with { type: "json" };
import pricing from "./en/pricing.json" with { type: "json" };
import setup from "./en/setup.json" with { type: "json" };
import shell from "./en/shell.json" with { type: "json" };
import users from "./en/users.json" with { type: "json" };
import wallet from "./en/wallet.json" with { type: "json" };

/** English for the Chinese source sentences of the console; areas with a dictionary of their own are in `english-<area>.ts`. */
export const english: Readonly<Record<string, string>> = {
  ...common,
  ...shell,
  ...content,
  ...dashboard,
  ...inbox,
  ...signIn,
  ...logs,
  ...pricing,
  ...setup,
  ...users,
  ...wallet,
};
