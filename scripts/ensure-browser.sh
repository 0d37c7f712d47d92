#!/usr/bin/env bash
# Sees to it that there is a browser to measure with, a full one if it can be had, and
# does nothing where there is one.
set -euo pipefail
scripts=$(dirname "${BASH_SOURCE[0]}")
"$scripts/browsers.sh" >/dev/null
