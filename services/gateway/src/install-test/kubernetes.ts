import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";

const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
const TIMEOUT_MS = 20_000;

type PodList = {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly status: { readonly phase: string };
  }[];
};

/** One request of the Kubernetes API, with the pod's own service account. */
function callApi(method: string, path: string): Promise<unknown> {
  const token = readFileSync(join(ACCOUNT, "token"), "utf8").trim();
  const options = {
    method,
    host: process.env["KUBERNETES_SERVICE_HOST"],
    port: process.env["KUBERNETES_SERVICE_PORT"],
    path,
    ca: readFileSync(join(ACCOUNT, "ca.crt")),
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    timeout: TIMEOUT_MS,
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.once("error", reject);
      response.once("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve(JSON.parse(text));
        else
          reject(new Error(`the Kubernetes API returned ${statusCode} for ${method} ${path}: ${text.slice(0, 200)}`));
      });
    });
    sent.once("timeout", () => sent.destroy(new Error("the Kubernetes API did not respond")));
    sent.once("error", reject);
    sent.end();
  });
}

/** Deletes one running pod of a component of the release; returns its name. */
export async function deletePod(place: { namespace: string; release: string; component: string }): Promise<string> {
  const { namespace, release, component } = place;
  const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const selector = `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${component}`;
  const { items } = (await callApi("GET", `${pods}?labelSelector=${encodeURIComponent(selector)}`)) as PodList;
  const pod = items.find(
    ({ metadata, status }) => status.phase === "Running" && metadata.deletionTimestamp === undefined,
  );
  if (!pod) throw new Error(`no pod of ${component} is running`);
  await callApi("DELETE", `${pods}/${encodeURIComponent(pod.metadata.name)}`);
  return pod.metadata.name;
}
