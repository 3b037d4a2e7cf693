import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LONG_DAYS = 90;
/** Less than the two weeks before expiry at which the alert fires. */
const SHORT_DAYS = 10;

export type Certificates = ReturnType<typeof makeCertificates>;

/** A folder for GRPC_TLS_DIR: certificates of one CA; a long-lived one is in force. The caller removes the folder. */
export function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-certificates-"));
  const openssl = (...args: string[]): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: "ignore", timeout: 30_000 });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-days", "365", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.crt");
  const subject = ["-subj", "/CN=turnpike", "-addext", "subjectAltName=DNS:turnpike"];
  openssl("req", ...key, ...subject, "-keyout", "tls.key", "-out", "tls.csr");
  const authority = ["-CA", "ca.crt", "-CAkey", "ca.key", "-copy_extensions", "copyall"];
  const sign = (name: string, days: number): void =>
    openssl("x509", "-req", "-in", "tls.csr", ...authority, "-days", String(days), "-out", name);
  sign("long.crt", LONG_DAYS);
  sign("short.crt", SHORT_DAYS);
  const use = (name: string): void => copyFileSync(join(folder, name), join(folder, "tls.crt"));
  use("long.crt");
  return {
    folder,
    /** Applies to services started from now on. */
    useShort: (): void => use("short.crt"),
    useLong: (): void => use("long.crt"),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}
