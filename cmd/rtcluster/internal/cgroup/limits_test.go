package cgroup_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"rtcluster/cmd/rtcluster/internal/cgroup"
)

const (
	unified = "30 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	memory1 = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	cpu1    = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
	other   = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
)

// TestRead has systems as folders.
func TestRead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has control groups")
	}
	none := math.Inf(1)
	for _, test := range []struct {
		name   string
		group  string // of the process, as /proc/self/cgroup has it
		mounts string
		files  map[string]string // under /sys/fs/cgroup
		want   cgroup.Limits
	}{
		{name: "no groups", want: cgroup.Limits{Memory: none, Free: none, CPUs: none}},
		{
			name: "no limits", group: "0::/user.slice\n", mounts: other + unified,
			files: map[string]string{"user.slice/memory.max": "max", "user.slice/memory.current": "500", "user.slice/cpu.max": "max 100000"},
			want:  cgroup.Limits{Memory: none, Free: none, CPUs: none},
		},
		{
			name: "the root of a container", group: "0::/\n", mounts: unified,
			files: map[string]string{"memory.max": "1000", "memory.current": "400", "memory.stat": "anon 150\ninactive_file 250\n", "cpu.max": "150000 100000"},
			want:  cgroup.Limits{Memory: 1000, Free: 850, CPUs: 1.5},
		},
		{
			name: "the own group is tighter", group: "0::/job/step/task\n", mounts: unified,
			files: map[string]string{
				"job/memory.max": "4000", "job/memory.current": "1000", "job/step/memory.max": "max", "job/cpu.max": "400000 100000",
				"job/step/task/memory.max": "3000", "job/step/task/memory.current": "500", "job/step/task/cpu.max": "20000 10000",
			},
			want: cgroup.Limits{Memory: 3000, Free: 2500, CPUs: 2},
		},
		{
			name: "a group around it is tighter, and fuller", group: "0::/job/step/task\n", mounts: unified,
			files: map[string]string{
				"job/memory.max": "2000", "job/memory.current": "1900", "job/cpu.max": "100000 100000",
				"job/step/task/memory.max": "3000", "job/step/task/memory.current": "500", "job/step/task/cpu.max": "max 100000",
			},
			want: cgroup.Limits{Memory: 2000, Free: 100, CPUs: 1},
		},
		{
			name: "version 1", group: "4:memory:/slurm/uid_1/job_2\n1:cpu,cpuacct:/slurm\n", mounts: memory1 + cpu1,
			files: map[string]string{
				"memory/memory.limit_in_bytes": "9223372036854771712", "memory/memory.usage_in_bytes": "7000",
				"memory/slurm/uid_1/memory.limit_in_bytes": "5000", "memory/slurm/uid_1/memory.usage_in_bytes": "4000",
				"memory/slurm/uid_1/memory.stat":                 "cache 10\ntotal_inactive_file 1500\n",
				"memory/slurm/uid_1/job_2/memory.limit_in_bytes": "9223372036854771712",
				"cpu,cpuacct/slurm/cpu.cfs_quota_us":             "250000", "cpu,cpuacct/slurm/cpu.cfs_period_us": "100000", "cpu,cpuacct/cpu.cfs_quota_us": "-1",
			},
			want: cgroup.Limits{Memory: 5000, Free: 2500, CPUs: 2.5},
		},
		{
			name: "both versions", group: "4:memory:/a\n0::/b\n", mounts: memory1 + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			files: map[string]string{"memory/a/memory.limit_in_bytes": "5000", "unified/b/cpu.max": "50000 100000"},
			want:  cgroup.Limits{Memory: 5000, Free: none, CPUs: 0.5},
		},
		{
			name: "a mount that begins inside", group: "4:memory:/docker/abc/x\n", mounts: "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			files: map[string]string{"memory/memory.limit_in_bytes": "800", "memory/x/memory.limit_in_bytes": "900"},
			want:  cgroup.Limits{Memory: 800, Free: none, CPUs: none},
		},
		{
			name: "a group outside the mount", group: "0::/../init\n", mounts: unified,
			files: map[string]string{"memory.max": "700", "init/memory.max": "1"},
			want:  cgroup.Limits{Memory: 700, Free: none, CPUs: none},
		},
		{
			name: "no numbers", group: "0::/a\n", mounts: unified,
			files: map[string]string{"a/memory.max": "many", "a/cpu.max": "", "memory.max": "600"},
			want:  cgroup.Limits{Memory: 600, Free: none, CPUs: none},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, "proc/7/cgroup", test.group)
			write(t, root, "proc/7/mountinfo", test.mounts)
			if err := os.Symlink("7", filepath.Join(root, "proc/self")); err != nil {
				t.Fatal(err)
			}
			for name, content := range test.files {
				write(t, root, filepath.Join("sys/fs/cgroup", name), content+"\n")
			}
			if got := cgroup.Read(root); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

// TestReadHere wants limits of this system that can be.
func TestReadHere(t *testing.T) {
	got := cgroup.Read("/")
	if !(got.Memory > 0 && got.Free >= 0 && got.Free <= got.Memory && got.CPUs > 0) {
		t.Errorf("got %+v", got)
	}
	none := math.Inf(1)
	if got := cgroup.Read(t.TempDir()); got != (cgroup.Limits{Memory: none, Free: none, CPUs: none}) {
		t.Errorf("got %+v without proc, want no limits", got)
	}
}

func write(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
