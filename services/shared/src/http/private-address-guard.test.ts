import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addressAllowlist, createAddressPolicy } from "./address-policy.ts";
import { createPrivateAddressGuard, type ResolveAll } from "./private-address-guard.ts";

let server: Server;
let port = 0;
let served = 0;
beforeAll(async () => {
  server = createServer((incoming, response) => {
    served++;
    if (incoming.url === "/away") response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    else if (incoming.url === "/large") response.end(Buffer.alloc(2 * 1024 * 1024));
    else response.end("hello");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const refused = expect.objectContaining({ code: "address_not_allowed" }) as Error;
const resolvesTo =
  (...rounds: string[][]): ResolveAll =>
  (_host, done) => {
    const addresses = rounds.length > 1 ? rounds.shift() : rounds[0];
    done(
      null,
      (addresses ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };

describe("address policy", () => {
  const policy = createAddressPolicy([]);
  it.each([
    "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1", "::1", "[::1]", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
    "fec0::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1",
    "::7f00:1", "[::7f00:1]", "::a00:1", "5f00::1", "2002:7f00:1::", "2001::1", "ff02::1", "2001:db8::1", "nonsense",
  ])("refuses %s", (address) => expect(policy.mayCall(address)).toBe(false)); // prettier-ignore
  it.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])("allows %s", (address) =>
    expect(policy.mayCall(address)).toBe(true),
  );
  it("allows the operator's allowlist and nothing else", () => {
    const opened = createAddressPolicy(["10.1.0.0/16", "fd00::/8", "127.0.0.1"]);
    expect(["10.1.2.3", "fd12::1", "127.0.0.1", "::ffff:10.1.2.3"].every(opened.mayCall)).toBe(true);
    expect(["10.2.0.1", "127.0.0.2", "::1"].some(opened.mayCall)).toBe(false);
  });
  it("opens the addresses of cloud metadata by their own names only, not by the networks around them", () => {
    const opened = createAddressPolicy(["100.64.0.0/10", "fc00::/7"]);
    expect(["100.100.100.200", "::ffff:100.100.100.200", "fd00:ec2::254"].some(opened.mayCall)).toBe(false);
    expect(["100.100.100.201", "fd00:ec2::255"].every(opened.mayCall)).toBe(true);
    const named = createAddressPolicy(["100.100.100.200", "fd00:ec2::254/128"]);
    expect(["100.100.100.200", "fd00:ec2::254"].every(named.mayCall)).toBe(true);
  });
  it("reads the list from the environment and refuses an entry that is not a network", () => {
    expect(addressAllowlist.parse(" 10.0.0.0/8, ::1 ,")).toEqual(["10.0.0.0/8", "::1"]);
    expect(addressAllowlist.parse(undefined)).toEqual([]);
    expect(addressAllowlist.safeParse("10.0.0.0/99").success).toBe(false);
  });
});

describe("private-address guard", () => {
  it("refuses loopback in every spelling, before a byte is sent", async () => {
    const guard = createPrivateAddressGuard({ allowlist: [] });
    const before = served;
    for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0"])
      await expect(guard.fetch(`http://${host}:${port}/`)).rejects.toThrow(refused);
    expect(served).toBe(before);
    await guard.close();
  });

  it("refuses a name when any of its addresses is private", async () => {
    const guard = createPrivateAddressGuard({ allowlist: [], resolveAll: resolvesTo(["8.8.8.8", "127.0.0.1"]) });
    await expect(guard.fetch(`http://mixed.example:${port}/`)).rejects.toThrow(refused);
    await guard.close();
  });

  it("refuses a name that was public when checked and is private when called", async () => {
    const guard = createPrivateAddressGuard({ allowlist: [], resolveAll: resolvesTo(["8.8.8.8"], ["127.0.0.1"]) });
    const before = served;
    await expect(guard.check(`http://rebinding.example:${port}/`)).resolves.toBeUndefined();
    await expect(guard.fetch(`http://rebinding.example:${port}/`)).rejects.toThrow(refused);
    expect(served).toBe(before);
    await guard.close();
  });

  it("protects undici's own request too", async () => {
    const guard = createPrivateAddressGuard({ allowlist: [] });
    const call = request(`http://127.0.0.1:${port}/`, { dispatcher: guard.dispatcher });
    await expect(call).rejects.toThrow(refused);
    await guard.close();
  });

  it("calls allowlisted addresses, and does not follow a redirect", async () => {
    const guard = createPrivateAddressGuard({ allowlist: ["127.0.0.1"] });
    await expect((await guard.fetch(`http://127.0.0.1:${port}/`)).text()).resolves.toBe("hello");
    expect((await guard.fetch(`http://127.0.0.1:${port}/away`)).status).toBe(302);
    await guard.close();
  });

  it("aborts a response that is too large", async () => {
    const guard = createPrivateAddressGuard({ allowlist: ["127.0.0.1"] });
    await expect(guard.fetch(`http://127.0.0.1:${port}/large`).then((response) => response.text())).rejects.toThrow(
      /terminated/,
    );
    await guard.close();
  });

  it("refuses private addresses and other schemes when the address is entered", async () => {
    const guard = createPrivateAddressGuard({ allowlist: [], resolveAll: resolvesTo(["10.0.0.1"]) });
    await expect(guard.check("https://inside.example")).rejects.toThrow(refused);
    await expect(guard.check("https://169.254.169.254/latest")).rejects.toThrow(refused);
    await expect(guard.check("file:///etc/passwd")).rejects.toThrow(refused);
    await expect(guard.fetch("gopher://8.8.8.8")).rejects.toThrow(refused);
    await expect(guard.check("not an address")).rejects.toThrow(refused);
    await guard.close();
  });
});
