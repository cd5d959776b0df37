#!/usr/bin/env bash
# Finds, or brings, what builds for CUDA need beside Go and gcc:
#
#	tools.sh headers         prints the folder with cuda.h of CUDA 12
#	tools.sh nvrtc           prints the folder with libnvrtc.so.12, at the pinned version
#	tools.sh shim            makes our libcuda.a, and prints its folder
#	tools.sh with COMMAND... runs a command of Go's with cgo set up for headers and shim
#
# CUDA_HOME is looked at first for headers. What is missing comes from PyPI as
# wheels, unpacked into the folder CACHE (bin/cuda), which git ignores.
set -euo pipefail
from=$PWD
cd "$(dirname "$0")/../.."

CACHE=${CACHE:-$PWD/bin/cuda}
RUNTIME=nvidia-cuda-runtime-cu12==12.1.105 # old headers ask little of a driver
NVRTC=nvidia-cuda-nvrtc-cu12==12.1.105     # its PTX runs on drivers from 530 on

# wheel REQUIREMENT unpacks a wheel, once, into a folder of its name, and prints it.
wheel() {
	local into=$CACHE/$1
	if [[ ! -e $into/done ]]; then
		command -v python3 >/dev/null || { echo "python3 with pip is missing: it fetches $1; or set CUDA_HOME" >&2; return 1; }
		rm -rf "$into" && mkdir -p "$into"
		python3 -m pip download -q --no-deps --only-binary=:all: -d "$into" "$1" >&2 ||
			{ echo "$1 is not to be had from PyPI" >&2; return 1; }
		python3 -m zipfile -e "$into"/*.whl "$into" && rm "$into"/*.whl
		touch "$into/done"
	fi
	echo "$into"
}

headers() {
	local home
	for home in "${CUDA_HOME:-}" /usr/local/cuda; do
		if [[ -n $home ]] && grep -qs 'define CUDA_VERSION 12' "$home/include/cuda.h"; then
			echo "$home/include"
			return
		fi
	done
	home=$(wheel "$RUNTIME") && echo "$home/nvidia/cuda_runtime/include"
}

nvrtc() {
	local home
	home=$(wheel "$NVRTC") && echo "$home/nvidia/cuda_nvrtc/lib"
}

# shim makes libcuda.a, which forwards each function of cuda.h to the driver's
# library, once that has been opened: a program that is linked with it starts
# where there is no driver.
shim() {
	local include out=$CACHE/shim cc=${CC:-gcc}
	include=$(headers)
	mkdir -p "$out"
	printf '#include <cuda.h>\n' | $cc -E -P -I"$include" - | tr '\n' ' ' |
		grep -oE 'CUresult +cu[A-Za-z0-9_]+ *\(' | sed -E 's/CUresult +//; s/ *\(//' |
		grep -vx cuInit | sort -u >"$out/names"
	awk -f gpu/_toolchain/shim.awk "$out/names" >"$out/table.c"
	$cc -O2 -fPIC -Wall -Werror -c -o "$out/table.o" "$out/table.c"
	$cc -O2 -fPIC -Wall -Werror -Igpu/_toolchain -c -o "$out/shim.o" gpu/_toolchain/shim.c
	rm -f "$out/libcuda.a"
	ar rcs "$out/libcuda.a" "$out/table.o" "$out/shim.o"
	echo "$out"
}

with() {
	local include library
	include=$(headers)
	library=$(shim)
	cd "$from" # where the command was given
	CGO_ENABLED=1 CGO_CFLAGS="-O2 -I$include" CGO_LDFLAGS="-L$library" exec "$@"
}

case ${1:-} in
headers | nvrtc | shim | with) "$@" ;;
*)
	sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
