// @peculiar/x509 requires this import first.
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";

export type TestCertificate = { readonly key: string; readonly cert: string };

const DAY_MS = 86_400_000;

/** A self-signed certificate for localhost and 127.0.0.1, valid for a day. */
export async function makeCertificate(): Promise<TestCertificate> {
  cryptoProvider.set(webcrypto);
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = (await webcrypto.subtle.generateKey(signingAlgorithm, true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // Certificates of one name, of which a process trusts several, would be taken for each other.
    serialNumber: `01${randomBytes(8).toString("hex")}`,
    name: `CN=localhost, O=${randomBytes(8).toString("hex")}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm,
    keys,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const lines = pkcs8.match(/.{1,64}/g) ?? [];
  const key = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  return { key, cert: certificate.toString("pem") };
}

/** Makes this process trust the certificate, as clients of a server that uses it must. */
export const trust = ({ cert }: TestCertificate): void =>
  setDefaultCACertificates([...getCACertificates("default"), cert]);
