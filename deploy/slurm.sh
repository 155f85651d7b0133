#!/bin/bash
# All maps of a shared folder as an array of jobs: sbatch --array=0-31 deploy/slurm.sh MAPS OUT [FLAGS...]
# A job that is stopped at its time limit goes on where it was when it is submitted again.
#SBATCH --job-name=bsp2gltf
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@30
set -euo pipefail
maps=$1 out=$2
shift 2
code=0
srun bsp2gltf batch "$maps" -o "$out" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
	--jobs "$SLURM_CPUS_PER_TASK" --cache "${SLURM_TMPDIR:-/tmp}/bsp2gltf-$(id -un)" --log text "$@" || code=$?
# 1: the part is done, and its manifest has the maps that can't be converted.
[ "$code" = 1 ] || exit "$code"
