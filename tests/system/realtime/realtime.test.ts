import { endings } from "./endings.ts";
import { handshakes } from "./handshakes.ts";
import { useRealtimeSite } from "./realtime-site.ts";
import { sessions } from "./sessions.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useRealtimeSite();

handshakes(at);
sessions(at);
endings(at);
