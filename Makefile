# Every target does the set-up it needs. Recipes only call programs; anything longer lives in scripts/.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
NODE := node_modules/.bin/node
VITEST := $(NODE) node_modules/vitest/vitest.mjs run
REPORTS := .turnpike/reports
# Files to test instead of all: make test TEST_FILES="tests/system/charges/money.test.ts".
TEST_FILES ?=
SERVICES := auth billing channel messaging relay gateway
IMAGE_PREFIX ?= turnpike
IMAGE_TAG ?= dev
.DEFAULT_GOAL := help

.PHONY: help
help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Installs the dependencies when they are missing or older than the lock file
	@command -v node >/dev/null || { echo "setup: Node is not installed. Install Node 20 or newer with npm, then repeat." >&2; exit 1; }
	@if [ ! -x $(NODE) ]; then node scripts/setup/main.mjs ci; \
	elif [ package-lock.json -nt node_modules/.package-lock.json ]; then node scripts/setup/main.mjs install --no-audit --no-fund && touch node_modules/.package-lock.json; fi
	@$(NODE) --version >/dev/null || { echo "setup: Node 24 is not in node_modules. Delete node_modules and run npm ci with install scripts allowed for the package node." >&2; exit 1; }

.PHONY: up
up: setup ## Starts the complete system: backing services, six services, console
	@exec $(NODE) scripts/up/main.ts

.PHONY: demo
demo: setup ## Starts an install of its own (./data/demo), filled with a month of believable data behind scripted upstreams
	@exec $(NODE) scripts/demo/main.ts

.PHONY: screenshots
screenshots: setup ## Takes the screenshots of the console in docs/images from a demo install (Chromium; CHROMIUM names the program)
	@exec $(NODE) scripts/screenshots/main.ts

.PHONY: test
test: setup ## Runs every test that needs no browser and no cluster, on real MongoDB, Redis and NATS
	@mkdir -p $(REPORTS)
	$(VITEST) --project unit --project services $(TEST_FILES) --reporter=default --reporter=json --outputFile.json=$(REPORTS)/test.json

.PHONY: first-start
first-start: setup ## Does what a newcomer does, as an unprivileged user without servers: make up, set-up, a channel, a charged call
	$(NODE) tests/first-start/main.ts

.PHONY: check
check: format lint types proto-check unit ## Format, lint, types, contracts, unit tests

.PHONY: format
format: setup
	oxfmt --check .

.PHONY: lint
lint: setup openapi-check ## oxlint, the floors: which folder may import which (scripts/lint/floors), and the API descriptions
	oxlint
	depcruise --config .dependency-cruiser.mjs services web/src scripts tests

.PHONY: openapi
openapi: setup ## Regenerates the descriptions of /api and of the model API, and the types of the API client
	$(NODE) scripts/openapi/main.ts

.PHONY: openapi-check
openapi-check: setup ## Fails when a description is not current or not valid
	$(NODE) scripts/openapi/main.ts --check
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint --config scripts/openapi/redocly.yaml services/gateway/src/openapi.json services/relay/src/http/openapi.json

.PHONY: docs
docs: setup ## Builds the documentation site in docs/.vitepress/dist; fails for a link to a page that does not exist
	vitepress build docs

.PHONY: docs-reference
docs-reference: setup ## Regenerates the pages of docs/reference (options, errors, calls, metrics, environment variables, channel types) and docs/dialect-coverage.md
	$(NODE) scripts/docs/main.ts

.PHONY: openapi-test
openapi-test: setup ## Sends generated requests to a running system and compares its responses with the descriptions (OPENAPI_SECONDS)
	$(NODE) tests/openapi/main.ts

.PHONY: clients-test
clients-test: setup ## Runs the coding agents and frameworks of docs/clients against a running system, set up by their snippets (CLIENTS_KINDS, CLIENTS_SECONDS)
	@mkdir -p $(REPORTS)
	$(VITEST) --project clients $(TEST_FILES) --reporter=default --reporter=json --outputFile.json=$(REPORTS)/clients.json

.PHONY: types
types: setup
	tsc -p tsconfig.json
	tsc -p web/tsconfig.json

.PHONY: proto-check
proto-check: setup
	$(NODE) scripts/proto-check.ts

.PHONY: unit
unit: setup
	@mkdir -p $(REPORTS)
	$(VITEST) --project unit $(TEST_FILES) --reporter=default --reporter=json --outputFile.json=$(REPORTS)/unit.json

.PHONY: proto
proto: setup ## Regenerates the TypeScript of the contracts
	cd proto && buf lint && buf generate

.PHONY: proto-release
proto-release: setup ## Stores the current contracts as the release to compare later ones with
	$(NODE) scripts/proto-check.ts --release

.PHONY: e2e
e2e: setup ## Drives the console in a real browser
	@mkdir -p $(REPORTS)
	$(VITEST) --project browser $(TEST_FILES) --reporter=default --reporter=json --outputFile.json=$(REPORTS)/e2e.json

.PHONY: load
load: setup ## Measures the relay against a bare Node proxy and nginx
	$(NODE) tests/load/main.ts

