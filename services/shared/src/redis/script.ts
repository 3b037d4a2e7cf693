import { createHash } from "node:crypto";
import { Command } from "ioredis";
import type { Redis } from "./redis.ts";

/** Runs a Lua script: the number of its keys, the keys (without the namespace), then its arguments. */
export type Script = (...args: readonly (string | number)[]) => Promise<unknown>;

/** Members of ioredis's commands that its types do not declare. */
type OpenCommand = Omit<Command, never> & {
  _convertValue: (resolve: (value: unknown) => void) => (reply: unknown) => void;
  _commandTimeoutTimer: NodeJS.Timeout | undefined;
};
const BaseCommand = Command as unknown as new (...args: ConstructorParameters<typeof Command>) => OpenCommand;

/**
 * A command that leaves no garbage in V8's old generation. V8 allocates a function literal that is assigned to a
 * property there at once (`CheckAssigningFunctionLiteralToProperty` of its parser), so that ioredis's own `this.reject
 * = (err) => …` retains each command with everything it refers to until the next full collection: 0.8 KB per command.
 * `delete this._commandTimeoutTimer` turns every command into a hash table.
 */
class ScriptCommand extends BaseCommand {
  initPromise(): void {
    this.isResolved = false;
    this.isSettled = false;
    this.promise = new Promise((resolve, reject) => {
      this.stringifyArguments();
      this.resolve = this._convertValue(resolve);
      const rejectOnce = (error: Error): void => {
        this._clearTimers();
        this.isSettled = true;
        reject(error);
      };
      this.reject = rejectOnce;
    });
  }

  _clearTimers(): void {
    clearTimeout(this._commandTimeoutTimer);
    this._commandTimeoutTimer = undefined;
  }
}

/**
 * A script that Redis runs by its hash. Each connection sends the whole text once, and again when Redis has lost it;
 * keys get the connection's prefix.
 */
export function defineScript(redis: Redis, lua: string): Script {
  const sha = createHash("sha1").update(lua).digest("hex");
  const taught = new WeakSet<object>();
  const { keyPrefix = "" } = redis.options;
  const send = (name: "eval" | "evalsha", script: string, args: readonly (string | number)[]): Promise<unknown> =>
    redis.sendCommand(
      new ScriptCommand(name, [script, ...args], { keyPrefix, replyEncoding: "utf8" }) as unknown as Command,
    ) as Promise<unknown>;
  return (...args) => {
    // A cluster has a connection for each node: it is sent the text where it does not know the hash.
    const stream = redis.stream as Redis["stream"] | undefined;
    const isReady = redis.status === "ready";
    if (!isReady || (stream && !taught.has(stream))) {
      if (isReady && stream) taught.add(stream);
      return send("eval", lua, args);
    }
    return send("evalsha", sha, args).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return send("eval", lua, args);
    });
  };
}
