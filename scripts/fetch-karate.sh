#!/usr/bin/env bash
# Prints the class path of real Karate, which Maven brings from Maven Central once:
#
#	java -cp "$(scripts/fetch-karate.sh)" com.intuit.karate.Main x.feature
#
# Ends with 3 and the reason where there is no Java or no Maven.
set -euo pipefail
version=1.5.2
dir=${XDG_CACHE_HOME:-$HOME/.cache}/rove/karate-$version
if ! command -v java >/dev/null; then
	echo "there is no java here, which Karate needs: install version 17 or newer" >&2
	exit 3
fi
if [ ! -e "$dir/complete" ]; then
	if ! command -v mvn >/dev/null; then
		echo "there is no mvn here, which fetches Karate: install Maven" >&2
		exit 3
	fi
	mkdir -p "$dir"
	cat >"$dir/pom.xml" <<-END
		<project xmlns="http://maven.apache.org/POM/4.0.0">
		  <modelVersion>4.0.0</modelVersion>
		  <groupId>rove</groupId><artifactId>karate</artifactId><version>1</version>
		  <dependencies>
		    <dependency><groupId>io.karatelabs</groupId><artifactId>karate-core</artifactId><version>$version</version></dependency>
		  </dependencies>
		</project>
	END
	(cd "$dir" && mvn -B -q dependency:copy-dependencies -DoutputDirectory="$dir/lib" -DincludeScope=runtime >&2)
	touch "$dir/complete"
fi
echo "$dir/lib/*"
