#!/usr/bin/env bash
# Runs Schemathesis with all checks against a new service. Accepts the options of `st run` (CONTRIBUTING.md).
set -euo pipefail
cd "$(dirname "$0")/.."

st=${SCHEMATHESIS:-st}
command -v "$st" >/dev/null || {
  echo "Schemathesis is missing:" >&2
  echo "python3 -m venv .venv && .venv/bin/pip install schemathesis; SCHEMATHESIS=.venv/bin/st" >&2
  exit 1
}

folder=$(mktemp -d)
service=
trap '[ -z "$service" ] || { kill "$service" 2>/dev/null; wait "$service" 2>/dev/null; } || true; rm -rf "$folder"' EXIT

npm run --silent build
port=$(node -e "
  const server = require('node:net').createServer();
  server.listen(0, '127.0.0.1', () => { console.log(server.address().port); server.close(); })")
export DATA_DIR=$folder/data
mkdir "$DATA_DIR"
# Every request has a different client address, so that no limit by address is reached.
PORT=$port TRUST_PROXY=1 LOG_LEVEL=warn node dist/src/main.js >"$folder/log" 2>&1 &
service=$!
export BLAZON_URL=http://localhost:$port
until curl --silent --fail --output /dev/null "$BLAZON_URL/readyz"; do
  kill -0 "$service" || { cat "$folder/log" >&2; exit 1; }
  sleep 1
done

answer=$(curl --silent --fail --cookie-jar "$folder/cookies" \
  --json '{"email":"owner@example.com","password":"a long pass phrase"}' "$BLAZON_URL/auth/register")
node dist/src/cli/main.js account set-tier owner@example.com internal >/dev/null
read -r BLAZON_API_KEY BLAZON_ACCESS_TOKEN < <(
  node -p 'const { apiKey, accessToken } = JSON.parse(process.argv[1]); `${apiKey} ${accessToken}`' "$answer"
)
BLAZON_SESSION=$(awk '$6 ~ /^blazon_session/ { print $7 }' "$folder/cookies")
export BLAZON_API_KEY BLAZON_ACCESS_TOKEN BLAZON_SESSION

status=0
"$st" --config-file scripts/schemathesis/schemathesis.toml run "$BLAZON_URL/openapi.json" "$@" || status=$?
if grep -E '"level":"(error|fatal)"' "$folder/log"; then status=1; fi
exit "$status"
