/** Floors of the code that services share, lowest first. Backup and snapshot are used by whole services only. */
export default {
  root: "services/shared/src",
  floors: [
    ["errors"],
    ["log"],
    ["telemetry"],
    ["concurrency"],
    ["events"],
    ["accounts"],
    ["http"],
    ["config"],
    ["crypto"],
    ["grpc"],
    ["lifecycle"],
    ["redis"],
    ["mongo"],
    ["audit"],
    ["backup"],
    ["snapshot"],
  ],
};
