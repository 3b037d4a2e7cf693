import { expect, it } from "vitest";
import { getAddressGroup } from "./address-group.ts";

it("takes a /64 of IPv6 addresses as one caller", () => {
  expect(getAddressGroup("2001:db8::1")).toBe(getAddressGroup("2001:db8::ffff:2"));
  expect(getAddressGroup("2001:db8:0:1::1")).not.toBe(getAddressGroup("2001:db8::1"));
});

it("takes each IPv4 address as a caller, also in the form that IPv6 sockets report", () => {
  expect(getAddressGroup("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(getAddressGroup("192.0.2.8")).toBe("192.0.2.8");
});
