/** Floors of the console, lowest first: a folder imports from its own floor and from lower floors only. */
export default {
  root: "web/src",
  floors: [["locales"], ["lib"], ["hooks"], ["components"], ["domain"], ["features"], ["app", "main.tsx"]],
  /** Folders of one floor that must not import each other. */
  exclusive: [["features/*"]],
};
