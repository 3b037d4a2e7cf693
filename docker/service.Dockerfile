# The image of one service: docker build -f docker/service.Dockerfile --build-arg SERVICE=relay .
# Services run their TypeScript directly, so only dependencies are prepared; the gateway's image also holds the built console.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
ARG SERVICE
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
COPY tests/package.json tests/
COPY web/package.json web/
COPY services/contract services/contract
COPY web web
RUN if [ "$SERVICE" = gateway ]; then \
      npm ci --workspace web --workspace services/contract --no-audit --no-fund && npm run build --workspace web; \
    else mkdir -p web/dist; fi
RUN npm ci --omit=dev --no-audit --no-fund \
      --workspace "services/$SERVICE" --workspace services/shared --workspace services/contract --workspace proto

FROM ${NODE_IMAGE}
ARG SERVICE
ENV NODE_ENV=production SERVICE=${SERVICE} HOST=0.0.0.0 GRPC_PORT=7000 OPS_PORT=9000 DATA_DIR=/data WEB_DIST=/app/web/dist
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/web/dist web/dist
COPY proto proto
COPY services/contract services/contract
COPY services/shared services/shared
COPY services/${SERVICE} services/${SERVICE}
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 7000 9000
CMD ["sh", "-c", "exec node --max-semi-space-size=16 --import ./services/shared/src/telemetry/start.ts services/$SERVICE/src/main.ts"]
