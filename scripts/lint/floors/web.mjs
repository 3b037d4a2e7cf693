/** Floors of the console, lowest first. Features stand side by side and do not import each other. */
export default {
  root: "web/src",
  floors: [["locales"], ["lib"], ["hooks"], ["components"], ["domain"], ["features/*"], ["app"]],
};
