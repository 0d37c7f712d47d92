#!/usr/bin/env bash
# Sees to it that there is a browser, a full one if it can be had, and does nothing where
# there is one.
set -euo pipefail
"$(dirname "${BASH_SOURCE[0]}")/browsers.sh" any >/dev/null
