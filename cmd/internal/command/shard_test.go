package command

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
)

func TestShardsOfEngines(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "4", "SLURM_ARRAY_TASK_COUNT": "4"}
	gaps := map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "7", "SLURM_ARRAY_TASK_COUNT": "2"}
	aws := map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "2"}
	kubernetes := map[string]string{"JOB_COMPLETION_INDEX": "7"}
	none := batch.Shard{N: -1}
	for _, test := range []struct {
		flag string
		env  map[string]string
		want batch.Shard
	}{
		{"", slurm, batch.Shard{}}, {"2/8", slurm, batch.Shard{N: 2, Of: 8}}, {"8/8", nil, none}, {"-1/8", nil, none}, {"x", slurm, none},
		{"auto", slurm, batch.Shard{N: 2, Of: 4}}, {"8", slurm, batch.Shard{N: 3, Of: 8}}, {"3", slurm, none},
		{"auto", gaps, none}, {"8", gaps, batch.Shard{N: 3, Of: 8}},
		{"auto", aws, batch.Shard{N: 1, Of: 2}}, {"2", aws, batch.Shard{N: 1, Of: 2}},
		{"auto", kubernetes, none}, {"8", kubernetes, batch.Shard{N: 7, Of: 8}}, {"auto", nil, none}, {"8", nil, none},
	} {
		for _, a := range arrays {
			for _, name := range []string{a.index, a.count, a.first, a.last} {
				if name != "" {
					t.Setenv(name, test.env[name])
				}
			}
		}
		f := batchFlags{shard: test.flag}
		if got, err := f.part(); err != nil && test.want != none || err == nil && got != test.want {
			t.Errorf("--shard %s with %v: %+v, %v", test.flag, test.env, got, err)
		}
	}
}
