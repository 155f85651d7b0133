#!/bin/bash
# All maps of a shared folder or a store as an array of tasks: sbatch --array=0-31 deploy/slurm.sh MAPS OUT [FLAGS...]
# A task that is killed, or stopped at its time limit, goes on where it was when SLURM runs it again, or when the array is submitted again.
# More than one core for each task: sbatch -c 4 --array=... Each map takes up to 64 MB and 16 times its size: --mem-per-cpu.
#SBATCH --job-name=bsp2gltf
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=B:TERM@30
set -euo pipefail
maps=$1 out=$2
shift 2
for try in 1 2 3 4 5 6; do
	code=0
	bsp2gltf batch "$maps" -o "$out" --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" --cache "${SLURM_TMPDIR:-/tmp}/bsp2gltf-$(id -un)" \
		--log text "$@" &
	trap 'kill -TERM $!' TERM
	wait $! || code=$?
	[ "$code" -le 128 ] || { wait $! || code=$?; } # a signal ends "wait" before it ends the program
	# 73: another process holds the lock of this part. It may be this task's own, which SLURM has ended and which has not gone yet.
	[ "$code" = 73 ] && [ "$try" -lt 6 ] || break
	sleep 10
done
# 1: the part is done, and its manifest has the maps that can't be converted.
[ "$code" = 1 ] || exit "$code"
