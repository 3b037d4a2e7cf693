import { endings } from "./realtime/endings.ts";
import { handshakes } from "./realtime/handshakes.ts";
import { useRealtimeSite } from "./realtime/realtime-site.ts";
import { sessions } from "./realtime/sessions.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useRealtimeSite();

handshakes(at);
sessions(at);
endings(at);
