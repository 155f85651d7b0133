#!/bin/sh
# usage: godot4.sh PROJECT COMMAND...   runs a command where PROJECT is /p and Debian sid's Godot 4 is installed:
#
#   godot4.sh PROJECT godot --headless --path /p --import
#   godot4.sh PROJECT /window godot --path /p --rendering-method gl_compatibility -s shot.gd     # on a screen of its own
#
# Made once in ${XDG_CACHE_HOME:-~/.cache}/bsp2gltf-godot4: 190 MB from this machine's Debian mirror, 720 MB on disk.
# Exit code 77, and a line that says why, where Godot 4 can't be had.
set -eu
project=$(realpath "$1")
shift
root=${XDG_CACHE_HOME:-$HOME/.cache}/bsp2gltf-godot4

no() {
	echo "no Godot 4: $*" >&2
	exit 77
}

# install downloads sid's packages with lists and a status of their own, and unpacks them without running their scripts.
install() {
	apt=$root.apt
	rm -rf "$root" "$apt"
	mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root"
	: >"$apt/status"
	mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} sid main" >"$apt/list"
	set -- -qq -o Dir::Etc::sourcelist="$apt/list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$apt/lists" \
		-o Dir::State::status="$apt/status" -o Dir::Cache::archives="$apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o Debug::NoLocking=1 -o APT::Sandbox::User=root
	apt-get "$@" update >&2 || no "sid's lists can't be had from ${mirror:-deb.debian.org}"
	apt-get "$@" install -y -d --no-install-recommends godot xvfb libgl1-mesa-dri mesa-vulkan-drivers libvulkan1 bash coreutils \
		ca-certificates >&2 || no "sid's packages can't be had"
	for package in "$apt"/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink || no "$package can't be unpacked"
	done
	rm -rf "$apt"
	ln -sf bash "$root/usr/bin/sh"
	mkdir -p "$root/p" "$root/proc" "$root/dev" "$root/tmp" "$root/root"
	cat >"$root/window" <<-'END'
		#!/bin/sh
		Xvfb :77 -screen 0 1280x720x24 >/dev/null 2>&1 &
		screen=$!
		sleep 3
		code=0
		DISPLAY=:77 LIBGL_ALWAYS_SOFTWARE=1 "$@" || code=$?
		kill $screen
		exit $code
	END
	chmod +x "$root/window"
	touch "$root/installed"
}

[ "$(id -u)" = 0 ] || no "a root of its own needs root"
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || no "this is no Debian"
unshare -m true 2>/dev/null || no "mounts of its own are not allowed here"
[ -f "$root/installed" ] || install
# shellcheck disable=SC2016
exec unshare -m sh -c 'root=$1 project=$2
	shift 2
	mount --bind /proc "$root/proc" && mount --bind /dev "$root/dev" && mount --bind "$project" "$root/p" || exit 77
	exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp "$@"' sh "$root" "$project" "$@"
