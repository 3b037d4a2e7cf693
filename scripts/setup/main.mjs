/**
 * Installs the dependencies as package-lock.json lists them, and shows what to do when that fails. Plain JavaScript: it runs
 * on the machine's own Node, before Node 24 is installed.
 */
import { spawn } from "node:child_process";

const NODE_MIN = 20;
const OUTPUT_MAX = 65_536;

/** What an operator can do, by what npm printed. */
const ADVICE = [
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ERR_SOCKET_TIMEOUT|network (?:request|timeout))/i,
    "npm cannot reach its registry. Check the network, the proxy (npm config get proxy) and the address (npm config get registry), then repeat.",
  ],
  [
    /\b(?:SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|CERT_)/,
    "npm does not trust the certificate of its registry. Name the file of its authority: NODE_EXTRA_CA_CERTS=<file> make setup.",
  ],
  [
    /\b(?:E401|E403|ENEEDAUTH)\b/,
    "The registry refuses access. Sign in (npm login) or name another one: npm config set registry <address>.",
  ],
  [
    /\bE404\b/,
    "The registry does not have a package. If it is a mirror, name another one: npm config set registry <address>.",
  ],
  [/\b(?:ENOSPC|EDQUOT)\b/, "The disk is full. Free at least 2 GB (df -h .), then repeat."],
  [
    /\b(?:EACCES|EPERM|EROFS)\b/,
    "A folder is not writable. Make this folder and npm's cache (npm config get cache) yours: sudo chown -R $(id -u) <folder>; a former sudo make leaves files of root.",
  ],
  [
    /\b(?:ENOTEMPTY|EBUSY|EEXIST)\b/,
    "node_modules is in use or half installed. Stop programs that use it, delete node_modules and repeat.",
  ],
  [
    /\bEINTEGRITY\b/,
    "A package is not the one of package-lock.json. Clear the cache (npm cache clean --force) and repeat; if it stays, do not use that registry.",
  ],
  [
    /\b(?:EBADENGINE|EBADPLATFORM)\b/,
    "Node, npm or this system is not supported. Use Node 20 or newer on Linux or macOS.",
  ],
  [
    /\b(?:EUSAGE|EJSONPARSE|ENOLOCK)\b/,
    "package-lock.json does not fit package.json. Restore both: git checkout package.json package-lock.json.",
  ],
];
const OTHERWISE = "Delete node_modules and repeat; npm names the file of its complete log above.";

function fail(message, code = 1) {
  process.stderr.write(`\nsetup: ${message}\n`);
  process.exitCode = code;
}

function install() {
  const child = spawn("npm", process.argv.slice(2), { stdio: ["inherit", "inherit", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => {
    process.stderr.write(chunk);
    output = `${output}${chunk}`.slice(-OUTPUT_MAX);
  });
  child.once("error", () => fail("npm is not installed: install it with Node 20 or newer, then repeat."));
  child.once("close", (code, signal) => {
    if (code === 0) return;
    if (signal === "SIGKILL")
      return fail("npm was killed, usually for lack of memory. Give the machine 2 GB and repeat.");
    if (signal !== null) return fail(`stopped by ${signal}`, 130);
    const [, advice] = ADVICE.find(([pattern]) => pattern.test(output)) ?? [undefined, OTHERWISE];
    fail(`the dependencies could not be installed (npm ended with ${code}). ${advice}`);
  });
}

const [major = ""] = process.versions.node.split(".");
if (Number(major) < NODE_MIN) fail(`Node ${process.versions.node} is too old: install Node ${NODE_MIN} or newer.`);
else install();
