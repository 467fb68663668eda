#!/bin/sh
# Puts autotune on the path of a job: `install.sh wheel|binary PLACE SHA256`. PLACE is a path or an address: of a wheel, of a
# release's archive, or of the program itself. A file from an address is used only if its sum is known.
set -eu
kind=$1 place=$2 sum=$3
folder=$RUNNER_TEMP/autotune
mkdir -p "$folder"

case $place in
*://*)
    if [ -z "$sum" ]; then
        echo "::error::the input sha256 is missing: what comes from an address is used only if its sum is known"
        exit 1
    fi
    name=${place%%[?#]*}
    file=$folder/${name##*/}
    curl --fail --silent --show-error --location --output "$file" "$place"
    ;;
*)
    file=$place
    if ! [ -f "$file" ]; then
        echo "::error::the input $kind names $file, which is not a file"
        exit 1
    fi
    ;;
esac
if [ -n "$sum" ] && ! echo "$sum  $file" | sha256sum --check --quiet; then
    echo "::error::the SHA-256 sum of $place is not that of the input sha256"
    exit 1
fi

case $kind:$file in
wheel:*)
    python3 -m venv "$folder/environment"
    "$folder/environment/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps "$file"
    # The environment's Python is not the job's.
    mkdir -p "$folder/bin"
    ln -sf "$folder/environment/bin/autotune" "$folder/bin/autotune"
    ;;
binary:*.tar.gz | binary:*.tgz)
    mkdir -p "$folder/bin"
    tar -xzf "$file" -C "$folder/bin" --strip-components=1
    ;;
*)
    mkdir -p "$folder/bin"
    cp "$file" "$folder/bin/autotune"
    chmod +x "$folder/bin/autotune"
    ;;
esac
echo "$folder/bin" >>"$GITHUB_PATH"
"$folder/bin/autotune" --version
