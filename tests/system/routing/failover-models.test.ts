import { failoverKit } from "../failover/failover-kit.ts";

failoverKit("model");
