# Every target does the set-up it needs. Recipes only call programs; anything longer lives in scripts/.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
NODE := node_modules/.bin/node
VITEST := $(NODE) node_modules/vitest/vitest.mjs run
REPORTS := .turnpike/reports
SERVICES := auth billing channel messaging relay gateway
IMAGE_PREFIX ?= turnpike
IMAGE_TAG ?= dev
.DEFAULT_GOAL := help

.PHONY: help
help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Installs the dependencies when they are missing or older than the lock file
	@if [ ! -x $(NODE) ]; then npm ci; \
	elif [ package-lock.json -nt node_modules/.package-lock.json ]; then npm install --no-audit --no-fund && touch node_modules/.package-lock.json; fi
	@$(NODE) --version >/dev/null || { echo "Node 24 is not in node_modules: run npm ci with install scripts allowed for the package node" >&2; exit 1; }

.PHONY: up
up: setup ## Starts the complete system: backing services, six services, console
	@exec $(NODE) scripts/up/main.ts

.PHONY: test
test: setup ## Runs every test that needs no browser and no cluster, on real MongoDB, Redis and NATS
	@mkdir -p $(REPORTS)
	$(VITEST) --project unit --project services --reporter=default --reporter=json --outputFile.json=$(REPORTS)/test.json

.PHONY: check
check: format lint types proto-check unit ## Format, lint, types, contracts, unit tests

.PHONY: format
format: setup
	oxfmt --check .

.PHONY: lint
lint: setup ## oxlint, and the floors: which folder may import which (scripts/lint/floors)
	oxlint
	depcruise --config .dependency-cruiser.mjs services web/src

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
	$(VITEST) --project unit --reporter=default --reporter=json --outputFile.json=$(REPORTS)/unit.json

.PHONY: proto
proto: setup ## Regenerates the TypeScript of the contracts
	cd proto && buf lint && buf generate

.PHONY: proto-release
proto-release: setup ## Stores the present contracts as the release that later ones are compared with
	$(NODE) scripts/proto-check.ts --release

.PHONY: e2e
e2e: setup ## Drives the console in a real browser
	@mkdir -p $(REPORTS)
	$(VITEST) --project browser --reporter=default --reporter=json --outputFile.json=$(REPORTS)/e2e.json

.PHONY: load
load: setup ## Measures the relay against a bare Node proxy and nginx
	$(NODE) tests/load/main.ts

.PHONY: reseller
reseller: setup ## A busy reseller for RESELLER_MINUTES (10) at RESELLER_RATE calls a second (60): what a call costs each process, and whether reconciliation is clean
	$(NODE) tests/load/reseller.ts

.PHONY: fault
fault: setup ## Kills and stops parts of the system under load and checks every balance afterwards
	$(NODE) tests/fault/main.ts

.PHONY: alerts
alerts: setup ## Checks alert rules, runbooks and dashboards with promtool
	$(NODE) scripts/alerts/dashboards.ts --check
	$(NODE) scripts/alerts/check.ts

.PHONY: alerts-test
alerts-test: alerts ## Rehearses alerts: a real Prometheus reads the running system
	$(NODE) tests/alerts/main.ts

.PHONY: dashboards
dashboards: setup ## Regenerates the Grafana dashboards of the chart
	$(NODE) scripts/alerts/dashboards.ts

.PHONY: storm
storm: setup ## Moves money every way at once while services are killed, and compares every figure (STORM_CALLS, STORM_SEED)
	$(NODE) tests/fault/storm.ts

.PHONY: load-logs
load-logs: setup ## Measures the usage log with many rows while calls are posted (LOG_ROWS, LOG_RATE)
	$(NODE) tests/load/logs.ts

.PHONY: seed-logs
seed-logs: setup ## Fills the install that is up with made-up usage (SEED_ROWS, ten million by default)
	$(NODE) scripts/seed/main.ts

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

.PHONY: images
images: ## Builds the image of each service
	@set -e; for service in $(SERVICES); do \
	  docker build -f docker/service.Dockerfile --build-arg SERVICE=$$service -t $(IMAGE_PREFIX)/$$service:$(IMAGE_TAG) .; done
