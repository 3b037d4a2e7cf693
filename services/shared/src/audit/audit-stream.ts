import { auditRecorded } from "../events/auth.ts";
import { type WorkStream, getWorkStream } from "../events/work-stream.ts";

/** The stream by which admin actions travel to auth. */
export const auditStream = (namespace: string): WorkStream =>
  getWorkStream(namespace, { stream: "AUDIT", consumer: "auth", subjects: [auditRecorded.subject] });
