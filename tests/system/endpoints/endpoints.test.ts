import { audioAndForms } from "./audio-and-forms.ts";
import { useEndpointSite } from "./endpoint-site.ts";
import { failedCalls } from "./failed-calls.ts";
import { jsonEndpoints } from "./json-endpoints.ts";
import { responses } from "./responses.ts";

// One system for all of them: starting it takes longer than the tests.
const at = useEndpointSite();

jsonEndpoints(at);
audioAndForms(at);
responses(at);
failedCalls(at);
