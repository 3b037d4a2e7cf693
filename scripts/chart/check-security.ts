import { render } from "./helm.ts";
import { type Container, type Pod, getPod } from "./pods.ts";

/** Volume kinds that PodSecurity "restricted" allows. */
const VOLUMES = new Set([
  "name",
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);

function checkContainer({ securityContext: own = {}, resources }: Container): string[] {
  const capabilities = own["capabilities"] as { drop?: string[]; add?: string[] } | undefined;
  return [
    ...(own["allowPrivilegeEscalation"] === false ? [] : ["may escalate its privileges"]),
    ...(own["readOnlyRootFilesystem"] === true ? [] : ["may write to its root"]),
    ...(capabilities?.drop?.includes("ALL") === true && capabilities.add === undefined ? [] : ["keeps capabilities"]),
    ...(resources?.requests === undefined ? ["requests no resources"] : []),
  ];
}

function checkPod(pod: Pod): string[] {
  const { securityContext: own = {} } = pod;
  const profile = own["seccompProfile"] as { type?: string } | undefined;
  const volumes = (pod.volumes ?? []).flatMap(Object.keys).filter((kind) => !VOLUMES.has(kind));
  return [
    ...(own["runAsNonRoot"] === true && Number(own["runAsUser"]) > 0 ? [] : ["runs as root"]),
    ...(profile?.type === "RuntimeDefault" ? [] : ["has no seccomp profile"]),
    ...(pod.hostNetwork === true ? ["is on the host's network"] : []),
    ...(pod.automountServiceAccountToken === false ? [] : ["gets a token of the Kubernetes API"]),
    ...volumes.map((kind) => `has a volume of the kind ${kind}`),
    ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) =>
      checkContainer(container).map((problem) => `${container.name} ${problem}`),
    ),
  ];
}

/** What PodSecurity "restricted" would refuse in the shape's pods, plus our own requirements. */
export const checkSecurity = (shape: string): string[] =>
  render([shape]).flatMap((manifest) => {
    const pod = getPod(manifest);
    return pod ? checkPod(pod).map((problem) => `${shape}: ${manifest.kind} ${manifest.metadata.name} ${problem}`) : [];
  });
