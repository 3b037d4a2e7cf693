import { join } from "node:path";
import { getInstallFolder, installOnce, runInstallStep } from "./install-folder.ts";
import { UV_PACKAGE } from "./versions.ts";

/** Compiling takes longer than the one run of each module that follows. */
const PIP_FLAGS = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile", "--prefer-binary"];

type Installer = (python: string, packages: readonly string[], folder: string) => Promise<void>;

/** uv where its package can be installed, since it takes a fraction of pip's time; pip reads more of a machine's settings. */
async function createInstaller(): Promise<Installer> {
  const home = getInstallFolder("uv", UV_PACKAGE);
  const pip = join(home, "bin/pip");
  let hasUv = true;
  await installOnce(home, async () => {
    await runInstallStep(["python3", "-m", "venv", home], home);
    await runInstallStep([pip, "install", ...PIP_FLAGS, UV_PACKAGE], home);
  }).catch(() => (hasUv = false));
  const withPip: Installer = (python, packages, folder) =>
    runInstallStep([pip, "--python", python, "install", ...PIP_FLAGS, ...packages], folder);
  const withUv: Installer = (python, packages, folder) =>
    runInstallStep([join(home, "bin/uv"), "pip", "install", "--quiet", "--python", python, ...packages], folder);
  return (python, packages, folder) =>
    hasUv
      ? withUv(python, packages, folder).catch(() => withPip(python, packages, folder))
      : withPip(python, packages, folder);
}

let installer: Promise<Installer> | undefined;

/** Installs packages into a virtual environment of their own. */
export async function installPython(folder: string, packages: readonly string[]): Promise<void> {
  const install = await (installer ??= createInstaller());
  await runInstallStep(["python3", "-m", "venv", "--without-pip", folder], folder);
  await install(join(folder, "bin/python"), packages, folder);
}
