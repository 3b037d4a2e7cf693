import type { Manifest } from "./helm.ts";

type Named = { readonly name: string };
export type Container = Named & {
  readonly image: string;
  readonly env?: readonly (Named & { readonly value?: string; readonly valueFrom?: unknown })[];
  readonly volumeMounts?: readonly (Named & { readonly mountPath: string; readonly readOnly?: boolean })[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly resources?: { readonly requests?: unknown; readonly limits?: unknown };
};
export type Pod = {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly hostNetwork?: boolean;
  readonly automountServiceAccountToken?: boolean;
};
type Templated = {
  readonly template?: { readonly spec: Pod };
  readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
};

/** The pod template of a resource; undefined if the resource creates no pod. */
export function getPod({ spec }: Manifest): Pod | undefined {
  const { template, jobTemplate } = (spec ?? {}) as Templated;
  return template?.spec ?? jobTemplate?.spec.template.spec;
}
