#!/bin/sh
# usage: sign.sh sign DIST KEY            signs DIST/SHA256SUMS with minisign's secret key: DIST/SHA256SUMS.minisig
#        sign.sh verify DIST PUBLIC_KEY   checks that signature, and every file's sum, without a network
#        sign.sh test DIST                does both in a copy with a key of its own, and sees that a changed sum and a changed file fail
# Needs minisign (https://jedisct1.github.io/minisign) and sha256sum.
set -eu

sign() { minisign -S -s "$2" -m "$1/SHA256SUMS" -t "bsp2gltf $(sed -n 's/.*  bsp2gltf-\([0-9.]*\)-linux-amd64\.tar\.gz$/\1/p' "$1/SHA256SUMS")"; }

verify() {
	minisign -V -q -p "$2" -m "$1/SHA256SUMS" || return 1
	(cd "$1" && sha256sum --quiet --strict -c SHA256SUMS)
}

# refused VERIFY... passes if it fails.
refused() {
	if verify "$@" >/dev/null 2>&1; then
		echo "FAIL $3 is accepted"
		exit 1
	fi
}

try() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	mkdir "$work/dist"
	find "$1" -maxdepth 1 -type f -exec ln -s {} "$work/dist/" ';'
	cp --remove-destination "$1/SHA256SUMS" "$work/dist/SHA256SUMS"
	minisign -G -W -f -p "$work/key.pub" -s "$work/key" >/dev/null
	sign "$work/dist" "$work/key" >/dev/null
	verify "$work/dist" "$work/key.pub"
	file=$(cd "$work/dist" && ls -- *.cdx.json | head -n 1)
	cp --remove-destination "$1/$file" "$work/dist/$file"
	echo >>"$work/dist/$file"
	refused "$work/dist" "$work/key.pub" "a changed $file"
	(cd "$work/dist" && sha256sum "$file" >line && sed -i "s|.*  $file\$|$(cat line)|" SHA256SUMS && rm line)
	refused "$work/dist" "$work/key.pub" "a changed SHA256SUMS"
	echo "ok   SHA256SUMS is signed and verified without a network; a changed file and a changed sum are refused"
}

case ${1-} in
sign) sign "$2" "$3" ;;
verify) verify "$2" "$3" ;;
test) try "$(cd "$2" && pwd)" ;;
*)
	sed -n '2,5s/^# //p' "$0" >&2
	exit 2
	;;
esac
