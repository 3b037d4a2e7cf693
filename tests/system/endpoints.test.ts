import { audioAndForms } from "./endpoints/audio-and-forms.ts";
import { useEndpointSite } from "./endpoints/endpoint-site.ts";
import { failedCalls } from "./endpoints/failed-calls.ts";
import { jsonEndpoints } from "./endpoints/json-endpoints.ts";
import { responses } from "./endpoints/responses.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useEndpointSite();

jsonEndpoints(at);
audioAndForms(at);
responses(at);
failedCalls(at);
