# The image of one service: docker build -f docker/service.Dockerfile --build-arg SERVICE=relay --build-arg VERSION=1.2.3 .
# Services run their TypeScript directly, so only dependencies are prepared. All images share the layers up to the service's own
# files: they are built once and pulled once. The gateway's image also holds the built console.
# package-lock.json and the base image fix the content; set NODE_IMAGE to a digest for reproducible builds.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY proto/package.json proto/
COPY services/auth/package.json services/auth/
COPY services/billing/package.json services/billing/
COPY services/channel/package.json services/channel/
COPY services/contract/package.json services/contract/
COPY services/gateway/package.json services/gateway/
COPY services/messaging/package.json services/messaging/
COPY services/relay/package.json services/relay/
COPY services/shared/package.json services/shared/
COPY services/api-client/package.json services/api-client/
COPY tests/package.json tests/
COPY web/package.json web/

FROM manifests AS console
RUN --mount=type=cache,target=/root/.npm npm ci --workspace web --workspace services/contract --no-audit --no-fund
COPY services/contract services/contract
COPY web web
# A folder for each service, full for the gateway only.
RUN npm run build --workspace web \
 && mkdir -p /console/auth /console/billing /console/channel /console/messaging /console/relay /console/gateway/web \
 && mv web/dist /console/gateway/web/dist

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 GRPC_PORT=7000 OPS_PORT=9000 DATA_DIR=/data WEB_DIST=/app/web/dist
WORKDIR /app
COPY --from=manifests /app ./
# Installed here instead of copied from another stage, because many small files are slow to copy. Node reads neither types nor maps.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-audit --no-fund \
      --workspace proto --workspace services/contract --workspace services/shared \
      --workspace services/auth --workspace services/billing --workspace services/channel --workspace services/gateway \
      --workspace services/messaging --workspace services/relay \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete \
 && mkdir /data .compile-cache && chown 1000:1000 /data .compile-cache
COPY proto proto
COPY services/contract services/contract
COPY services/shared services/shared
COPY --chmod=755 docker/turnpike /usr/local/bin/turnpike
# A numeric user, so that Kubernetes can verify that it is not root.
USER 1000:1000
EXPOSE 7000 9000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.OPS_PORT+'/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# scripts/up/system.ts explains the flags.
ENV START_FLAGS="--max-semi-space-size=32 --v8-pool-size=1 --import ./services/shared/src/telemetry/start.ts"
# exec replaces the shell by node, so signals reach it as process 1.
CMD ["sh", "-c", "exec node $START_FLAGS services/$SERVICE/src/main.ts"]
ARG SERVICE
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="turnpike-${SERVICE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV SERVICE=${SERVICE} TURNPIKE_VERSION=${VERSION}
COPY --from=console /console/${SERVICE}/ ./
COPY services/${SERVICE} services/${SERVICE}
# The compile cache is filled here, so that a pod starts in 60 % of the time and needs 20 MB less: a service without settings exits with an error,
# but only after it has loaded all its modules. The flags must equal those of CMD, or Node would ignore the cache.
ENV NODE_COMPILE_CACHE=/app/.compile-cache
RUN node $START_FLAGS services/$SERVICE/src/main.ts >/dev/null 2>&1 \
 || [ -n "$(ls .compile-cache)" ]
