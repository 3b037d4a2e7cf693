import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

type Codec = {
  readonly encode: (message: unknown) => { readonly finish: () => Uint8Array };
  readonly decode: (bytes: Uint8Array) => unknown;
  readonly fromPartial: (fields: object) => unknown;
};
const GENERATED = resolve(import.meta.dirname, "../../../../proto/gen");
const isCodec = (value: unknown): value is Codec =>
  typeof value === "object" && value !== null && "decode" in value && "fromPartial" in value;

/** Fields 15000 (a number) and 15001 (a text) of a later version. */
const NEWS = Uint8Array.of(0xc0, 0xa9, 0x07, 0x2a, 0xca, 0xa9, 0x07, 0x03, 0x6e, 0x65, 0x77);

/**
 * Every message of the contracts. `make proto-check` compares them with the last release: no field may be removed or
 * changed.
 */
describe("message between two versions", () => {
  const messages = new Map<string, Codec>();
  beforeAll(async () => {
    for (const file of globSync("**/*.ts", { cwd: GENERATED })) {
      const module = (await import(join(GENERATED, file))) as Record<string, unknown>;
      for (const [name, value] of Object.entries(module)) if (isCodec(value)) messages.set(`${file} ${name}`, value);
    }
  });

  it("can be read with missing and with unknown fields", () => {
    expect(messages.size).toBeGreaterThan(200);
    for (const [name, codec] of messages) {
      const plain = codec.fromPartial({});
      expect({ name, read: codec.decode(new Uint8Array()) }).toEqual({ name, read: plain });
      const later = Uint8Array.from([...NEWS, ...codec.encode(plain).finish(), ...NEWS]);
      expect({ name, read: codec.decode(later) }).toEqual({ name, read: plain });
    }
  });
});