.PHONY: reseller
reseller: setup ## Runs a busy reseller for RESELLER_MINUTES (10) at RESELLER_RATE calls per second (60): CPU time per call and process, and a reconciliation
	$(NODE) tests/load/reseller.ts

.PHONY: fault
fault: setup ## Kills and stops parts of the system under load and checks every balance afterwards
	$(NODE) tests/fault/main.ts
	$(NODE) tests/fault/replicated.ts

.PHONY: alerts
alerts: setup ## Checks alert rules, runbooks and dashboards with promtool
	$(NODE) scripts/alerts/dashboards.ts --check
	$(NODE) scripts/alerts/check.ts

.PHONY: alerts-test
alerts-test: alerts ## Rehearses alerts: a real Prometheus scrapes the running system
	$(NODE) tests/alerts/main.ts

.PHONY: dashboards
dashboards: setup ## Regenerates the Grafana dashboards of the chart
	$(NODE) scripts/alerts/dashboards.ts

.PHONY: storm
storm: setup ## Moves money in every way concurrently while services are killed, and compares every figure (STORM_CALLS, STORM_SEED)
	$(NODE) tests/fault/storm.ts

.PHONY: load-logs
load-logs: setup ## Measures the usage log with many rows while calls are posted (LOG_ROWS, LOG_RATE)
	$(NODE) tests/load/logs.ts

.PHONY: seed-logs
seed-logs: setup ## Fills the running install with generated usage (SEED_ROWS, ten million by default)
	$(NODE) scripts/seed/main.ts

.PHONY: catalogue
catalogue: setup ## Regenerates the built-in prices and model facts from the newest LiteLLM package (pip, python3) and prints what changed
	$(NODE) scripts/catalogue/main.ts
	oxfmt services/contract/src/api/models/catalogue-model-lists.ts services/billing/src/catalogue/listed-prices.ts

.PHONY: catalogue-check
catalogue-check: setup ## Fails when the built-in catalogue is older than the newest LiteLLM package
	$(NODE) scripts/catalogue/main.ts --check

.PHONY: backup
backup: setup ## Writes a backup of the database below DIR (./data/backups) while the system runs
	$(NODE) scripts/with-install.ts services/shared/src/backup/main.ts save $(or $(DIR),./data/backups) --keep=$(or $(KEEP),14)

.PHONY: restore
restore: setup ## Restores the backup FROM=<folder> into an empty database (MONGODB_URL)
	@test -n "$(FROM)" || { echo "usage: make restore FROM=<folder of one backup>" >&2; exit 2; }
	$(NODE) scripts/with-install.ts services/shared/src/backup/main.ts restore $(FROM)

.PHONY: rotate-master-key
rotate-master-key: setup ## Re-encrypts all secrets with the first key of MASTER_KEY=<new>,<old>
	$(NODE) scripts/with-install.ts services/shared/src/backup/main.ts rotate-master-key

.PHONY: cluster-test
cluster-test: setup ## Installs the chart on the Kubernetes of KUBECONFIG and rolls it under load (CLUSTER_EXEC runs it where pods are reachable)
	$(CLUSTER_EXEC) $(CURDIR)/$(NODE) tests/cluster/main.ts

.PHONY: compose-test
compose-test: setup ## Brings docker/compose.yaml up with the images of TAG (dev) and makes one charged call through it
	$(NODE) tests/compose/main.ts

.PHONY: chart
chart: setup ## Checks the Helm chart
	$(NODE) scripts/chart/main.ts

.PHONY: sbom
sbom: setup ## Writes the CycloneDX bill of materials of what is shipped to .turnpike/sbom
	$(NODE) scripts/supply/main.ts sbom

.PHONY: licences
licences: setup ## Lists the licences of all packages; fails for one that is not allowed
	$(NODE) scripts/supply/main.ts licences

.PHONY: audit
audit: setup ## Asks the registry for advisories about what is shipped
	$(NODE) scripts/supply/main.ts audit

.PHONY: image-scan
image-scan: setup ## Scans the images of `make images` with trivy; fails for a high vulnerability that has a fix
	$(NODE) scripts/supply/main.ts image-scan $(SERVICES:%=$(IMAGE_PREFIX)/%:$(IMAGE_TAG))

.PHONY: reproducible
reproducible: setup ## Builds the same commit twice and compares every file (REPRODUCIBLE_IMAGES=false leaves the images out)
	$(NODE) scripts/supply/reproducible.ts

.PHONY: release
release: setup ## Tags the next version (or takes VERSION) and makes it in .turnpike/release: images, chart, bill of materials, provenance, signatures (RELEASE_FLAGS)
	$(NODE) scripts/release/main.ts $(VERSION) $(RELEASE_FLAGS)

.PHONY: images
images: ## Builds the image of each service
	@set -e; for service in $(SERVICES); do \
	  docker build -f docker/service.Dockerfile --build-arg SERVICE=$$service -t $(IMAGE_PREFIX)/$$service:$(IMAGE_TAG) .; done
