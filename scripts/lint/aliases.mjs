// Path aliases for dependency-cruiser, in the form of a webpack configuration: the only one it reads without TypeScript's API.
import { resolve } from "node:path";

export default { resolve: { alias: { "@": resolve(import.meta.dirname, "../../web/src") } } };
