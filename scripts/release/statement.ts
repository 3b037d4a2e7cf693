import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

export type Subject = { readonly name: string; readonly digest: { readonly sha256: string } };

/** A file of a release by its hash. */
export const toSubject = (path: string): Subject => ({
  name: basename(path),
  digest: { sha256: createHash("sha256").update(readFileSync(path)).digest("hex") },
});

/** The lines that `sha256sum --check` reads. */
export const toChecksums = (subjects: readonly Subject[]): string =>
  subjects.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join("");

export type Build = {
  readonly version: string;
  readonly revision: string;
  readonly repository: string;
  readonly builder: string;
  readonly startedAt: string;
  readonly finishedAt: string;
};

/** The provenance of files as an in-toto statement with SLSA's predicate (https://slsa.dev/spec/v1.0/provenance). */
export function createProvenance(subjects: readonly Subject[], build: Build): object {
  const { version, revision, repository, builder, startedAt, finishedAt } = build;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:turnpike:release:v1",
        externalParameters: { version },
        resolvedDependencies: [{ uri: `git+${repository}`, digest: { gitCommit: revision } }],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { invocationId: `${version}-${revision}`, startedOn: startedAt, finishedOn: finishedAt },
      },
    },
  };
}
