#!/bin/sh
# Gets the jars of Selenium Grid by Maven, and runs the test that drives a hub and a node.
set -eu
for tool in mvn java chromedriver; do
	command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 0; }
done
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT INT TERM
jars=${ROVE_GRID_JARS:-$made/lib}
if [ ! -d "$jars" ]; then
	pom=$made/pom.xml
	cat >"$pom" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>rove</groupId><artifactId>grid</artifactId><version>1</version>
<dependencies><dependency><groupId>org.seleniumhq.selenium</groupId><artifactId>selenium-grid</artifactId><version>4.47.0</version></dependency></dependencies>
</project>
POM
	mvn -q -B -f "$pom" dependency:copy-dependencies -DoutputDirectory="$jars"
fi
ROVE_BROWSER=${ROVE_BROWSER:-chrome} ROVE_GRID_JARS=$jars go test -count=1 -run 'TestGrid$' ./internal/cli
