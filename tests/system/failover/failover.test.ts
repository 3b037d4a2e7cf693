import { failoverKit } from "./failover-kit.ts";

failoverKit("channel");
