/** Floors of the code that services share, lowest first. Backup and snapshot are used by whole services only. */
export default {
  root: "services/shared/src",
  floors: [
    ["errors", "log"],
    ["telemetry", "concurrency"],
    ["config", "crypto", "events", "http"],
    ["accounts", "grpc", "lifecycle", "redis"],
    ["mongo", "snapshot"],
    ["audit", "backup"],
  ],
};
