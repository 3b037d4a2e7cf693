import { describe, expect, it } from "vitest";
import { withDatabase, withoutPassword } from "./find-backing.ts";

describe("MongoDB URLs", () => {
  it.each([
    ["mongodb://127.0.0.1:27017", "mongodb://127.0.0.1:27017/turnpike"],
    ["mongodb://127.0.0.1:27017/?replicaSet=rs0", "mongodb://127.0.0.1:27017/turnpike?replicaSet=rs0"],
    ["mongodb://a:1,b:2/own?replicaSet=rs0", "mongodb://a:1,b:2/own?replicaSet=rs0"],
    ["mongodb+srv://user:pa%2Fss@db.example.com", "mongodb+srv://user:pa%2Fss@db.example.com/turnpike"],
  ])("adds a database only if the URL names none: %s", (url, expected) => {
    expect(withDatabase(url, "turnpike")).toBe(expected);
  });

  it("hides the password", () => {
    expect(withoutPassword("mongodb://user:secret@h:1/x")).toBe("mongodb://***@h:1/x");
    expect(withoutPassword("redis://127.0.0.1:6379")).toBe("redis://127.0.0.1:6379");
  });
});
