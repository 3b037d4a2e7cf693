import { describe, expect, it } from "vitest";
import { createInsertReader, type SqlEvent } from "./mysql-inserts.ts";

const DUMP = `-- MySQL dump 10.13; it's a comment
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (
  \`id\` bigint NOT NULL AUTO_INCREMENT,
  \`name\` varchar(191) DEFAULT 'a;b',
  \`group\` varchar(32),
  PRIMARY KEY (\`id\`)
) ENGINE=InnoDB;
INSERT INTO \`users\` VALUES (1,'O\\'Neil; (x),\\n','default'),(2,'it''s \\\\',NULL),
(3,_binary 'b\\0','\\%é𝄞');
INSERT INTO users (\`id\`, \`name\`) VALUES (-4,0x616263);
INSERT INTO \`other\` VALUES (1,'ignored''');
UNLOCK TABLES;
`;

function readIn(pieceLength: number): SqlEvent[] {
  const reader = createInsertReader((table) => table === "users");
  const events: SqlEvent[] = [];
  for (let at = 0; at < DUMP.length; at += pieceLength) events.push(...reader.read(DUMP.slice(at, at + pieceLength)));
  reader.finish();
  return events;
}

describe("MySQL dump reader", () => {
  it.each([1, 2, 3, 7, 64, 10_000])("reads the same rows in chunks of %i characters", (length) => {
    expect(readIn(length)).toEqual([
      { kind: "columns", table: "users", columns: ["id", "name", "group"] },
      { kind: "row", table: "users", columns: undefined, values: [1, "O'Neil; (x),\n", "default"] },
      { kind: "row", table: "users", columns: undefined, values: [2, "it's \\", null] },
      { kind: "row", table: "users", columns: undefined, values: [3, "b\0", "\\%é𝄞"] },
      { kind: "row", table: "users", columns: ["id", "name"], values: [-4, "abc"] },
    ]);
  });
  it("refuses a dump that ends in the middle of a row", () => {
    const reader = createInsertReader(() => true);
    expect([...reader.read("INSERT INTO `users` VALUES (1,'a'),(2,'b")]).toHaveLength(1);
    expect(() => reader.finish()).toThrow(/users/);
  });
});
